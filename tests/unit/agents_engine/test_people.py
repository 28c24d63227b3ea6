"""What people write between any two commits: the head fence lets nothing pass unseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from agents_app.testing import Session
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import DOUBTFUL, SCENARIOS, Ledger, Scenario, begin, play

if TYPE_CHECKING:
    from playhead.core.events import Event

EVERY = pytest.mark.parametrize(
    "scenario", [*SCENARIOS, DOUBTFUL], ids=lambda scenario: scenario.name
)
Act = Callable[[Session], object]


def _at(number: int, act: Act) -> Callable[[Session, int, Sequence[Event]], None]:
    def write(session: Session, commit: int, _events: Sequence[Event]) -> None:
        if commit == number:
            act(session)

    return write


async def _played(scenario: Scenario, at: int, act: Act) -> tuple[Session, Ledger]:
    ledger = Ledger()
    session = begin(scenario, ledger)
    session.before_commit = _at(at, act)
    await play(scenario, session)
    assert ledger.twice() == [], f"{scenario.name}, commit {at}"
    verdict = await verify(session)
    assert verdict.ok, f"{scenario.name}, commit {at}: {verdict}"
    assert [event.seq for event in session.events] == list(range(1, len(session.events) + 1))
    return session, ledger


async def _commits(scenario: Scenario) -> int:
    session = begin(scenario, Ledger())
    await play(scenario, session)
    return session.commits


@EVERY
async def test_a_cancel_before_any_commit_holds(scenario: Scenario) -> None:
    """G10: no intent comes after a cancel; every open call has one result; the end says so."""
    for at in range(1, await _commits(scenario) + 1):
        session, _ = await _played(scenario, at, Session.cancel)
        (cancel,) = session.of("cancel")
        after = [e for e in session.events if e.seq > cancel.seq]
        end = next((e for e in after if e.event_type == "session_end"), None)
        if end is None:
            continue  # the run had ended already: there was nothing to cancel
        assert end.payload["outcome"] == "cancelled", f"commit {at}"
        intents = {"llm_request", "tool_call", "resume"}
        assert not [e for e in after if e.event_type in intents and e.seq < end.seq], f"commit {at}"
        _every_call_has_one_result(session)


@EVERY
async def test_a_pause_before_any_commit_lets_nothing_start(scenario: Scenario) -> None:
    """Nothing starts between a pause and its end."""
    for at in range(1, await _commits(scenario) + 1):
        session, _ = await _played(scenario, at, Session.pause)
        pauses = session.of("pause")
        on, off = pauses[0].seq, pauses[1].seq if len(pauses) > 1 else float("inf")
        intents = {"llm_request", "tool_call", "resume", "session_end"}
        between = [e for e in session.events if on < e.seq < off and e.event_type in intents]
        assert not between, f"commit {at}: {between}"


@EVERY
async def test_a_message_before_any_commit_opens_a_run_of_its_own(scenario: Scenario) -> None:
    """Nothing that somebody says is lost, whatever the loop was doing."""
    calm = begin(scenario, Ledger())
    await play(scenario, calm)
    for at in range(1, calm.commits + 1):
        session, _ = await _played(scenario, at, lambda s: s.say("And by the way?"))
        ends = session.of("session_end")
        assert len(ends) == len(calm.of("session_end")) + 1, f"commit {at}"


@EVERY
async def test_a_steer_before_any_commit_is_read(scenario: Scenario) -> None:
    """A Finish with an unread steer is a Continue."""
    for at in range(1, await _commits(scenario) + 1):
        session, _ = await _played(scenario, at, lambda s: s.steer("Mind the gap."))
        (steer,) = session.of("steer")
        ends = [e for e in session.of("session_end") if e.seq > steer.seq]
        if not ends or ends[0].payload["outcome"] == "limit":
            continue
        appended = [entry for end in session.of("step_end") for entry in end.payload["append"]]
        assert ["m", steer.seq] in appended, f"commit {at}"


def _every_call_has_one_result(session: Session) -> None:
    asked = [
        f"c{event.seq}.{place}"
        for event in session.of("llm_response")
        for place, _ in enumerate(event.payload["message"].get("tool_calls", ()))
    ]
    answered = [event.payload["call_id"] for event in session.of("tool_result")]
    assert sorted(answered) == sorted(asked)
