"""Messages are values: a wrong one is refused when it is built, and none changes afterwards."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_app.engine import Agent, Config, Message, ToolCall, ToolResult
from agents_app.engine.messages import from_log, stored
from agents_app.testing import ScriptedModel, says
from playhead.core.errors import InvalidInput


def test_h01_s1_14_an_illegal_role_is_refused_when_the_message_is_built() -> None:
    with pytest.raises(ValueError, match="role must be one of"):
        Message("robot", "hi")  # type: ignore[arg-type]


@pytest.mark.parametrize("role", ["system", "user", "assistant", "tool"])
def test_s0_13_s1_13_the_four_roles_are_taken(role: Any) -> None:
    message = Message(role, "hi", None)
    assert (message.role, message.content, message.tool_calls) == (role, "hi", None)


def test_s0_14_s0_15_a_call_and_a_result_are_what_they_were_given() -> None:
    call = ToolCall("c1", "search", {"query": "x"})
    assert (call.id, call.name, call.arguments) == ("c1", "search", {"query": "x"})
    result = ToolResult("c1", "found", False)
    assert (result.tool_call_id, result.content, result.success) == ("c1", "found", False)


def test_h01_s1_19_a_role_cannot_be_changed_later() -> None:
    message = Message("user", "hi")
    with pytest.raises(dataclasses.FrozenInstanceError):
        message.role = "robot"  # type: ignore[misc,assignment]


def test_s1_15_a_message_has_content_role_timestamp_and_metadata() -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    message = Message("user", "hi", timestamp=now, metadata={"trace": "x"})
    told = (message.role, message.content, message.timestamp, message.metadata)
    assert told == ("user", "hi", now, {"trace": "x"})
    assert Message("user", "hi", timestamp=None).content == "hi"


def test_s1_17_to_dict_is_just_role_and_content() -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    message = Message("user", "hi", metadata={"trace": "x"}, timestamp=now, origin=(2,))
    assert message.to_dict() == {"role": "user", "content": "hi"}


def test_h02_a_tool_message_names_its_call() -> None:
    message = Message("tool", "ok", tool_call_id="c4.0")
    assert message.to_dict() == {"role": "tool", "content": "ok", "tool_call_id": "c4.0"}


def test_a_provider_gets_its_own_call_ids_and_its_own_text_back() -> None:
    call = ToolCall("c4.0", "search", {}, provider_id="call_9", raw="{not json")
    wire = Message("assistant", "", tool_calls=[call]).to_dict()["tool_calls"][0]
    assert wire["id"] == "call_9"
    assert wire["function"]["arguments"] == "{not json"


class _Quiet(Agent):
    async def run(self, input_text: str, **kwargs: Any) -> str:
        return input_text


def _agent(**settings: Any) -> _Quiet:
    return _Quiet("quiet", ScriptedModel([]), config=Config(**settings))


def test_s1_26_h05_an_agent_without_run_cannot_be_built() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Agent("x", ScriptedModel([]))  # type: ignore[abstract]


async def test_s1_27_every_agent_has_the_same_entry() -> None:
    assert await _agent().run("echo") == "echo"


def test_h03_s1_30_the_history_that_is_handed_out_is_a_copy() -> None:
    agent = _agent()
    agent.add_message(Message("assistant", "", tool_calls=[ToolCall("c", "f", {"a": [1]})]))
    handed = agent.get_history()
    handed[0].calls[0].arguments["a"].append(2)
    handed.append(says("more"))
    assert len(agent.get_history()) == 1
    assert agent.get_history()[0].calls[0].arguments == {"a": [1]}


def test_s1_29_history_can_be_cleared() -> None:
    agent = _agent()
    agent.add_message(says("x"))
    agent.clear_history()
    assert agent.get_history() == []


def test_h15_s1_24_history_is_bounded_and_never_splits_a_call_from_its_result() -> None:
    agent = _agent(max_history_length=3)
    agent.add_message(Message("user", "1"))
    agent.add_message(Message("assistant", "", tool_calls=[ToolCall("a", "f"), ToolCall("b", "f")]))
    agent.add_message(Message("tool", "x", tool_call_id="a"))
    agent.add_message(Message("tool", "y", tool_call_id="b"))
    assert [m.role for m in agent.get_history()] == ["assistant", "tool", "tool"]
    agent.add_message(says("done"))
    assert [m.role for m in agent.get_history()] == ["assistant"]


def test_h04_s1_20_configuration_needs_nothing() -> None:
    config = Config()
    assert (config.temperature, config.max_history_length) == (0.7, 100)
    assert (config.default_model, config.default_provider) == ("gpt-3.5-turbo", "openai")
    assert config.max_tokens is None


def test_s1_22_the_environment_overrides() -> None:
    env = {"DEBUG": "TRUE", "LOG_LEVEL": "DEBUG", "TEMPERATURE": "0.2", "MAX_TOKENS": "50"}
    config = Config.from_env(env)
    assert (config.debug, config.log_level) == (True, "DEBUG")
    assert (config.temperature, config.max_tokens) == (0.2, 50)
    assert Config.from_env({"MAX_TOKENS": ""}).max_tokens is None


def test_h04_a_bad_value_names_its_variable() -> None:
    with pytest.raises(InvalidInput, match="TEMPERATURE"):
        Config.from_env({"TEMPERATURE": "warm"})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_CALLS = st.builds(
    ToolCall,
    id=st.just(""),
    name=st.text(min_size=1, max_size=8),
    arguments=st.dictionaries(st.text(max_size=5), _JSON, max_size=3),
    provider_id=st.none() | st.text(max_size=6),
    raw=st.none() | st.text(max_size=6),
)
_MESSAGES = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    content=st.text(max_size=20),
    tool_calls=st.none() | st.lists(_CALLS, min_size=1, max_size=3),
    tool_call_id=st.none() | st.just("c1.0"),
    name=st.none() | st.text(min_size=1, max_size=5),
    items=st.lists(st.dictionaries(st.text(max_size=4), _JSON, max_size=2), max_size=2).map(tuple),
)


@given(_MESSAGES, st.integers(1, 10**6))
def test_a_message_survives_the_log(message: Message, seq: int) -> None:
    """What an event carries is the message; only the ids of its calls come from its place."""
    back = from_log(stored(message), seq)
    assert back.digest == message.digest
    assert stored(back) == stored(message)
    assert back.origin == (seq,)
    assert [call.id for call in back.calls] == [f"c{seq}.{i}" for i in range(len(message.calls))]


@given(_MESSAGES, st.text(min_size=1, max_size=6))
def test_a_digest_says_what_was_said_and_not_who_numbered_it(message: Message, other: str) -> None:
    renumbered = dataclasses.replace(
        message,
        tool_calls=message.tool_calls
        and [dataclasses.replace(call, provider_id=other) for call in message.tool_calls],
    )
    assert renumbered.digest == message.digest
    longer = dataclasses.replace(message, content=message.content + other)
    assert longer.digest != message.digest
