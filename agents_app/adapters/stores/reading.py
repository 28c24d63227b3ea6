"""Reads that are the same SQL on both databases."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores import codec
from agents_app.adapters.stores.port import CheckpointRow, Claimed, Due, Head, HeaderRow
from agents_app.adapters.stores.rows import (
    EVENT_COLUMNS,
    HEAD_COLUMNS,
    HEADER_COLUMNS,
    aware,
    head_state,
    header_row,
    kinds_of,
    stored_event,
)
from agents_app.engine.log.lineage import segments
from playhead.core import canonical
from playhead.core.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from agents_app.engine.log.lineage import Segment
    from playhead.core.events import StoredEvent

_HEAD = ", ".join(f"h.{name}" for name in HEAD_COLUMNS)


class Reading:
    """The reading half of a log store. ``now`` is the database's clock in SQL."""

    now: str

    def query(self, text: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with ``%s`` placeholders and fetch its rows."""
        raise NotImplementedError

    def head(self, session: int) -> Head:
        """``LogStore.head``."""
        rows = self.query(
            f"""SELECT {_HEAD},
                  coalesce(h.status = 'running' AND h.lease_until <= {self.now}, false),
                  s.outcome, s.answer, s.error, s.ended_at
                FROM agents_head h JOIN agents_session s ON s.id = h.session_id
                WHERE h.session_id = %s""",
            (session,),
        )
        if not rows:
            raise _no_session()
        seq, digest, epoch, owner, attempts, cancel_seq, *rest = rows[0]
        lost, outcome, answer, error, ended_at = rest[-5:]
        state = replace(
            head_state(rest[:-5]),
            outcome=outcome,
            answer=answer,
            error=json.loads(error) if isinstance(error, str) else error,
            ended_at=aware(ended_at),
        )
        return Head(seq, bytes(digest), epoch, owner, attempts, cancel_seq, bool(lost), state)

    def read(
        self,
        session: int,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] | None = None,
        limit: int | None = None,
        blobs: bool = True,
    ) -> list[StoredEvent]:
        """``LogStore.read``."""
        names, parts, root = self._lineage(session, after, upto)
        rows = self._page(EVENT_COLUMNS, parts, types, limit)
        found = [stored_event(row, names) for row in rows]
        if not blobs or not any(stub for _, stub in found):
            return [event for event, _ in found]
        return [self._whole(event, root) if stub else event for event, stub in found]

    def headers(self, session: int, *, after: int = 0, limit: int = 5000) -> list[HeaderRow]:
        """``LogStore.headers``."""
        names, parts, _ = self._lineage(session, after, None)
        rows = self._page(HEADER_COLUMNS, parts, None, limit)
        return [header_row(row, names) for row in rows]

    def blob(self, root: int, sha256: bytes) -> bytes | None:
        """``LogStore.blob``."""
        rows = self.query(
            "SELECT data FROM agents_blob WHERE root_id = %s AND sha256 = %s", (root, sha256)
        )
        return codec.unpack(bytes(rows[0][0])) if rows else None

    def checkpoint(self, session: int, address: str, upto: int) -> CheckpointRow | None:
        """``LogStore.checkpoint``."""
        rows = self.query(
            """SELECT address, step, seq, state FROM agents_checkpoint
               WHERE session_id = %s AND address = %s AND seq <= %s ORDER BY step DESC LIMIT 1""",
            (session, address, upto),
        )
        if not rows:
            return None
        address, step, seq, state = rows[0]
        return CheckpointRow(address, step, seq, codec.unpack(bytes(state)))

    def due(self, *, limit: int) -> list[Due]:
        """``LogStore.due``."""
        rows = self.query(
            f"""SELECT session_id, id, seq, on_expiry, expires_at FROM agents_interrupt
                WHERE status = 'pending' AND expires_at <= {self.now}
                ORDER BY expires_at LIMIT %s""",
            (limit,),
        )
        return [Due(pk, name, seq, how, aware(at) or at) for pk, name, seq, how, at in rows]

    def _lineage(
        self, session: int, after: int, upto: int | None
    ) -> tuple[dict[int, str], list[Segment], int]:
        """Public ids by session, the segments to read, and the root."""
        rows = self.query(
            "SELECT public_id, lineage, coalesce(root_id, id) FROM agents_session WHERE id = %s",
            (session,),
        )
        if not rows:
            raise _no_session()
        public_id, lineage, root = rows[0]
        names = {session: public_id}
        pairs = json.loads(lineage) if isinstance(lineage, str) else lineage
        if pairs:
            marks = ", ".join(["%s"] * len(pairs))
            ancestors = [pk for pk, _ in pairs]
            names |= dict(
                self.query(
                    f"SELECT id, public_id FROM agents_session WHERE id IN ({marks})", ancestors
                )
            )
        return names, segments(session, pairs, after=after, upto=upto), root

    def _page(
        self,
        columns: Sequence[str],
        parts: Sequence[Segment],
        types: Collection[str] | None,
        limit: int | None,
    ) -> list[tuple[Any, ...]]:
        """One index range per segment, in order, until there are enough."""
        kinds = None if types is None else kinds_of(sorted(types))
        out: list[tuple[Any, ...]] = []
        for part in parts:
            left = None if limit is None else limit - len(out)
            if left is not None and left <= 0:
                break
            sql = (
                f"SELECT {', '.join(columns)} FROM agents_event WHERE session_id = %s AND seq > %s"
            )
            params: list[Any] = [part.session, part.after]
            if part.upto is not None:
                sql += " AND seq <= %s"
                params.append(part.upto)
            if kinds is not None:
                sql += f" AND kind IN ({', '.join(map(str, kinds)) or 'NULL'})"
            sql += " ORDER BY seq"
            if left is not None:
                sql += " LIMIT %s"
                params.append(left)
            out += self.query(sql, params)
        return out

    def _whole(self, event: StoredEvent, root: int) -> StoredEvent:
        stub = canonical.loads(event.body)["$blob"]
        return replace(event, blob=self.blob(root, bytes.fromhex(stub["sha256"])))


def claimed(row: Sequence[Any]) -> Claimed:
    """A row of ``(session, public id, released, now, HEAD_COLUMNS…)`` as a claim."""
    session, public_id, released, now, seq, digest, epoch, _owner, attempts, _, *state = row
    at = datetime.fromisoformat(f"{now}+00:00") if isinstance(now, str) else now
    return Claimed(
        session, public_id, at, epoch, seq, bytes(digest), attempts, not released,
        head_state(state),
    )  # fmt: skip


def _no_session() -> NotFound:
    return NotFound("There is no such session.")
