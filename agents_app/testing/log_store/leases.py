"""Claim, renew, release: one owner at a time, by the database's clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agents_app.models import Head
from agents_app.testing.log_store.scene import Scene, end, question, request, response
from playhead.core.events import Draft

if TYPE_CHECKING:
    from agents_app.adapters.stores import Claimed
    from agents_app.testing.log_store.scene import Seat

LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)
NEVER = datetime(2999, 1, 1, tzinfo=UTC)


class Leases(Scene):
    """Who works on what."""

    def claim(self, seat: Seat, owner: str = "a", ttl: float = 30) -> list[Claimed]:
        return self.store.claim(owner=owner, limit=10, ttl=ttl, only=seat.pk)

    def claim_when_over(self, seat: Seat, owner: str) -> Claimed:
        """Claim as soon as the former lease is over."""
        while True:
            if found := self.claim(seat, owner):
                return found[0]

    def test_a_queued_session_is_claimed_once(self) -> None:
        seat = self.started()
        (claimed,) = self.claim(seat)
        assert (claimed.session, claimed.public_id) == (seat.pk, seat.public_id)
        assert (claimed.epoch, claimed.seq, claimed.attempts) == (1, 2, 1)
        assert not claimed.abandoned
        assert claimed.state.status == "running"
        assert self.claim(seat, "b") == []

    def test_a_limit_is_kept(self) -> None:
        for _ in range(4):
            self.started()
        assert len(self.store.claim(owner="a", limit=3, ttl=30)) == 3
        assert len(self.store.claim(owner="b", limit=3, ttl=30)) == 1

    def test_an_owner_that_died_is_followed_when_its_lease_is_over(self) -> None:
        seat = self.started()
        (first,) = self.claim(seat, ttl=0.2)
        second = self.claim_when_over(seat, "b")
        assert (second.epoch, second.abandoned, second.attempts) == (2, True, 2)
        zombie = self.append(seat, request(), epoch=first.epoch)
        assert self.store.append([zombie]) == [False]
        assert self.store.renew(owner="a", sessions=[(seat.pk, first.epoch)], ttl=30) == {}

    def test_an_owner_that_died_is_shown_as_lost(self) -> None:
        seat = self.started()
        self.claim(seat, ttl=0)
        assert self.store.head(seat.pk).lost

    def test_a_lease_that_is_given_back_is_no_crash(self) -> None:
        seat = self.started()
        (first,) = self.claim(seat)
        self.store.release(seat.pk, first.epoch)
        (second,) = self.claim(seat, "b")
        assert (second.abandoned, second.attempts) == (False, 1)
        self.store.release(seat.pk, second.epoch, tried=True)
        (third,) = self.claim(seat, "c")
        assert (third.abandoned, third.attempts) == (False, 2)

    def test_a_release_by_a_former_owner_changes_nothing(self) -> None:
        seat = self.started()
        (first,) = self.claim(seat, ttl=0)
        second = self.claim_when_over(seat, "b")
        self.store.release(seat.pk, first.epoch)
        assert self.store.head(seat.pk).owner == "b"
        assert self.store.renew(owner="b", sessions=[(seat.pk, second.epoch)], ttl=30)

    def test_renew_tells_the_heads_of_what_is_still_ours(self) -> None:
        seats = [self.started() for _ in range(3)]
        leases = [(seat.pk, self.claim(seat)[0].epoch) for seat in seats]
        self.store.release(*leases[1])
        self.write(seats[2], question("q"))
        kept = self.store.renew(owner="a", sessions=leases, ttl=30)
        assert kept == {seats[0].pk: 2, seats[2].pk: 3}
        assert self.store.renew(owner="a", sessions=[], ttl=30) == {}

    def test_renew_makes_the_lease_longer(self) -> None:
        seat = self.started()
        (mine,) = self.claim(seat, ttl=0)
        self.store.renew(owner="a", sessions=[(seat.pk, mine.epoch)], ttl=30)
        assert not self.store.head(seat.pk).lost
        assert self.claim(seat, "b") == []

    def test_going_to_wait_gives_the_lease_back(self) -> None:
        seat = self.started()
        (mine,) = self.claim(seat)
        self.write(seat, question("q"), epoch=mine.epoch)
        waiting = self.resting(seat, "waiting", waiting_for="person", epoch=mine.epoch)
        assert self.store.append([waiting]) == [True]
        head = self.store.head(seat.pk)
        assert (head.owner, head.state.status, head.state.waiting_for) == (
            None,
            "waiting",
            "person",
        )
        assert head.seq == 3
        assert self.claim(seat, "b") == []

    def test_waiting_for_time_ends_by_the_clock_of_the_database(self) -> None:
        seat, other = self.started(), self.started()
        for waiting, due in ((seat, LONG_AGO), (other, NEVER)):
            (mine,) = self.claim(waiting)
            rest = self.resting(waiting, "waiting", waiting_for="time", due=due, epoch=mine.epoch)
            assert self.store.append([rest]) == [True]
        assert self.store.head(other.pk).state.due_at == NEVER
        (again,) = self.store.claim(owner="b", limit=10, ttl=30)
        assert again.session == seat.pk
        assert (again.state.waiting_for, again.state.due_at) == (None, None)

    def test_who_has_waited_longest_is_claimed_first(self) -> None:
        seats = [self.started() for _ in range(3)]
        self.write(seats[0], request())
        self.write(seats[0], Draft("pause", {"on": True}), Draft("pause", {"on": False}))
        (first,) = self.store.claim(owner="a", limit=1, ttl=30)
        assert first.session == seats[1].pk

    def test_paused_and_ended_sessions_are_not_claimed(self) -> None:
        paused, ended = self.started(), self.started()
        self.store.append([self.resting(paused, "paused")])
        self.write(ended, end())
        assert self.store.claim(owner="a", limit=10, ttl=30) == []

    def test_attempts_count_until_something_comes_of_one(self) -> None:
        seat = self.started()
        for attempt in (1, 2, 3):
            claimed = self.claim_when_over(seat, f"w{attempt}") if attempt > 1 else None
            mine = claimed or self.claim(seat, ttl=0)[0]
            assert mine.attempts == attempt
            self.write(seat, request(), epoch=mine.epoch)
            self.store.renew(owner=f"w{attempt}", sessions=[(seat.pk, mine.epoch)], ttl=0)
        self.write(seat, response("at last"), epoch=mine.epoch)
        assert self.store.head(seat.pk).attempts == 0

    def test_a_session_that_was_tried_a_thousand_times_stops_no_claim(self) -> None:
        seat, other = self.started(), self.started()
        Head.objects.filter(session_id=seat.pk).update(attempts=32767)
        taken = self.store.claim(owner="a", limit=10, ttl=30)
        assert {claimed.session for claimed in taken} == {seat.pk, other.pk}
        assert self.store.head(seat.pk).attempts == 1000
