"""Every way out of every hook leads somewhere, and the log of it verifies (R-46)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, SecurityError, ToolResult, current, tool
from agents_app.engine.middleware import LoggingMiddleware
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from collections.abc import Callable

HOOKS = ("before_llm_call", "after_llm_call", "before_tool_call", "after_tool_call")
LOOK = calls(("look", {"place": "here"}))


@tool
async def look(place: str) -> str:
    """Look."""
    return f"seen {place}"


def _leave(way: str, value: Any) -> Any:
    if way == "same":
        return value
    if way == "nothing":
        return None
    if way == "another":
        return _another(value)
    if way == "nonsense":
        return 7
    if way == "refuses":
        raise SecurityError("no")
    if way == "fails":
        raise ValueError("broken")
    if way == "exits":
        raise SystemExit(3)
    if way == "cancels":
        raise asyncio.CancelledError
    decision = current().ask(kind="guard", info="May I?", allowed=["approve", "reject"])
    return value if decision.payload["decision"] == "approve" else None


def _another(value: Any) -> Any:
    if isinstance(value, list):
        return [Message("system", "And this."), *value]
    if isinstance(value, ToolResult):
        return replace(value, content="another result")
    if isinstance(value, Message):
        return replace(value, content="another answer")
    return replace(value, arguments={"place": "there"})


def leaving(hook: str, way: str) -> Any:
    """A middleware that leaves one of its hooks in that way."""

    async def method(_: Any, value: Any) -> Any:
        return _leave(way, value)

    return type("Leaving", (), {"name": "leaving", hook: method})()


#: How a run ends whose hook is left so: ``failed`` with a code, or by itself.
ENDS = {
    "same": ("finished", None),
    "another": ("finished", None),
    "nothing": ("failed", "middleware_error"),
    "refuses": ("failed", "guardrail"),
    "fails": ("failed", "middleware_error"),
    "exits": ("failed", "middleware_error"),
    "asks": ("interrupted", None),
}


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("way", [*ENDS, "nonsense", "cancels"])
async def test_r46_every_way_out_of_a_hook_has_an_end(hook: str, way: str) -> None:
    spec = AgentSpec(slug="desk", tools=(look,))
    model = RuleModel(by_turn(LOOK, says("Done.")))
    made: Callable[[], list[Any]] = lambda: [leaving(hook, way)]  # noqa: E731
    it = Session(spec, model, middlewares=made).start("Hello?")
    outcome = await asyncio.wait_for(it.run(), 10)
    while outcome.kind == "interrupted":
        it.decide_all("approve")
        outcome = await asyncio.wait_for(it.run(), 10)
    kind, code = ENDS.get(way, ("failed", outcome.code))
    assert (outcome.kind, outcome.code) == ("finished" if way == "asks" else kind, code)
    intents = [event.payload["call_id"] for event in it.of("tool_call")]
    results = [event.payload["call_id"] for event in it.of("tool_result")]
    assert len(results) == len(set(results))
    assert set(intents) <= set(results)
    assert (verdict := await verify(it)).ok, verdict


async def test_s0_32_logging_masks_cuts_and_is_silent_in_a_replay(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "playhead.agent")
    spec = AgentSpec(slug="desk")
    answer = says("x" * 20 + " ana@example.org " + "y" * 200)
    made = [LoggingMiddleware(level="debug", shown=40)]
    it = Session(spec, RuleModel(lambda _: answer), middlewares=lambda: made).start("Hello?")
    await it.run()
    said = [record for record in caplog.records if record.name == "playhead.agent"]
    assert [record.levelname for record in said] == ["DEBUG", "DEBUG"]
    assert "ana@" not in said[1].getMessage()
    assert len(said[1].getMessage()) == len("model answered: ") + 40
    assert (said[1].session, said[1].agent, said[1].step) == (it.id, "desk", 0)  # type: ignore[attr-defined]
    caplog.clear()
    assert (await verify(it)).ok
    assert not [record for record in caplog.records if record.name == "playhead.agent"]
