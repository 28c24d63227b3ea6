"""What only PostgreSQL does: heads are locked one by one, and a locked one is passed over."""

import threading

import pytest
from django.db import connection, transaction

from agents_app.adapters.stores import log_store
from agents_app.models import Head
from agents_app.testing.log_store.scene import Scene, at_once, request

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

BLOCKED = """SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'"""


def test_a_locked_head_delays_its_own_append_only() -> None:
    """Somebody holds one head: the others get through, and it does when the lock is gone."""
    scene = Scene()
    seats = [scene.started() for _ in range(3)]
    batch = [scene.append(seat, request()) for seat in seats]
    held, go = threading.Event(), threading.Event()

    def hold() -> list[bool]:
        with transaction.atomic():
            Head.objects.select_for_update().get(pk=seats[1].pk)
            held.set()
            assert go.wait(timeout=30)
        return []

    def append() -> list[bool]:
        assert held.wait(timeout=30)
        return log_store().append(batch)

    def watch() -> list[bool]:
        """Lets go as soon as only the locked one is left to wait for."""
        with connection.cursor() as cursor:
            blocked = 0
            while not blocked:
                cursor.execute(BLOCKED)
                (blocked,) = cursor.fetchone()
        heads = [log_store().head(seat.pk).seq for seat in seats]
        go.set()
        assert heads == [3, 2, 3]
        return []

    work = [hold, append, watch]
    assert at_once(3, lambda number: work[number]())[1] == [True, True, True]
    assert [log_store().head(seat.pk).seq for seat in seats] == [3, 3, 3]


def test_a_locked_head_costs_no_other_its_lease() -> None:
    """Somebody holds one head: the others are renewed at once, and that one is not called lost."""
    scene, store = Scene(), log_store()
    seats = [scene.started() for _ in range(4)]
    leases = [
        (seat.pk, store.claim(owner="a", limit=1, ttl=30, only=seat.pk)[0].epoch) for seat in seats
    ]
    store.release(*leases[3])
    held, go = threading.Event(), threading.Event()

    def hold() -> object:
        with transaction.atomic():
            Head.objects.select_for_update().get(pk=seats[1].pk)
            held.set()
            assert go.wait(timeout=30)
        return None

    def renew() -> object:
        assert held.wait(timeout=30)
        kept = store.renew(owner="a", sessions=leases, ttl=30)
        go.set()
        return kept

    assert at_once(2, lambda number: (hold, renew)[number]())[1] == {
        seats[0].pk: 2,
        seats[1].pk: None,
        seats[2].pk: 2,
    }


def test_an_append_works_inside_a_transaction() -> None:
    """A service makes a session and its first events in one transaction, or none of it."""
    scene = Scene()
    with transaction.atomic():
        seat = scene.started()
    assert log_store().head(seat.pk).seq == 2


def test_a_column_that_a_newer_release_adds_stops_no_append() -> None:
    """During a rolling upgrade the table changes under a worker that runs."""
    scene = Scene()
    seat = scene.started()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE agents_event ADD COLUMN newer integer")
    try:
        scene.write(seat, request())
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE agents_event DROP COLUMN newer")
    scene.write(seat, request())
    assert log_store().head(seat.pk).seq == 4
