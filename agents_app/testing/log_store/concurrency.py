"""Races with a barrier: exactly one winner."""

from __future__ import annotations

from agents_app.models import Interrupt
from agents_app.testing.log_store.scene import (
    Scene,
    at_once,
    decision,
    message,
    question,
)


class Concurrency(Scene):
    """Many at once."""

    def test_g7_fifty_deciders_one_decision(self) -> None:
        seat = self.started(question("q1"))

        def decide(number: int) -> bool:
            who = {"kind": "user", "id": f"user_{number}", "name": f"Person {number}"}
            choice = "approve" if number % 2 else "reject"
            while Interrupt.objects.get(pk="q1").status == "pending":
                if self.store.append([self.append(seat, decision("q1", choice, who=who))])[0]:
                    return True
            return False

        assert sum(at_once(50, decide)) == 1
        events = self.store.read(seat.pk)
        assert [event.event_type for event in events].count("decision") == 1
        row = Interrupt.objects.get(pk="q1")
        assert row.decided_by == events[-1].event().payload["by"]

    def test_g7_fifty_deciders_who_do_not_look_again(self) -> None:
        seat = self.started(question("q1"))
        appends = [
            self.append(seat, decision("q1", who={"kind": "user", "id": str(n), "name": "P"}))
            for n in range(50)
        ]
        won = at_once(50, lambda number: self.store.append([appends[number]])[0])
        assert sum(won) == 1
        assert self.store.head(seat.pk).seq == 4

    def test_twenty_claimers_one_owner(self) -> None:
        seat = self.started()
        claims = at_once(
            20, lambda n: self.store.claim(owner=f"w{n}", limit=5, ttl=30, only=seat.pk)
        )
        assert sum(len(claimed) for claimed in claims) == 1
        assert self.store.head(seat.pk).epoch == 1

    def test_twenty_sweeps_share_what_is_runnable(self) -> None:
        seats = {self.started().pk for _ in range(30)}
        claims = at_once(20, lambda n: self.store.claim(owner=f"w{n}", limit=3, ttl=30))
        taken = [claimed.session for found in claims for claimed in found]
        assert len(taken) == len(set(taken))
        assert set(taken) <= seats
        assert all(len(found) <= 3 for found in claims)

    def test_writers_of_one_session_leave_no_gap(self) -> None:
        seat = self.started()

        def write(number: int) -> int:
            written = 0
            while written < 5:
                append = self.append(seat, message(f"{number}/{written}"))
                written += self.store.append([append])[0]
            return written

        assert sum(at_once(8, write)) == 40
        seqs = [event.seq for event in self.store.read(seat.pk)]
        assert seqs == list(range(1, 43))
