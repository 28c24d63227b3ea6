"""Every append is fenced: by the head that the writer has read, and by its epoch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents_app.testing.log_store.scene import (
    Scene,
    chain,
    decision,
    end,
    message,
    request,
    response,
    start,
)
from playhead.core.errors import LogError
from playhead.core.events import GENESIS, rehash


class Fencing(Scene):
    """What may be written, and when."""

    def test_what_is_appended_is_read_back_byte_for_byte(self) -> None:
        seat = self.seat()
        stored = self.write(seat, start(), message("Hello"), request(), response("Hi"))
        assert self.store.read(seat.pk) == list(stored)

    def test_seqs_have_no_gap_and_hashes_chain(self) -> None:
        seat = self.started()
        for number in range(5):
            self.write(seat, request(), response(f"answer {number}"))
        events = self.store.read(seat.pk)
        assert [event.seq for event in events] == list(range(1, 13))
        prev = GENESIS
        for event in events:
            assert rehash(prev, event) == event.hash
            prev = event.hash
        head = self.store.head(seat.pk)
        assert (head.seq, head.hash) == (12, prev)

    def test_events_that_leave_a_gap_are_refused(self) -> None:
        seat = self.started()
        events = chain(seat.public_id, GENESIS, 7, [request()])
        with pytest.raises(LogError):
            replace(self.append(seat), events=events)
        assert self.store.head(seat.pk).seq == 2

    def test_a_writer_that_has_not_read_the_head_misses(self) -> None:
        seat = self.started()
        late = self.append(seat, request())
        self.write(seat, message("and order 8?"))
        assert self.store.append([late]) == [False]
        assert [event.event_type for event in self.store.read(seat.pk)] == [
            "session_start", "user_message", "user_message",
        ]  # fmt: skip

    def test_going_to_wait_misses_too_when_somebody_wrote(self) -> None:
        seat = self.started()
        waiting = self.resting(seat, "waiting", waiting_for="person")
        self.write(seat, message("wait!"))
        assert self.store.append([waiting]) == [False]
        assert self.store.head(seat.pk).state.status == "queued"

    def test_a_writer_of_a_former_epoch_misses(self) -> None:
        seat = self.started()
        (first,) = self.store.claim(owner="a", limit=1, ttl=30, only=seat.pk)
        zombie = self.append(seat, request(), epoch=first.epoch)
        self.store.release(seat.pk, first.epoch)
        (second,) = self.store.claim(owner="b", limit=1, ttl=30, only=seat.pk)
        assert second.epoch == first.epoch + 1
        assert self.store.append([zombie]) == [False]
        self.write(seat, request(), epoch=second.epoch)

    def test_a_person_needs_no_epoch(self) -> None:
        seat = self.started()
        self.store.claim(owner="a", limit=1, ttl=30, only=seat.pk)
        self.write(seat, message("one more thing"))

    def test_many_are_fenced_each_alone(self) -> None:
        seats = [self.started() for _ in range(5)]
        batch = [self.append(seat, request()) for seat in seats]
        self.write(seats[2], message("first"))
        assert self.store.append(batch) == [True, True, False, True, True]
        heads = [self.store.head(seat.pk).seq for seat in seats]
        assert heads == [3] * 5
        assert self.store.read(seats[2].pk, after=2)[0].event_type == "user_message"

    def test_more_than_a_statement_takes(self) -> None:
        seats = [self.seat() for _ in range(210)]
        batch = [self.append(seat, start()) for seat in seats]
        assert self.store.append(batch) == [True] * 210

    def test_a_miss_stores_nothing_of_its_append(self) -> None:
        seat = self.started()
        late = self.append(seat, request(), end("never"))
        self.write(seat, message("first"))
        assert self.store.append([late]) == [False]
        state = self.store.head(seat.pk).state
        assert (state.outcome, state.answer) == (None, None)

    def test_a_session_that_is_not_there_is_a_miss(self) -> None:
        seat = self.started()
        append = self.append(seat, request())
        self.store.erase(seat.pk)
        assert self.store.append([append]) == [False]

    def test_a_decision_without_a_question_is_a_miss(self) -> None:
        seat = self.started()
        assert self.store.append([self.append(seat, decision("no such"))]) == [False]
