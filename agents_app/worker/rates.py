"""Rates in the database, where all worker processes count together: one statement for each."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import DatabaseError, connection
from django.db.models import F

from agents_app.engine.budgets.rates import wait_of
from agents_app.models import Rate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

logger = logging.getLogger(__name__)
_TABLE = Rate._meta.db_table
#: SQLite has no GREATEST; the row's lock makes one of two who come at once wait for the other.
_TAKE = (
    f"INSERT INTO {_TABLE} AS held (name, until) VALUES (%s, %s) "  # noqa: S608  no input
    "ON CONFLICT (name) DO UPDATE SET "
    "until = CASE WHEN held.until > %s THEN held.until ELSE %s END + %s RETURNING until"
)


class WorkspaceRates:
    """The rates of one workspace. A database that is away limits nothing: nothing runs then."""

    def __init__(self, workspace: str, in_thread: Callable[..., Awaitable[Any]]) -> None:
        self._prefix, self._in_thread = f"{workspace}.", in_thread

    async def take(self, claims: Mapping[str, float], *, now: float) -> float:
        """Take seconds of each name; returns after how many seconds all of them are there."""
        try:
            return wait_of(await self._in_thread(self._take, claims, now), now)
        except DatabaseError as error:
            logger.warning("A rate limit could not be counted: %s", error)
            return 0.0

    async def give(self, claims: Mapping[str, float]) -> None:
        """Give seconds back."""
        try:
            await self._in_thread(self._give, claims)
        except DatabaseError as error:
            logger.warning("A rate limit could not be counted: %s", error)

    def _take(self, claims: Mapping[str, float], now: float) -> list[float]:
        until = []
        with connection.cursor() as cursor:
            for name, seconds in sorted(claims.items()):
                at = self._prefix + name
                cursor.execute(_TAKE, [at, now + seconds, now, now, seconds])
                until.append(float(cursor.fetchone()[0]))
        return until

    def _give(self, claims: Mapping[str, float]) -> None:
        for name, seconds in sorted(claims.items()):
            Rate.objects.filter(pk=self._prefix + name).update(until=F("until") - seconds)
