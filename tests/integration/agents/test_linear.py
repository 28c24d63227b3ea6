"""Bytes grow with what is new in a session, not with its length."""

from __future__ import annotations

import pytest

from tests.bench.sizes import measure

#: Of the bytes of each message once (U), and of ten times the steps.
MOST, GROWTH = 1.3, 10.5


@pytest.mark.django_db(transaction=True)
def test_k77_a_session_of_ten_times_the_steps_takes_ten_times_the_bytes() -> None:
    """W1 in a worker: all tables, indexes and large values, against its unique bytes U."""
    hundred, thousand = measure(100, more=4), measure(1000, more=1)
    assert thousand.stored <= GROWTH * hundred.stored
    assert thousand.stored <= MOST * thousand.unique
    for size in (hundred, thousand):  # one more session, in a database that holds one
        assert size.added <= MOST * size.unique
    assert thousand.added <= GROWTH * hundred.added
