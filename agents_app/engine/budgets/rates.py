"""Rates: so much a minute of something, counted by whoever shares the count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

#: What was not used is kept for so long (seconds): a minute's worth may go at once.
WINDOW = 60.0


class Rates(Protocol):
    """Hands out time: what is let through takes some of it, and has a place that stays its own."""

    async def take(self, claims: Mapping[str, float], *, now: float) -> float:
        """Take seconds of each name; returns after how many seconds all of them are there."""
        ...

    async def give(self, claims: Mapping[str, float]) -> None:
        """Give seconds back; where more was used than was taken they are negative."""
        ...


class MemoryRates:
    """Counted in this process."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    async def take(self, claims: Mapping[str, float], *, now: float) -> float:
        """As the port says."""
        for name, seconds in claims.items():
            self._until[name] = max(self._until.get(name, now), now) + seconds
        return wait_of([self._until[name] for name in claims], now)

    async def give(self, claims: Mapping[str, float]) -> None:
        """As the port says."""
        for name, seconds in claims.items():
            self._until[name] = self._until.get(name, 0.0) - seconds


def wait_of(until: list[float], now: float) -> float:
    """How long it is until what fills the time up to then has its place."""
    return max([0.0, *(each - now - WINDOW for each in until)])
