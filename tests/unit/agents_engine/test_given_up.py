"""A run that takes its workers down is ended by the system, as a run ends that a person cancels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agents_app.engine.log.recovery import stop_draft
from agents_app.testing import Crashed, Session
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import SCENARIOS, Ledger, Scenario, begin, play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.core.events import Event

EVERY = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
WHY = "The worker process stopped 3 times while it ran this session."


def _dies_and_is_stopped(session: Session, at: int) -> None:
    """The process dies after that commit, and who takes over is told to end the run."""

    def die(_session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            session.log.write(stop_draft(f"agent:{session.spec.slug}", WHY))
            raise Crashed

    session.after_commit = die


@EVERY
async def test_a_run_that_is_given_up_at_any_commit_leaves_a_session_that_goes_on(
    scenario: Scenario,
) -> None:
    """It ends failed, every open call has its one result, the log verifies, the next run runs."""
    calm = begin(scenario, Ledger())
    await play(scenario, calm)
    for at in range(1, calm.commits + 1):
        ledger = Ledger()
        session = begin(scenario, ledger)
        _dies_and_is_stopped(session, at)
        await play(scenario, session)
        where = f"given up at commit {at}"
        (cancel,) = session.of("cancel")
        if _runs(session, cancel):
            end = next(e for e in session.of("session_end") if e.seq > cancel.seq)
            assert end.payload["outcome"] == "failed", where
            assert end.payload["error"] == {"code": "worker_died", "message": WHY}, where
            assert _unanswered(session, end.seq) == [], where
        ended = len(session.of("session_end"))
        session.say("And now?")
        await play(replace(scenario, more=()), session)
        assert len(session.of("session_end")) == ended + 1, where
        assert session.mismatches == [], where
        assert ledger.twice() == [], where
        assert (await verify(session)).ok, where


def _runs(session: Session, at: Event) -> bool:
    """Whether a run was under way then."""
    begun = [e for e in session.of("user_message") if e.seq < at.seq]
    return len(begun) > len([e for e in session.of("session_end") if e.seq < at.seq])


def _unanswered(session: Session, before: int) -> list[str]:
    """Calls whose step is part of the history, and which have no result."""
    asked = [
        f"c{event.seq}.{place}"
        for event in session.of("llm_response")
        for place, _ in enumerate(event.payload["message"].get("tool_calls", ()))
        if event.seq < before
    ]
    answered = {event.payload["call_id"] for event in session.of("tool_result")}
    return [call for call in asked if call not in answered]
