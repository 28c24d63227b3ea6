"""The projection is a fold: it may be cut anywhere; each event moves it as the protocol says."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_app.engine.log.projection import HeadState, project
from playhead.core.events import Event
from playhead.core.usage import NOTHING, Usage

TS = "2026-11-30T10:22:31.102345Z"
ANA = {"kind": "user", "id": "u1", "name": "Ana"}
SYSTEM = {"kind": "system", "id": "expiry", "name": "expiry"}


def event(event_type: str, seq: int = 1, **payload: Any) -> Event:
    return Event("sess_1", seq, event_type, TS, payload)


def question(seq: int, name: str = "q1") -> Event:
    return event(
        "interrupt", seq, id=name, kind="approval", address="agent:desk/1;tool:refund:c4.0",
        tool="refund", digest="d1:00", allowed=["approve", "reject"], required_role="approver",
        expires_at=TS, on_expiry="reject",
    )  # fmt: skip


def answer(seq: int, name: str = "q1", by: dict[str, str] = ANA) -> Event:
    return event("decision", seq, interrupt=name, decision="approve", by=by)


def end(seq: int = 9, outcome: str = "finished") -> Event:
    return event("session_end", seq, outcome=outcome, answer="42")


def response(seq: int = 4, *, tokens: int | None = 10, cost: str | None = "0.01", source="live"):
    usage = None if tokens is None else {"input": tokens, "output": 1, "cached": 0, "reasoning": 0}
    return event("llm_response", seq, source=source, usage=usage, cost=cost)


def after(*events: Event, state: HeadState | None = None) -> HeadState:
    return project(state or HeadState(), events).state


started = after(event("session_start"), event("user_message", 2))
running = after(event("llm_request", 3), state=started)
waiting = after(question(5), state=running).resting("waiting", "person")

moves = st.sampled_from(
    [
        event("session_start"), event("user_message"), event("llm_request"), response(),
        response(tokens=None), response(cost=None), event("tool_call", decision=7), question(5),
        answer(7), answer(7, by=SYSTEM), event("pause", on=True), event("pause", on=False),
        event("cancel"), end(), end(outcome="failed"), event("step_end"), event("lease"),
        event("branch"), event("error"), event("steer"), event("resume", decision=8),
        replace(answer(7), edited={"by": ANA, "of": 7}),
    ]
)  # fmt: skip


@given(st.lists(moves, max_size=30), st.lists(moves, max_size=30))
def test_a_log_may_be_folded_in_parts(first: list[Event], second: list[Event]) -> None:
    whole = project(HeadState(), [*first, *second])
    head = project(HeadState(), first)
    tail = project(head.state, second)
    assert whole.state == tail.state
    assert whole.interrupts == head.interrupts + tail.interrupts
    assert whole.decisions == head.decisions + tail.decisions
    assert whole.consumed == head.consumed + tail.consumed


@given(st.lists(moves, max_size=40))
def test_counts_never_go_below_nothing(events: list[Event]) -> None:
    state = after(*events)
    assert state.pending >= 0
    assert state.inbox >= 0
    assert (state.outcome is not None) == state.ended
    assert (state.ended_at is not None) == state.ended


def test_a_first_message_opens_the_first_run() -> None:
    assert (started.status, started.run, started.inbox) == ("queued", 1, 0)


def test_a_loop_event_says_that_somebody_works() -> None:
    assert running.status == "running"


def test_a_message_to_a_running_session_opens_the_next_run_when_this_one_ends() -> None:
    busy = after(event("user_message", 4), state=running)
    assert (busy.status, busy.run, busy.inbox) == ("running", 1, 1)
    done = after(end(), state=busy)
    assert (done.status, done.run, done.inbox, done.outcome) == ("queued", 2, 0, None)


def test_a_message_to_an_ended_session_opens_the_next_run() -> None:
    done = after(end(), state=running)
    assert (done.status, done.answer, done.outcome) == ("finished", "42", "finished")
    again = after(event("user_message", 10), state=done)
    assert (again.status, again.run, again.answer, again.ended_at) == ("queued", 2, None, None)


def test_a_decision_wakes_who_waits_and_leaves_who_works() -> None:
    assert (waiting.status, waiting.pending) == ("waiting", 1)
    assert after(answer(6), state=waiting).status == "queued"
    assert after(answer(6), state=waiting).waiting_for is None
    busy = after(question(5), state=running)
    assert after(answer(6), state=busy).status == "running"


def test_a_paused_session_stays_paused_when_its_question_is_answered() -> None:
    paused = after(event("pause", on=True), state=waiting)
    assert after(answer(6), state=paused).status == "paused"
    assert after(answer(6), event("pause", on=False), state=paused).status == "queued"


@pytest.mark.parametrize("state", [started, waiting, after(event("pause", on=True), state=waiting)])
def test_a_cancel_queues_what_rests(state: HeadState) -> None:
    assert after(event("cancel"), state=state).status == "queued"


def test_a_cancel_leaves_what_works_or_has_ended() -> None:
    assert after(event("cancel"), state=running).status == "running"
    done = after(end(), state=running)
    assert after(event("cancel"), state=done) == done


def test_an_end_closes_open_questions() -> None:
    assert after(end(outcome="cancelled"), state=waiting).pending == 0


def test_unknown_usage_makes_the_sum_unknown_never_nothing() -> None:
    assert after(response(), response(), state=running).usage == Usage(20, 2, 0, 0)
    assert after(response(), response(), state=running).cost == Decimal("0.02")
    mixed = after(response(), response(tokens=None, cost=None), state=running)
    assert (mixed.usage.input, mixed.cost) == (None, None)


def test_a_cached_answer_uses_nothing() -> None:
    assert after(response(source="cache"), state=running).usage == NOTHING


def test_a_branch_starts_from_the_fork_with_nothing_spent() -> None:
    spent = after(response(), question(5), state=running)
    branched = after(event("branch", 6), state=spent.inherited())
    assert (branched.status, branched.pending, branched.usage) == ("queued", 0, NOTHING)


def test_a_question_becomes_a_row_of_the_agent_that_asks() -> None:
    (row,) = project(running, [question(5)]).interrupts
    assert (row.agent, row.tool, row.allowed) == ("desk", "refund", ("approve", "reject"))
    nested = question(5)
    nested.payload["address"] = "agent:lead/2;tool:ask:c3.0;agent:helper#2/0"
    assert project(running, [nested]).interrupts[0].agent == "helper"


def test_who_decided_makes_the_status() -> None:
    assert project(waiting, [answer(6)]).decisions[0].status == "decided"
    assert project(waiting, [answer(6, by=SYSTEM)]).decisions[0].status == "expired"


def test_an_edited_decision_answers_no_question_of_its_own_session() -> None:
    edited = replace(answer(6), edited={"by": ANA, "of": 6})
    assert project(waiting, [edited]).decisions == ()


def test_a_call_that_names_a_decision_consumes_it() -> None:
    assert project(waiting, [event("tool_call", 7, decision=6)]).consumed == (6,)
