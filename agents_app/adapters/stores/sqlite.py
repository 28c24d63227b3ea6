"""The log in SQLite: one ``BEGIN IMMEDIATE`` transaction for a batch (3.40 has no writing CTE)."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError, connection

from agents_app.adapters.stores import sqlite_append as sql
from agents_app.adapters.stores.batch import rows_of
from agents_app.adapters.stores.reading import Reading, claimed
from agents_app.adapters.stores.rows import HEAD_COLUMNS
from agents_app.adapters.stores.writing import Writing

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Iterator, Sequence

    from agents_app.adapters.stores.batch import Rows
    from agents_app.adapters.stores.port import Append, Claimed


class SqliteLogStore(Reading, Writing):
    """``LogStore`` on Django's connection, with sqlite3's own cursors."""

    now = sql.NOW
    errors = (sqlite3.Error, DatabaseError)

    def broken(self) -> bool:
        """A file has no connection to lose; a lock that was waited for in vain stays an error."""
        return False

    def lane(self, loop: AbstractEventLoop) -> None:
        """``LogStore.lane``: a file is read and written by calls that block."""

    def query(self, text: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._execute(text.replace("%s", "?"), params)

    def _execute(self, text: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._raw().execute(text, [_value(value) for value in params]).fetchall()

    def _raw(self) -> sqlite3.Connection:
        connection.ensure_connection()
        raw: sqlite3.Connection = connection.connection
        return raw

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Begins with the write lock, so that what is read here is the truth at commit."""
        raw = self._raw()
        if connection.in_atomic_block:
            yield raw
            return
        raw.execute("BEGIN IMMEDIATE")
        try:
            yield raw
            raw.execute("COMMIT")
        except BaseException:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise

    def together(self, batch: Sequence[Append]) -> dict[int, bool]:
        return self._commit(batch)

    def alone(self, append: Append) -> bool:
        return self._commit([append])[append.session]

    def _commit(self, batch: Sequence[Append]) -> dict[int, bool]:
        # Laid out and compressed before the lock is taken: others may write meanwhile.
        laid = [(append.session, rows_of([append])) for append in batch]
        with self._transaction() as raw:
            return {session: self._one(raw, rows) for session, rows in laid}

    def _one(self, raw: sqlite3.Connection, rows: Rows) -> bool:
        for fence, name, places in sql.FENCES:
            for row in getattr(rows, name):
                if self._execute(fence, [row[place] for place in places]):
                    return False
        head = [_value(value) for value in rows.heads[0]]
        if raw.execute(sql.MOVE, head).rowcount != 1:
            return False
        raw.execute(sql.STATUS, (head[0], head[5], head[7]))
        for statement, name in sql.WRITES:
            found = getattr(rows, name)
            if found and name not in sql.TIMELESS:
                found = [[_value(value) for value in row] for row in found]
            if found:
                raw.executemany(statement, found)
        return True

    def claim(
        self, *, owner: str, limit: int, ttl: float, only: int | None = None
    ) -> list[Claimed]:
        """``LogStore.claim``."""
        head = ", ".join(f"h.{name}" for name in HEAD_COLUMNS)
        one = "" if only is None else "AND h.session_id = ?"
        found = f"""SELECT h.session_id, s.public_id, h.released, {head}
            FROM agents_head h JOIN agents_session s ON s.id = h.session_id
            WHERE {sql.RUNNABLE} {one} ORDER BY h.updated_at LIMIT ?"""
        params = (*(() if only is None else (only,)), limit)
        if not self._execute(found, params):
            return []  # most sweeps find nothing: they need not wait for the write lock
        with self._transaction():
            free = self._execute(found, params)
            taken = {row[0]: row for row in free}
            marks = ", ".join("?" * len(taken))
            rows = self._execute(
                f"""UPDATE agents_head AS h SET {sql.CLAIM} WHERE session_id IN ({marks})
                    RETURNING session_id, {sql.NOW}, {", ".join(HEAD_COLUMNS)}""",
                (owner, f"+{ttl:.3f} seconds", *taken),
            )
        return [claimed((*taken[row[0]][:3], *row[1:])) for row in rows]

    def renew(
        self, *, owner: str, sessions: Sequence[tuple[int, int]], ttl: float
    ) -> dict[int, int | None]:
        """``LogStore.renew``."""
        if not sessions:
            return {}
        out: dict[int, int | None] = {}
        with self._transaction():
            for session, epoch in sessions:
                out |= dict(
                    self._execute(sql.RENEW, (f"+{ttl:.3f} seconds", session, epoch, owner))
                )
        return out


def _value(value: Any) -> Any:
    """Times are text in UTC without a zone, as Django writes them."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return value
