"""Bytes grow with what is new in a session, not with its length."""

from __future__ import annotations

import pytest

from tests.bench.sizes import measure


@pytest.mark.django_db(transaction=True)
def test_k77_a_session_of_ten_times_the_steps_takes_ten_times_the_bytes() -> None:
    """W1 through the store: all tables, indexes and large values, against its unique bytes U."""
    hundred, thousand = measure(100), measure(1000)
    assert thousand.stored / hundred.stored <= 10.5
    assert thousand.stored <= 1.3 * thousand.unique
