"""The clock is a port: nothing below the adapters asks the machine for the time."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Wall time for stamps, monotonic time for durations."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary origin that never runs backwards."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


#: It has no state: one is enough.
SYSTEM_CLOCK = SystemClock()


class FrozenClock:
    """A clock for tests and replays: it stands still until it is moved."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    def advance(self, seconds: float) -> None:
        """Move the clock forward by ``seconds``."""
        self.at += timedelta(seconds=seconds)


_FORM = "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ"


def stamp(at: datetime) -> str:
    """The one form of a time in the log: UTC, six digits, ``Z``."""
    if at.tzinfo is not UTC:
        at = at.astimezone(UTC)
    # Half the time of isoformat, an eighth of strftime: every event has one.
    return _FORM % (
        at.year, at.month, at.day, at.hour, at.minute, at.second, at.microsecond
    )  # fmt: skip


def parse_stamp(text: str) -> datetime:
    """The time that ``stamp`` wrote; a ``ValueError`` for anything else."""
    if len(text) != len("2026-11-30T10:22:31.102345Z") or not text.endswith("Z"):
        raise ValueError(f"not a time of the log: {text!r}")
    return datetime.fromisoformat(text)
