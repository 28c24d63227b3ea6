"""What the disk allows: the commits of one connection, measured in turns with what is compared."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE = 0.4
COMMITS_A_STEP = 2


@dataclass(slots=True)
class Rate:
    """Work per second over the slices in which it was its turn."""

    done: int = 0
    seconds: float = 0.0

    def turn(self, work: Callable[[], int]) -> None:
        """Repeat ``work`` for one slice of time; it says how much it did."""
        start = time.perf_counter()
        while time.perf_counter() - start < SLICE:
            self.done += work()
        self.seconds += time.perf_counter() - start

    @property
    def per_second(self) -> float:
        return self.done / self.seconds


def raw_commit() -> int:
    """The least that can be durable: one row of a kilobyte, by the driver alone."""
    raw = connection.connection
    mark = "%s" if connection.vendor == "postgresql" else "?"
    raw.execute(f"INSERT INTO bench_raw (data) VALUES ({mark})", (b"x" * 1000,))
    return 1


def raw_table() -> None:
    """Make the table of ``raw_commit``."""
    with connection.cursor() as cursor:
        kind = "bytea" if connection.vendor == "postgresql" else "blob"
        cursor.execute(f"CREATE TABLE IF NOT EXISTS bench_raw (data {kind})")
