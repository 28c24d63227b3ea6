"""Agents side by side whose run is ended above them, by a person or a limit, and crashes then."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Limits, ModelError, agent_tool, tool
from agents_app.testing import RuleModel, Session, calls, says
from tests.unit.agents_engine.crashing import holds, survives
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.engine.ports import ModelRequest


@tool
async def look(key: str) -> str:
    """Look."""
    await asyncio.sleep(0)
    return f"{key} is there"


LOOKS = by_turn(*[calls(("look", {"key": "a"}), ("look", {"key": "b"}))] * 3, says("Seen."))


def session(rule: Callable[[ModelRequest], Any], limits: Limits, how: str) -> Session:
    below = [AgentSpec(slug=f"kid{n}", model=f"m:{n}", tools=(look,)) for n in range(2)]
    tools = tuple(agent_tool(each) for each in below)
    if how == "calls":
        asked = calls(*((f"ask_kid{n}", {"task": "Look."}) for n in range(2)))
        above = by_turn(asked, says("Done."))
    else:
        above = by_turn(says("Not asked."))
    spec = AgentSpec(
        slug="boss", model="m:boss", tools=tools, limits=limits,
        strategy="parallel" if how == "parallel" else "function-calling",
    )  # fmt: skip
    model = RuleModel(lambda r: above(r) if r.model == "m:boss" else rule(r))
    return Session(spec, model).start("Look everywhere.")


def told(it: Session) -> Any:
    """How the run ended, and what is kept of it."""
    [end] = it.of("session_end")
    last = [e for e in it.of("step_end") if (e.scope or "").startswith("agent:boss/")
            and ";" not in (e.scope or "")][-1]  # fmt: skip
    kept = [each for each in last.payload["append"] if each[0] == "n"]
    return end.payload["outcome"], end.payload["answer"], kept


BOTH = pytest.mark.parametrize("how", ["parallel", "calls"])


@BOTH
async def test_r33_a_cancel_that_a_crash_cuts_short_stays_one(how: str) -> None:
    """The agents below were told; who takes over does not make an answer of it."""

    def made() -> Session:
        it = session(LOOKS, Limits(9), how)
        it.model = Cancels(it, it.model)
        return it

    calm = await survives(made, told)
    assert told(calm) == ("cancelled", None, [])


class Cancels:
    """A model that is asked while a person cancels the run, the third time."""

    def __init__(self, it: Session, model: Any) -> None:
        self._it, self._model = it, model

    async def respond(self, request: ModelRequest, on_delta: Any) -> Any:
        if len(self._it.of("llm_request")) >= 3 and not self._it.of("cancel"):
            self._it.cancel()
        return await self._model.respond(request, on_delta)


class Slow:
    """A model that takes long for one of them, which has an answer when the other has ended."""

    def __init__(self, model: Any) -> None:
        self._model = model

    async def respond(self, request: ModelRequest, on_delta: Any) -> Any:
        if request.model == "m:0":
            for _ in range(60):
                await asyncio.sleep(0)
        return await self._model.respond(request, on_delta)


@BOTH
@pytest.mark.parametrize(
    "limits",
    [Limits(max_tool_calls=3), Limits(max_model_calls=3), Limits(max_tokens=40, at_budget="end"),
     Limits(max_calls_of={"look": 3})],
    ids=["tool calls", "model calls", "tokens", "calls of one"],
)  # fmt: skip
async def test_r33_a_limit_above_that_a_crash_cuts_short_stays_one(
    how: str, limits: Limits
) -> None:

    def made() -> Session:
        it = session(lambda r: says("Seen.") if r.model == "m:0" else LOOKS(r), limits, how)
        it.model = Slow(it.model)
        return it

    calm = await survives(made, lambda it: told(it)[0::2])
    assert told(calm)[0] == "limit"


async def test_a_limit_above_one_that_waits_for_its_provider_is_derived_again() -> None:
    """What the end leaves of its request is no cancel of a person's."""

    def rule(request: ModelRequest) -> Any:
        if request.model == "m:0":
            return ModelError("busy", code="rate_limited", permanent=False, retry_after=60)
        return LOOKS(request)

    it = session(rule, Limits(max_tool_calls=3), "parallel")
    assert (await it.run()).kind == "limit"
    await holds(it)
