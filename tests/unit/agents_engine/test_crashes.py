"""A crash at every commit of every scenario: nothing is lost, nothing happens twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.testing import Crashed, Session
from playhead.core.catalogue import PEOPLE
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import SCENARIOS, Ledger, Scenario, begin, play

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


def _crash_then(
    at: int, scenario: Scenario, what: str, heads: list[int]
) -> Callable[[Session, int, Sequence[Event]], None]:
    """A crash at one commit, and at the next somebody who writes."""

    def hook(session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            heads.append(session.log.seq)
            raise Crashed
        if number == at + 1:
            if what == "decide":
                for question in session.questions():
                    scenario.decide(session, question)
            elif what == "pause":
                session.pause()
            else:
                getattr(session, what)("By the way.")

    return hook


@EVERY
@pytest.mark.parametrize("what", ["say", "pause", "steer", "decide"])
async def test_k40_the_new_owner_says_so_first_whoever_writes_at_that_moment(
    scenario: Scenario, what: str
) -> None:
    """A person's event overtakes the ``lease``: it is written behind it, before anything else."""
    calm = begin(scenario, Ledger())
    await play(scenario, calm)
    for at in range(1, calm.commits + 1):
        session = begin(scenario, Ledger())
        heads: list[int] = []
        session.before_commit = _crash_then(at, scenario, what, heads)
        await play(scenario, session)
        after = [e for e in session.events if e.seq > heads[0] and e.event_type not in PEOPLE]
        assert after[0].event_type == "lease", f"commit {at}"
        assert len(session.of("lease")) == 1
        verdict = await verify(session)
        assert verdict.ok, f"commit {at}: {verdict}"


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
