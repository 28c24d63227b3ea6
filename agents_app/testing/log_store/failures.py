"""When the database says no, or says nothing: no append is lost and none is doubled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from agents_app.adapters.stores import AppendError
from agents_app.testing.log_store.scene import Scene, message, request

if TYPE_CHECKING:
    from collections.abc import Callable


class Failures(Scene):
    """Errors of the database."""

    def test_an_error_is_told_for_the_one_that_met_it(self) -> None:
        seats = [self.started() for _ in range(3)]
        batch = [self.append(seat, request()) for seat in seats]
        broken = replace(batch[1].events[0], hash=None)  # type: ignore[arg-type]
        batch[1] = replace(batch[1], events=(broken,))
        with pytest.raises(AppendError) as caught:
            self.store.append(batch)
        first, second, third = caught.value.results
        assert (first, third) == (True, True)
        assert isinstance(second, Exception)
        assert [self.store.head(seat.pk).seq for seat in seats] == [3, 2, 3]

    def test_one_that_cannot_be_laid_out_is_told_for_itself(self) -> None:
        """The others of its statement know nothing of it."""
        seats = [self.started() for _ in range(3)]
        batch = [self.append(seat, request()) for seat in seats]
        no_number: Any = "a lot"
        batch[1] = replace(batch[1], state=replace(batch[1].state, cost=no_number))
        with pytest.raises(AppendError) as caught:
            self.store.append(batch)
        first, second, third = caught.value.results
        assert (first, third) == (True, True)
        assert isinstance(second, Exception)

    def test_a_commit_whose_answer_was_lost_is_found_in_the_log(self) -> None:
        seats = [self.started() for _ in range(3)]
        batch = [self.append(seat, request()) for seat in seats]
        store = self.store
        with mock.patch.object(store, "together", _answer_lost(store)):
            assert store.append(batch) == [True, True, True]
        assert [len(store.read(seat.pk)) for seat in seats] == [3, 3, 3]

    def test_a_statement_that_never_arrived_is_sent_again(self) -> None:
        seats = [self.started() for _ in range(3)]
        batch = [self.append(seat, request()) for seat in seats]
        store = self.store
        with mock.patch.object(store, "together", _never_arrived(store)):
            assert store.append(batch) == [True, True, True]
        assert [len(store.read(seat.pk)) for seat in seats] == [3, 3, 3]

    def test_a_lost_answer_of_somebody_else_is_still_a_miss(self) -> None:
        seat = self.started()
        mine = self.append(seat, request())
        self.write(seat, message("first"))
        store = self.store
        with mock.patch.object(store, "together", _never_arrived(store)):
            assert store.append([mine]) == [False]

    def test_an_append_that_is_sent_twice_is_stored_once(self) -> None:
        seat = self.started()
        append = self.append(seat, request())
        assert self.store.append([append]) == [True]
        assert self.store.append([append]) == [True]
        assert self.store.head(seat.pk).seq == 3


def _answer_lost(store: Any) -> Callable[[Any], Any]:
    real = store.together

    def together(batch: Any) -> Any:
        real(batch)
        raise store.errors[0]("the connection was lost after COMMIT")

    return together


def _never_arrived(store: Any) -> Callable[[Any], Any]:
    def together(batch: Any) -> Any:
        raise store.errors[0]("the connection was lost before the statement")

    return together
