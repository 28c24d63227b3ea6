"""The base class of hand-written agents, and its configuration (S1-20 … S1-30, S1-40, H-04)."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import pytest

from agents_app.engine import Agent, Config, Message, RunFailed, tool
from agents_app.engine.strategies import (
    ChainOfThought,
    FunctionCalling,
    PlanAndSolve,
    React,
    Reflection,
    Simple,
)
from agents_app.testing import RuleModel, ScriptedModel, calls, says
from playhead.core.errors import InvalidInput

DEFAULTS = {
    "default_model": "gpt-3.5-turbo", "default_provider": "openai", "temperature": 0.7,
    "max_tokens": None, "debug": False, "log_level": "INFO", "max_history_length": 100,
}  # fmt: skip


@tool
def search(query: str) -> str:
    """Search for something."""
    return f"{query} is there"


class Helper(Agent):
    """Whatever the strategy, the same entry."""

    strategy: Any = None

    async def run(self, input_text: str, **kwargs: Any) -> str:
        return await self.ask(input_text, strategy=self.strategy, tools=[search], **kwargs)


class Thinker(Helper):
    strategy = ChainOfThought()


class Reactor(Helper):
    strategy = React()


def test_s1_20_s1_21_the_defaults() -> None:
    assert Config().to_dict() == DEFAULTS


def test_s1_23_nothing_has_to_be_configured() -> None:
    assert Config.from_env({}) == Config()
    assert Helper("x", ScriptedModel([])).config == Config()


ENVIRONMENT = {
    "default_model": ("claude-x", "claude-x"), "default_provider": ("anthropic", "anthropic"),
    "temperature": ("0.2", 0.2), "max_tokens": ("50", 50), "debug": ("TRUE", True),
    "log_level": ("debug", "DEBUG"), "max_history_length": ("7", 7),
}  # fmt: skip


@pytest.mark.parametrize("field", DEFAULTS)
def test_h04_every_field_comes_from_the_environment(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S1-22, S1-23: another deployment, the same code."""
    text, value = ENVIRONMENT[field]
    assert Config.from_env({field.upper(): text}) == Config(**{field: value})
    monkeypatch.setenv(field.upper(), text)
    assert getattr(Config.from_env(), field) == value


BAD = [
    ("TEMPERATURE", "warm"), ("TEMPERATURE", "nan"), ("TEMPERATURE", "-1"), ("TEMPERATURE", ""),
    ("MAX_TOKENS", "1.5"), ("MAX_TOKENS", "0"), ("MAX_HISTORY_LENGTH", "0"),
    ("MAX_HISTORY_LENGTH", ""), ("DEBUG", "maybe"), ("LOG_LEVEL", "LOUD"), ("DEFAULT_MODEL", ""),
    ("DEFAULT_PROVIDER", " "),
]  # fmt: skip


@pytest.mark.parametrize(("variable", "text"), BAD)
def test_h04_a_bad_value_names_its_variable(variable: str, text: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{variable}=") as refused:
        Config.from_env({variable: text})
    assert refused.value.detail == {"field": variable}


@pytest.mark.parametrize(
    ("field", "value"),
    [("temperature", "hot"), ("temperature", True), ("max_tokens", 1.5), ("debug", 1),
     ("max_history_length", -1), ("log_level", "loud"), ("default_model", None)],
)  # fmt: skip
def test_s1_19_a_bad_value_in_code_is_refused_when_it_is_given(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}="):
        Config(**{field: value})
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(Config(), field, value)


def test_s1_25_an_agent_takes_four_things() -> None:
    taken = list(inspect.signature(Agent.__init__).parameters)
    assert taken == ["self", "name", "llm", "system_prompt", "config"]
    assert str(Helper("helper", ScriptedModel([]))) == "helper (openai)"


def test_s1_26_an_agent_without_run_is_none() -> None:
    class Half(Agent):
        pass

    with pytest.raises(TypeError, match="run"):
        Half("half", ScriptedModel([]))  # type: ignore[abstract]


async def test_s1_28_model_and_configuration_are_given_and_no_subclass_knows() -> None:
    """The same class with another model and other settings: the request has both."""
    for text, config in (("one", Config(temperature=0.1, max_tokens=9)), ("two", Config())):
        model = RuleModel(lambda _request, text=text: says(text))
        agent = Helper("x", model, system_prompt=f"Say {text}.", config=config)
        assert await agent.run("Hi.") == text
        request = model.requests[0]
        assert request.params == config.params()
        assert request.messages[0] == Message("system", f"Say {text}.")


async def test_s1_29_s1_40_the_base_keeps_the_history_of_every_paradigm() -> None:
    scripts: list[tuple[type[Helper], list[Message]]] = [
        (Helper, [calls(("search", {"query": "door"})), says("There."), says("Still.")]),
        (Thinker, [says("A door.\nAnswer: There."), says("Answer: Still.")]),
        (Reactor, [says("Action: search[door]"), says("Action: Finish[There.]"),
                   says("Action: Finish[Still.]")]),
    ]  # fmt: skip
    for kind, script in scripts:
        model = ScriptedModel(script)
        agent = kind("x", model)
        assert await agent.run("Is the door there?") == "There."
        assert await agent.run("And now?") == "Still."
        seen = [message.content for message in model.requests[-1]]
        assert any("Is the door there?" in text for text in seen)
        assert any("There." in text for text in seen)
        roles = [message.role for message in agent.get_history()]
        assert roles[0] == "user"
        assert roles.count("user") >= 2
        agent.clear_history()
        assert agent.get_history() == []


async def test_s1_24_what_an_agent_remembers_is_bounded() -> None:
    script = [calls(("search", {"query": "a"})), says("A."), says("B."), says("C.")]
    agent = Helper("x", ScriptedModel(script), config=Config(max_history_length=3))
    for text in ("a?", "b?", "c?"):
        await agent.run(text)
        assert len(agent.get_history()) <= 3
    assert [message.role for message in agent.get_history()] == ["assistant", "user", "assistant"]


async def test_what_was_said_stays_when_a_run_fails() -> None:
    """S1's loops added both messages at the end: an exception lost them."""
    agent = Reactor("x", RuleModel(lambda _request: says("Thought: hm")))
    with pytest.raises(RunFailed):
        await agent.run("Is the door there?")
    assert agent.get_history()[0] == Message("user", "Is the door there?")


async def test_h03_nothing_outside_changes_what_an_agent_knows() -> None:
    agent = Helper("x", ScriptedModel([calls(("search", {"query": "a"})), says("A.")]))
    await agent.run("a?")
    handed = agent.get_history()
    handed[1].calls[0].arguments["query"] = "changed"
    handed.clear()
    assert agent.get_history()[1].calls[0].arguments == {"query": "a"}


@pytest.mark.parametrize(
    ("strategy", "script"),
    [
        (Simple, ["It is."]),
        (FunctionCalling, [calls(("search", {"query": "door"})), "It is."]),
        (React, ["Action: search[door]", "Action: Finish[It is.]"]),
        (Reflection, ["Maybe.", "Be sure.", "It is.", "No need for improvement."]),
        (PlanAndSolve, ['["look"]', "It is."]),
        (ChainOfThought, ["A door.\nAnswer: It is."]),
    ],
)
async def test_s1_27_a_caller_need_not_know_the_paradigm(strategy: Any, script: list[Any]) -> None:
    model = ScriptedModel([says(each) if isinstance(each, str) else each for each in script])
    agent = Helper("x", model)
    agent.strategy = strategy()
    assert await agent.run("Is the door there?") == "It is."
    assert len(model.requests) == len(script)
