"""A fork inside the call of an agent: it is entered again, and its siblings keep their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from replay_app.testing import branch
from tests.unit.agents_engine.scenarios import SCENARIOS, Ledger, begin, play
from tests.unit.replay_engine.parents import holds

if TYPE_CHECKING:
    from agents_app.testing import Session

NESTED = next(scenario for scenario in SCENARIOS if scenario.name == "nested")


def _looked_up(session: Session) -> int:
    """The result of the clerk's look-up, two agents below the root."""
    return next(
        event.seq
        for event in session.of("tool_result")
        if (event.scope or "").count("agent:") == 3 and event.payload["tool"] == "look_up"
    )


async def test_an_edit_two_agents_down_reaches_the_model_of_that_agent() -> None:
    ledger = Ledger()
    parent = begin(NESTED, ledger)
    await play(NESTED, parent)
    at = _looked_up(parent)
    before = len(parent.model.requests)  # type: ignore[attr-defined]
    child = branch(
        parent,
        at,
        replace={"message": {"content": "c is gone"}},
        effects={"pay": "recorded", "ask_age": "recorded"},
        session_id="sess_inside",
    )
    await play(NESTED, child)
    asked = parent.model.requests[before:]  # type: ignore[attr-defined]
    assert any("c is gone" in message.content for request in asked for message in request.messages)
    assert ledger.twice() == []
    await holds(child)
