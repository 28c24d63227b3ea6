"""A crash at every commit of every scenario: nothing is lost, nothing happens twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.testing import Crashed, Session
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import SCENARIOS, Ledger, Scenario, begin, play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.core.events import Event

EVERY = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


async def _commits(scenario: Scenario) -> int:
    session = begin(scenario, Ledger())
    await play(scenario, session)
    return session.commits


def _answers(session: Session) -> list[str]:
    return [event.payload["outcome"] for event in session.of("session_end")]


def _crash_once(at: int, session: Session, *, durable: bool) -> None:
    def crash(_session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            raise Crashed

    if durable:
        session.after_commit = crash
    else:
        session.before_commit = crash


@EVERY
@pytest.mark.parametrize("durable", [False, True], ids=["before", "after"])
async def test_a_crash_at_any_commit_changes_nothing_that_was_done(
    scenario: Scenario, durable: bool
) -> None:
    """X-8, K-40, R-31: the session ends as it would have; no effect twice; every log verifies."""
    calm = begin(scenario, Ledger())
    await play(scenario, calm)
    for at in range(1, calm.commits + 1):
        ledger = Ledger()
        session = begin(scenario, ledger)
        _crash_once(at, session, durable=durable)
        await play(scenario, session)
        where = f"crash at commit {at}"
        assert ledger.twice() == [], where
        assert _answers(session) == _answers(calm), where
        assert len(session.of("lease")) == 1, where
        verdict = await verify(session)
        assert verdict.ok, f"{where}: {verdict}"
        assert verdict.derivation.complete, where


@EVERY
async def test_the_calm_session_verifies(scenario: Scenario) -> None:
    """Every kind of event re-derives: approvals, edits, questions, guards, waits, limits, runs."""
    ledger = Ledger()
    session = begin(scenario, ledger)
    await play(scenario, session)
    verdict = await verify(session)
    assert verdict.ok, verdict
    assert ledger.twice() == []
    assert [event.seq for event in session.events] == list(range(1, len(session.events) + 1))
