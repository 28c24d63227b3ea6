"""Code that gives back something else is named: who, what came, and what is expected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentLoop, AgentSpec, Finish, Message, ToolCall, ToolResult, tool
from agents_app.engine.errors import RunFailed
from agents_app.engine.memory import Memories
from agents_app.engine.parts import BUILT_IN, Parts
from agents_app.engine.ports import Delta, ModelReply, Remembered
from agents_app.testing import RuleModel, Session, calls, says
from playhead.core.errors import InvalidInput
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from collections.abc import Callable

HOOKS = {
    "before_llm_call": "a list of Message",
    "after_llm_call": "a Message",
    "before_tool_call": "a ToolCall",
    "after_tool_call": "a ToolResult",
}
MADE: list[Any] = [None, "text", {"role": "user"}, 7, Finish("x")]


@tool
async def look() -> str:
    """Look."""
    return "seen"


def session(*middlewares: Any, model: Any = None, **options: Any) -> Session:
    model = model or RuleModel(by_turn(calls(("look", {})), says("Done.")))
    spec = AgentSpec(slug="desk", tools=(look,))
    return Session(spec, model, middlewares=lambda: middlewares, **options).start("Go.")


def having(**methods: Callable[..., Any]) -> Any:
    return type("Odd", (), {"name": "odd", **{n: staticmethod(m) for n, m in methods.items()}})()


def gives(value: Any) -> Any:
    async def hook(_: Any) -> Any:
        return value

    return hook


async def reason_of(it: Session) -> tuple[str, str]:
    """The code and the words with which a run failed, whose log verifies."""
    outcome = await it.run()
    assert outcome.kind == "failed"
    assert (await verify(it)).ok
    return str(outcome.code), str(outcome.answer)


@pytest.mark.parametrize("value", MADE, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("hook", HOOKS)
async def test_a_hook_that_gives_back_something_else_is_named(hook: str, value: Any) -> None:
    code, said = await reason_of(session(having(**{hook: gives(value)})))
    assert code == "middleware_error"
    name = "nothing (None)" if value is None else type(value).__name__
    assert f"odd.{hook} returned" in said
    assert name in said
    assert f"expected {HOOKS[hook]}" in said


@pytest.mark.parametrize(
    ("hook", "value", "said"),
    [
        ("before_llm_call", ["x"], "[0] is a value of type str, expected a Message"),
        ("before_llm_call", "x", "a value of type str, expected a list of Message"),
        ("after_llm_call", Message("assistant", "", tool_calls=[{"a": 1}]), "tool_calls[0]"),  # type: ignore[list-item]
        ("after_llm_call", Message("assistant", "", metadata=[1]), "metadata"),  # type: ignore[arg-type]
        ("before_tool_call", ToolCall("c", "look", None), "arguments is nothing (None)"),  # type: ignore[arg-type]
        ("before_tool_call", ToolCall("c", 7), "name is a value of type int, expected text"),  # type: ignore[arg-type]
        ("after_tool_call", ToolResult("c", 7), "content is a value of type int"),  # type: ignore[arg-type]
    ],
)
async def test_the_field_that_is_wrong_is_named(hook: str, value: Any, said: str) -> None:
    code, text = await reason_of(session(having(**{hook: gives(value)})))
    assert code == "middleware_error"
    assert f"odd.{hook} returned" in text
    assert said in text


async def test_a_hook_without_async_is_told_to_have_it() -> None:
    code, said = await reason_of(session(having(before_llm_call=lambda messages: messages)))
    assert code == "middleware_error"
    assert "odd.before_llm_call is no coroutine function: write 'async def" in said


async def test_a_policy_that_says_no_permission_is_named() -> None:
    code, said = await reason_of(session(having(permits=lambda _tool, _call: "deny")))
    assert code == "middleware_error"
    assert "odd.permits returned a value of type str, expected a Permission or None" in said


@pytest.mark.parametrize("value", MADE, ids=lambda value: type(value).__name__)
async def test_a_wrap_of_a_tool_that_gives_back_something_else_is_named(value: Any) -> None:
    async def wrap(call: Any, run: Any) -> Any:
        await run(call)
        return value

    it = session(having(wrap_tool_call=wrap))
    assert (await it.run()).kind == "finished"
    said = it.of("tool_result")[0].payload
    assert said["success"] is False
    assert "odd.wrap_tool_call returned" in said["message"]["content"]
    assert "expected a ToolResult" in said["message"]["content"]
    assert (await verify(it)).ok


@pytest.mark.parametrize("value", MADE, ids=lambda value: type(value).__name__)
async def test_a_wrap_of_a_model_that_gives_back_something_else_is_named(value: Any) -> None:
    async def wrap(request: Any, call: Any) -> Any:
        await call(request)
        return value

    async def outer(request: Any, call: Any) -> Any:
        return await call(request)

    inner = having(wrap_llm_call=wrap)
    outside = type("Outer", (), {"name": "outer", "wrap_llm_call": staticmethod(outer)})()
    code, said = await reason_of(session(outside, inner))
    assert code == "bad_response"
    assert "odd.wrap_llm_call returned" in said
    assert "no ModelReply" in said


@pytest.mark.parametrize("value", [None, "x", {"model": "m"}])
async def test_a_wrap_that_hands_on_no_request_is_named(value: Any) -> None:
    async def wrap(request: Any, call: Any) -> Any:
        return await call(value)

    code, said = await reason_of(session(having(wrap_llm_call=wrap)))
    assert code == "bad_response"
    assert "odd.wrap_llm_call handed on" in said
    assert "expected a ModelRequest" in said


FINE = Message("assistant", "Fine.")


@pytest.mark.parametrize(
    ("reply", "field"),
    [
        (None, "nothing (None) and no ModelReply"),
        ("text", "a value of type str and no ModelReply"),
        (FINE, "a value of type Message and no ModelReply"),
        (ModelReply("text"), "message is a value of type str"),  # type: ignore[arg-type]
        (ModelReply(Message("user", "x")), "message.role is 'user'"),
        (ModelReply(FINE, usage={"input": 1}), "usage is a value of type dict"),  # type: ignore[arg-type]
        (ModelReply(FINE, stop_reason=7), "stop_reason is a value of type int"),  # type: ignore[arg-type]
        (ModelReply(FINE, provider=None), "provider is nothing (None)"),  # type: ignore[arg-type]
        (ModelReply(FINE, provider=[1]), "provider is a value of type list"),  # type: ignore[arg-type]
        (ModelReply(FINE, ttft_ms="1"), "ttft_ms is a value of type str"),  # type: ignore[arg-type]
        (ModelReply(FINE, model=7), "model is a value of type int"),  # type: ignore[arg-type]
        (ModelReply(FINE, source="moon"), "source is 'moon', expected one of live"),
        (ModelReply(FINE, saved=[1]), "saved is a value of type list"),  # type: ignore[arg-type]
        (
            ModelReply(replace(FINE, tool_calls=[ToolCall("c", "look", "x")])),  # type: ignore[arg-type]
            "message.tool_calls[0] is a ToolCall whose arguments is a value of type str",
        ),
    ],
)
async def test_a_provider_that_answers_with_something_else_is_named(reply: Any, field: str) -> None:
    class Provider:
        async def respond(self, request: Any, on_delta: Any) -> Any:
            return reply

    code, said = await reason_of(session(model=Provider()))
    assert code == "bad_response"
    assert "the model scripted:echo answered with" in said
    assert field in said


async def test_a_usage_whose_counts_are_no_numbers_is_named() -> None:
    from playhead.core.usage import Usage

    class Provider:
        async def respond(self, request: Any, on_delta: Any) -> Any:
            return ModelReply(FINE, usage=Usage(input="12"))  # type: ignore[arg-type]

    _, said = await reason_of(session(model=Provider()))
    assert "usage.input is a value of type str, expected a number of tokens or None" in said


@pytest.mark.parametrize("port", [None, {}, object()], ids=["none", "dict", "object"])
async def test_a_provider_that_has_no_model_is_named(port: Any) -> None:
    it = session()
    it.model = port
    code, said = await reason_of(it)
    assert code == "bad_response"
    assert "the model scripted:echo: it is" in said
    assert "async def respond(request, on_delta)" in said


@pytest.mark.parametrize("delta", ["text", Delta("text", None)])  # type: ignore[arg-type]
async def test_a_stream_of_something_else_is_named(delta: Any) -> None:
    class Provider:
        async def respond(self, request: Any, on_delta: Any) -> Any:
            on_delta(delta)
            return ModelReply(FINE)

    code, said = await reason_of(session(model=Provider()))
    assert code == "bad_response"
    assert "on_delta was called with" in said


async def test_a_small_model_that_answers_with_something_else_is_named() -> None:
    class Mine:
        async def complete(self, messages: Any, tools: Any = None) -> Any:
            return {"role": "assistant"}

    with pytest.raises(RunFailed, match=r"Mine\.complete answered with a value of type dict"):
        await AgentLoop(Mine()).run("Hi.")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "search returned nothing (None), expected a list of Remembered"),
        ([{"key": "k"}], "a list whose [0] is a value of type dict, expected a Remembered"),
        ([Remembered("k", None, 1.0)], "a Remembered whose text is nothing (None)"),  # type: ignore[arg-type]
        ([Remembered("k", "t", "1")], "a Remembered whose score is a value of type str"),  # type: ignore[arg-type]
    ],
)
async def test_a_memory_that_finds_something_else_is_named(found: Any, said: str) -> None:
    class Mine:
        async def search(self, space: Any, query: str, *, limit: int) -> Any:
            return found

    memories = Memories({"text": Mine()})  # type: ignore[dict-item]
    spec = AgentSpec(slug="desk", middleware=({"use": "memory"},))
    it = Session(spec, RuleModel(lambda _: says("Hi.")), memories=memories).start("Go.")
    code, text = await reason_of(it)
    assert code == "middleware_error"
    assert "the memory Mine: " in text
    assert said in text


@pytest.mark.parametrize("state", [None, "x", [1]])
async def test_a_strategy_that_starts_with_no_state_is_named(state: Any) -> None:
    class Odd:
        name = "odd"

        def start(self, task: str, history: Any) -> Any:
            return state

        async def step(self, state: Any, ctx: Any) -> Any:
            return Finish("x", {})

    code, said = await reason_of(session(strategy=Odd()))
    assert code == "strategy_error"
    assert "odd: " in said
    assert "start gives the state, a dict, not" in said


@pytest.mark.parametrize("asked", ["text", [{"role": "user"}], [Message("user", name=7)]])  # type: ignore[arg-type]
async def test_a_strategy_that_asks_with_something_else_is_named(asked: Any) -> None:
    class Odd:
        name = "odd"

        def start(self, task: str, history: Any) -> Any:
            return {}

        async def step(self, state: Any, ctx: Any) -> Any:
            await ctx.model(asked)
            return Finish("x", {})

    code, said = await reason_of(session(strategy=Odd()))
    assert code == "strategy_error"
    assert "odd: TypeError: a model is asked with messages, and was asked with" in said


def test_a_factory_that_makes_no_strategy_is_named() -> None:
    class Mine:
        """Has neither start nor step."""

    parts = Parts({"mine": Mine}, BUILT_IN.middleware)
    with pytest.raises(InvalidInput, match="'mine': its factory made a value of type Mine"):
        parts.strategy(AgentSpec(slug="desk", strategy="mine"))


async def test_a_guard_that_holds_back_something_else_is_named() -> None:
    guard = having(before_llm_call=gives([]))
    guard.before_llm_call = _unchanged
    guard.holds = "email"
    code, said = await reason_of(session(guard))
    assert code == "bad_response"
    assert "odd.holds is a value of type str, expected a set" in said


async def _unchanged(messages: Any) -> Any:
    return messages
