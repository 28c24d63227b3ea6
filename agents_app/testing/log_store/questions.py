"""Interrupts and decisions: rows that follow the log, decided once, consumed once, in time."""

from __future__ import annotations

from agents_app.models import Interrupt
from agents_app.testing.log_store.scene import (
    ADDRESS,
    ANA,
    Scene,
    call,
    decision,
    end,
    question,
)

PAST = "2001-01-01T00:00:00.000000Z"
FUTURE = "2999-01-01T00:00:00.000000Z"
SYSTEM = {"kind": "system", "id": "expiry", "name": "expiry"}


class Questions(Scene):
    """What a person is asked, and what comes of it."""

    def test_a_question_is_a_row(self) -> None:
        seat = self.started(question("q1", expires_at=FUTURE))
        row = Interrupt.objects.get(pk="q1")
        assert (row.session_id, row.seq, row.status, row.agent) == (seat.pk, 3, "pending", "desk")
        assert (row.address, row.tool, row.allowed) == (
            ADDRESS,
            "issue_refund",
            ["approve", "reject"],
        )
        assert self.store.head(seat.pk).state.pending == 1

    def test_a_decision_fills_the_row(self) -> None:
        seat = self.started(question("q1"))
        self.write(seat, decision("q1"))
        row = Interrupt.objects.get(pk="q1")
        assert (row.status, row.decision, row.decision_seq) == ("decided", "approve", 4)
        assert row.decided_by == ANA
        assert row.decided_at is not None
        assert row.consumed_at is None

    def test_a_second_decision_misses_even_with_the_head_read(self) -> None:
        seat = self.started(question("q1"))
        self.write(seat, decision("q1"))
        assert self.store.append([self.append(seat, decision("q1", "reject"))]) == [False]
        assert Interrupt.objects.get(pk="q1").decision == "approve"
        assert self.store.head(seat.pk).seq == 4

    def test_g7_a_decision_after_expiry_misses(self) -> None:
        seat = self.started(question("q1", expires_at=PAST))
        assert self.store.append([self.append(seat, decision("q1"))]) == [False]
        self.write(seat, decision("q1", "reject", who=SYSTEM))
        assert Interrupt.objects.get(pk="q1").status == "expired"

    def test_what_is_due_is_found_by_the_clock_of_the_database(self) -> None:
        seat = self.started(question("q1", expires_at=PAST), question("q2", expires_at=FUTURE))
        (due,) = self.store.due(limit=10)
        assert (due.session, due.interrupt, due.seq, due.on_expiry) == (seat.pk, "q1", 3, "reject")
        self.write(seat, decision("q1", "reject", who=SYSTEM))
        assert self.store.due(limit=10) == []

    def test_g7_a_decision_is_consumed_once(self) -> None:
        seat = self.started(question("q1"))
        self.write(seat, decision("q1"))
        self.write(seat, call(decided=4))
        assert Interrupt.objects.get(pk="q1").consumed_at is not None
        assert self.store.append([self.append(seat, call(decided=4))]) == [False]
        assert self.store.head(seat.pk).seq == 5

    def test_g7_a_decision_that_is_used_at_once_is_consumed(self) -> None:
        """A question that was asked before is answered, and its call begins, in one append."""
        seat = self.started(question("q1"))
        self.write(seat, decision("q1"), call(decided=4))
        row = Interrupt.objects.get(pk="q1")
        assert (row.status, row.decision_seq) == ("decided", 4)
        assert row.consumed_at is not None
        assert self.store.append([self.append(seat, call(decided=4))]) == [False]

    def test_an_end_closes_what_is_open(self) -> None:
        seat = self.started(question("q1"), question("q2"))
        self.write(seat, decision("q1"))
        self.write(seat, end(None, "cancelled"))
        assert Interrupt.objects.get(pk="q1").status == "decided"
        assert Interrupt.objects.get(pk="q2").status == "cancelled"

    def test_a_whole_story_in_one_append(self) -> None:
        """An import brings question, answer, use and end at once."""
        seat = self.started(
            question("q1"), question("q2"), decision("q1"), call(decided=5), end("refunded")
        )
        first, second = Interrupt.objects.get(pk="q1"), Interrupt.objects.get(pk="q2")
        assert (first.status, first.decision_seq) == ("decided", 5)
        assert first.consumed_at is not None
        assert (second.status, second.consumed_at) == ("cancelled", None)
        state = self.store.head(seat.pk).state
        assert (state.status, state.answer, state.pending) == ("finished", "refunded", 0)
