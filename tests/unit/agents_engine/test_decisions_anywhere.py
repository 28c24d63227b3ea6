"""Decisions between any two commits: none is lost, none is asked for again, no effect twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.testing import Crashed, Session
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import (
    DOUBTFUL,
    SCENARIOS,
    Ledger,
    Scenario,
    begin,
    play,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playhead.core.events import Event

ASKING = tuple(
    scenario
    for scenario in (*SCENARIOS, DOUBTFUL)
    if scenario.name in ("gated", "edited", "asking", "guarded", "flaky", "doubtful")
)
EVERY = pytest.mark.parametrize("scenario", ASKING, ids=lambda scenario: scenario.name)
Hook = "Callable[[Session, int, Sequence[Event]], None]"


def deciding(scenario: Scenario, at: int, *, last: bool = False, crash: bool = False) -> Hook:
    """At that commit and the next somebody answers an open question; then, maybe, a crash."""

    def write(session: Session, number: int, _events: Sequence[Event]) -> None:
        if number in (at, at + 1) and session.questions():
            scenario.decide(session, session.questions()[-1 if last else 0])
        if crash and number == at:
            raise Crashed

    return write


async def commits(scenario: Scenario) -> int:
    session = begin(scenario, Ledger())
    await play(scenario, session)
    return session.commits


@EVERY
@pytest.mark.parametrize("last", [False, True], ids=["first", "last"])
@pytest.mark.parametrize("crash", [False, True], ids=["calm", "crash"])
async def test_k30_a_decision_before_any_commit_is_acted_on_once(
    scenario: Scenario, last: bool, crash: bool
) -> None:
    """Parallel calls, approvals, questions from inside, retries, doubt after a recovery."""
    outcomes = set()
    decided = 0
    for at in range(1, await commits(scenario) + 1):
        ledger = Ledger()
        session = begin(scenario, ledger)
        session.before_commit = deciding(scenario, at, last=last, crash=crash)
        await play(scenario, session)
        decided += len(session.of("decision"))
        assert ledger.twice() == [], at
        assert [event.seq for event in session.events] == list(range(1, len(session.events) + 1))
        verdict = await verify(session)
        assert verdict.ok, f"commit {at}: {verdict}"
        assert verdict.derivation.complete, at
        for decision in session.of("decision"):
            assert acted_on(session, decision) == 1, f"commit {at}: decision {decision.seq}"
        outcomes.add(session.of("session_end")[-1].payload["outcome"])
    assert outcomes == {"finished"}
    assert decided


def acted_on(session: Session, decision: Event) -> int:
    """How many events of the loop follow from a decision, and from it alone."""
    [question] = [e for e in session.of("interrupt") if e.seq == decision.payload["of"]]
    if question.payload["kind"] in ("guard", "retries"):
        return int(any(event.scope and event.seq > decision.seq for event in session.events))
    named = [e for e in session.events if e.scope and e.payload.get("decision") == decision.seq]
    results = [e for e in session.of("tool_result") if e.cause == decision.seq]
    return len(named) + len(results)


@EVERY
async def test_nothing_is_asked_twice_because_somebody_answered_early(scenario: Scenario) -> None:
    calm = begin(scenario, Ledger())
    await play(scenario, calm)
    asked = sorted(e.payload["address"] for e in calm.of("interrupt"))
    for at in range(1, calm.commits + 1):
        session = begin(scenario, Ledger())
        session.before_commit = deciding(scenario, at)
        await play(scenario, session)
        assert len(session.of("interrupt")) == len(asked), at


@EVERY
async def test_a_decision_and_a_cancel_at_the_same_moment(scenario: Scenario) -> None:
    """The cancel ends the run; what was decided is not carried out afterwards."""
    for at in range(1, await commits(scenario) + 1):
        ledger = Ledger()
        session = begin(scenario, ledger)
        decide = deciding(scenario, at)

        def both(
            session: Session,
            number: int,
            events: Sequence[Event],
            decide: Callable[..., None] = decide,
            at: int = at,
        ) -> None:
            decide(session, number, events)
            if number == at:
                session.cancel()

        session.before_commit = both
        await play(scenario, session)
        assert ledger.twice() == []
        verdict = await verify(session)
        assert verdict.ok, f"commit {at}: {verdict}"
        [cancel] = session.of("cancel")
        ends = [e for e in session.of("session_end") if e.seq > cancel.seq]
        intents = [e for e in session.events if e.event_type in ("tool_call", "resume")]
        for end in ends:
            assert not [e for e in intents if cancel.seq < e.seq < end.seq], at
