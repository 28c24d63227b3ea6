"""The database's clock, which decides what has expired (law 6): all workers tell one time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playhead.core.clock import Clock


class DatabaseClock:
    """What the database said at a claim, carried on by what has passed on this machine since.

    It never goes before the database's: what it calls expired is expired there.
    """

    __slots__ = ("_machine", "_since", "_then")

    def __init__(self, now: datetime, machine: Clock) -> None:
        self._then, self._machine = now, machine
        self._since = machine.monotonic()

    def now(self) -> datetime:
        """The database's time."""
        return self._then + timedelta(seconds=self._machine.monotonic() - self._since)

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return self._machine.monotonic()
