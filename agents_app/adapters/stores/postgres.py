"""The log in PostgreSQL."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import psycopg
from django.db import DatabaseError, connection

from agents_app.adapters.stores.batch import rows_of
from agents_app.adapters.stores.pgappend import statement
from agents_app.adapters.stores.pglane import PostgresLane
from agents_app.adapters.stores.pglayout import forget_layouts, layout_of
from agents_app.adapters.stores.pgwire import Wire, cursor, ids
from agents_app.adapters.stores.reading import Reading, claimed
from agents_app.adapters.stores.rows import HEAD_COLUMNS, MOST_ATTEMPTS
from agents_app.adapters.stores.writing import Writing

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Sequence

    from agents_app.adapters.stores.port import Append, Claimed

#: Statements are prepared from their second use on: planning costs as much as running them.
_PREPARE_AFTER = 1

_RUNNABLE = """(
    h.status IN ('queued', 'running') OR (h.status = 'waiting' AND h.due_at <= clock_timestamp())
  ) AND (h.owner IS NULL OR h.lease_until <= clock_timestamp())"""


class PostgresLogStore(Reading, Writing):
    """``LogStore`` on Django's connection, with psycopg's cursors: binary, bound on the server."""

    now = "clock_timestamp()"
    errors = (psycopg.Error, DatabaseError)

    def broken(self) -> bool:
        return connection.connection is None or bool(connection.connection.broken)

    def lane(self, loop: AbstractEventLoop) -> PostgresLane:
        """``LogStore.lane``."""
        raw = self._raw()
        return PostgresLane(loop, raw, layout_of(raw))

    def query(self, text: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._execute(_numbered(text), params, prepare=None)

    def _execute(
        self, sql: str | bytes, params: Sequence[Any], *, prepare: bool | None
    ) -> list[tuple[Any, ...]]:
        raw = self._raw()
        raw.prepare_threshold = _PREPARE_AFTER
        cur = cursor(raw)
        cur.execute(sql, params, prepare=prepare)
        return cur.fetchall() if cur.description else []

    def _raw(self) -> psycopg.Connection[Any]:
        connection.ensure_connection()
        raw: psycopg.Connection[Any] = connection.connection
        return raw

    def _append(self, batch: Sequence[Append], *, prepare: bool | None) -> list[tuple[Any, ...]]:
        raw = self._raw()
        sql, params = statement(rows_of(batch), layout_of(raw))
        wires = [param if param is None else Wire(param) for param in params]
        try:
            return self._execute(sql, wires, prepare=prepare)
        except psycopg.Error:
            forget_layouts()  # they may be what was wrong, and a pool keeps its connections
            raise

    def together(self, batch: Sequence[Append]) -> dict[int, bool]:
        moved = dict(self._append(batch, prepare=None))
        return moved if len(batch) > 1 else {batch[0].session: bool(moved)}

    def alone(self, append: Append) -> bool:
        """Waits for the head's lock, and prepares nothing: a pooler may lose what is prepared."""
        return bool(self._append([append], prepare=False))

    def claim(
        self, *, owner: str, limit: int, ttl: float, only: int | None = None
    ) -> list[Claimed]:
        """``LogStore.claim``."""
        one = "" if only is None else "AND h.session_id = %s"
        head = ", ".join(f"h.{name}" for name in HEAD_COLUMNS)
        rows = self.query(
            f"""WITH free AS MATERIALIZED (
                  SELECT h.session_id, h.released FROM agents_head h
                  WHERE {_RUNNABLE} {one} ORDER BY h.updated_at LIMIT %s FOR UPDATE SKIP LOCKED)
                UPDATE agents_head h SET
                  epoch = h.epoch + 1, owner = %s, released = false,
                  attempts = least(h.attempts + 1, {MOST_ATTEMPTS}),
                  lease_until = clock_timestamp() + make_interval(secs => %s),
                  status = 'running', waiting_for = NULL, due_at = NULL,
                  updated_at = clock_timestamp()
                FROM free JOIN agents_session s ON s.id = free.session_id
                WHERE h.session_id = free.session_id
                RETURNING h.session_id, s.public_id, free.released, clock_timestamp(), {head}""",
            (*(() if only is None else (only,)), limit, owner, float(ttl)),
        )
        return [claimed(row) for row in rows]

    def renew(
        self, *, owner: str, sessions: Sequence[tuple[int, int]], ttl: float
    ) -> dict[int, int | None]:
        """``LogStore.renew``. It waits for nobody: one locked head would cost all the others."""
        if not sessions:
            return {}
        pks, epochs = zip(*sessions, strict=True)
        rows = self.query(
            """WITH mine AS (
                  SELECT * FROM unnest(%s::text::bigint[], %s::text::int[]) AS x(pk, epoch)),
                locked AS MATERIALIZED (
                  SELECT h.session_id, h.epoch, h.owner FROM agents_head h
                  WHERE h.session_id = ANY (%s::text::bigint[]) ORDER BY h.session_id
                  FOR UPDATE SKIP LOCKED),
                renewed AS (
                  UPDATE agents_head h
                  SET lease_until = clock_timestamp() + make_interval(secs => %s)
                  FROM mine JOIN locked ON locked.session_id = mine.pk
                  WHERE h.session_id = mine.pk AND locked.epoch = mine.epoch AND locked.owner = %s
                  RETURNING h.session_id, h.seq)
                SELECT mine.pk, renewed.seq FROM mine
                JOIN agents_head h ON h.session_id = mine.pk
                LEFT JOIN locked ON locked.session_id = mine.pk
                LEFT JOIN renewed ON renewed.session_id = mine.pk
                WHERE renewed.seq IS NOT NULL
                  OR locked.session_id IS NULL AND h.epoch = mine.epoch AND h.owner = %s""",
            (Wire(ids(pks)), Wire(ids(epochs)), Wire(ids(pks)), float(ttl), owner, owner),
        )
        return dict(rows)


@cache
def _numbered(text: str) -> str:
    """``%s`` placeholders as ``$1``, ``$2``…"""
    first, *rest = text.split("%s")
    return first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))
