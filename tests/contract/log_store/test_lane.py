"""What the event loop appends by itself keeps the demands that the store keeps."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction

from agents_app.adapters.stores import Append, log_store
from agents_app.models import Head
from agents_app.testing.log_store.fencing import Fencing
from agents_app.testing.log_store.keeping import Keeping
from agents_app.testing.log_store.questions import Questions
from agents_app.testing.log_store.scene import Scene, at_once, request

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@contextmanager
def lane() -> Iterator[Any]:
    """A lane and how to hear what became of a batch."""
    loop = asyncio.new_event_loop()
    opened: Any = log_store().lane(loop)

    def send(batch: Sequence[Append]) -> Any:
        heard = loop.create_future()
        sent = opened.send(batch, heard.set_result)
        return loop.run_until_complete(heard) if sent else None

    try:
        yield send
    finally:
        opened.leave()
        loop.close()


class OnALane:
    """The product's store, whose appends take the lane first, as the worker's do."""

    def __getattr__(self, name: str) -> Any:
        return getattr(log_store(), name)

    def append(self, batch: Sequence[Append]) -> list[bool]:
        with lane() as send:
            moved = send(batch) or set()
        left = [append for append in batch if append.session not in moved]
        rest = iter(log_store().append(left))
        return [append.session in moved or next(rest) for append in batch]


class TestAppendsOnALane(Fencing, Questions, Keeping):
    """The demands that appends have to keep."""

    def make_store(self) -> Any:
        return OnALane()


def test_the_lane_says_who_was_moved() -> None:
    scene = Scene()
    seats = [scene.started() for _ in range(3)]
    late = scene.append(seats[1], request())
    scene.write(seats[1], request())
    batch = [scene.append(seats[0], request()), late, scene.append(seats[2], request())]
    with lane() as send:
        assert send(batch) == {seats[0].pk, seats[2].pk}
        assert send([scene.append(seats[1], request())]) == {seats[1].pk}
        assert send([late]) == set()


def test_a_head_that_somebody_holds_is_passed_over() -> None:
    scene = Scene()
    seats = [scene.started() for _ in range(2)]
    batch = [scene.append(seat, request()) for seat in seats]

    def hold(_number: int) -> Any:
        """Another connection has the lock while the lane sends from this thread."""
        with transaction.atomic():
            Head.objects.select_for_update().get(pk=seats[0].pk)
            return at_once(1, append)[0]

    def append(_number: int) -> Any:
        with lane() as send:
            return send(batch)

    assert at_once(1, hold) == [{seats[1].pk}]


def test_a_connection_that_is_lost_leaves_it_to_the_store() -> None:
    scene = Scene()
    seat = scene.started()
    append = scene.append(seat, request())
    with lane() as send:
        backend = connection.connection.info.backend_pid

        def end(_number: int) -> None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s)", [backend])

        at_once(1, end)
        assert send([append]) is None
    assert log_store().append([append]) == [True]
    assert log_store().head(seat.pk).seq == 3
