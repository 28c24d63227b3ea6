"""Law 9: a step does as much however long the history is."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import pytest

from agents_app.engine import AgentSpec, Limits, tool
from agents_app.testing import RuleModel, Session, calls, says

STEPS = 60


@tool
async def look() -> str:
    """Look."""
    return "seen"


class HandsOn:
    """A middleware with a wrap that changes nothing."""

    name = "hands-on"

    async def wrap_llm_call(self, request: Any, handler: Any) -> Any:
        return await handler(request)


@pytest.mark.parametrize("middlewares", [(), (HandsOn(),)], ids=["plain", "wrapped"])
async def test_k77_a_late_step_takes_as_many_calls_of_the_engine_as_an_early_one(
    middlewares: tuple[Any, ...],
) -> None:
    made, at = 0, []

    def count(frame: Any, what: str, _arg: Any) -> None:
        nonlocal made
        made += what == "call" and "/agents_app/engine/" in frame.f_code.co_filename

    def answer(_request: Any) -> Any:
        at.append(made)
        return says("Done.") if len(at) > STEPS else calls(("look", {}))

    spec = AgentSpec(slug="desk", tools=(look,), limits=Limits(max_steps=STEPS + 1))
    session = Session(spec, RuleModel(answer), middlewares=lambda: middlewares).start("Go.")
    sys.setprofile(count)
    try:
        await session.run()
    finally:
        sys.setprofile(None)
    steps = [later - earlier for earlier, later in itertools.pairwise(at)]
    assert len(steps) == STEPS
    assert steps[-1] - steps[9] < 10
