"""The append statement of PostgreSQL: one statement for up to 200 sessions, each fenced alone.

Its first CTE locks the heads in the order of their ids and skips those that somebody else has
locked; what it returns of them is their newest state, so the fence is compared with the truth and
not with the snapshot. Everything that is written joins the heads that were moved.
"""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from agents_app.adapters.stores.pgarrays import Columns
from agents_app.adapters.stores.pglayout import NONE, NULLABLE
from agents_app.adapters.stores.pgwire import ENCODE, ids, place, scalars
from agents_app.adapters.stores.rows import EVENT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.adapters.stores.batch import Rows
    from agents_app.adapters.stores.pglayout import Layout


class Part(NamedTuple):
    """A table of the batch: its columns with their types, a fence of its own, what it writes."""

    columns: Columns
    action: str
    fence: str


def _part(kinds: dict[str, str], action: str, fence: str = "") -> Part:
    return Part(Columns(kinds), action, fence)


_HEAD = {
    "session_id": "bigint", "expected": "int", "epoch": "int", "seq": "int", "hash": "bytea",
    "status": "text", "waiting_for": "text", "due_at": "timestamptz", "run": "int",
    "inbox": "int", "pending": "int", "tokens_input": "bigint", "tokens_output": "bigint",
    "tokens_cached": "bigint", "tokens_reasoning": "bigint", "cost": "text",
    "release": "bool", "progress": "bool", "cancel_seq": "int",
}  # fmt: skip

HEADS = Columns(_HEAD)
_HEAD_ENCODERS = [ENCODE[kind] for kind in _HEAD.values()]

_INTERRUPT = {
    "session_id": "bigint", "id": "text", "seq": "int", "agent": "text", "kind": "text",
    "address": "text", "tool": "text", "digest": "text", "allowed": "text",
    "required_role": "text", "expires_at": "timestamptz", "on_expiry": "text",
    "created_at": "timestamptz", "status": "text", "decision": "text", "decision_seq": "int",
    "decided_by": "text", "decided_at": "timestamptz", "consumed_at": "timestamptz",
}  # fmt: skip

PARTS = {
    "interrupts": _part(
        _INTERRUPT,
        f"""INSERT INTO agents_interrupt ({", ".join(_INTERRUPT)}, quorum)
            SELECT {
            ", ".join(
                f"x.{name}::jsonb" if name in ("allowed", "decided_by") else f"x.{name}"
                for name in _INTERRUPT
            )
        }, 1 FROM interrupts x JOIN moved USING (session_id)""",
    ),
    "decisions": _part(
        {
            "session_id": "bigint", "id": "text", "seq": "int", "decision": "text",
            "status": "text", "by": "text", "at": "timestamptz", "consumed_at": "timestamptz",
        },
        """UPDATE agents_interrupt i
           SET status = x.status, decision = x.decision, decision_seq = x.seq,
               decided_by = x.by::jsonb, decided_at = x.at, consumed_at = x.consumed_at
           FROM decisions x JOIN moved USING (session_id) WHERE i.id = x.id""",
        # An interrupt is decided once, and by people only before it expires.
        """AND NOT EXISTS (
             SELECT 1 FROM decisions x
             LEFT JOIN agents_interrupt i ON i.id = x.id AND i.session_id = x.session_id
             WHERE x.session_id = {head}.session_id AND (
               i.status IS DISTINCT FROM 'pending'
               OR (x.status <> 'expired' AND i.expires_at <= clock_timestamp())))""",
    ),
    "consumed": _part(
        {"session_id": "bigint", "seq": "int"},
        """UPDATE agents_interrupt i SET consumed_at = clock_timestamp()
           FROM consumed x JOIN moved USING (session_id)
           WHERE i.session_id = x.session_id AND i.decision_seq = x.seq""",
        """AND NOT EXISTS (
             SELECT 1 FROM consumed x JOIN agents_interrupt i
             ON i.session_id = x.session_id AND i.decision_seq = x.seq
             WHERE x.session_id = {head}.session_id AND i.consumed_at IS NOT NULL)""",
    ),
    "ended": _part(
        {
            "session_id": "bigint", "outcome": "text", "answer": "text", "error": "text",
            "ended_at": "timestamptz", "closes": "bool",
        },
        """UPDATE agents_session s SET outcome = x.outcome, answer = x.answer,
               error = x.error::jsonb, ended_at = x.ended_at
           FROM ended x JOIN moved USING (session_id) WHERE s.id = x.session_id""",
    ),
    "vault": _part(
        {"session_id": "bigint", "id": "text", "type": "text", "ciphertext": "bytea"},
        """INSERT INTO agents_vault (root_id, id, type, ciphertext)
           SELECT coalesce(s.root_id, s.id), x.id, x.type, x.ciphertext
           FROM vault x JOIN moved USING (session_id) JOIN agents_session s ON s.id = x.session_id
           ON CONFLICT DO NOTHING""",
    ),
    "blobs": _part(
        {"session_id": "bigint", "sha256": "hex", "data": "bytea"},
        """INSERT INTO agents_blob (root_id, sha256, data)
           SELECT coalesce(s.root_id, s.id), x.sha256, x.data
           FROM blobs x JOIN moved USING (session_id) JOIN agents_session s ON s.id = x.session_id
           ON CONFLICT DO NOTHING""",
    ),
    "checkpoints": _part(
        {"session_id": "bigint", "address": "text", "step": "int", "seq": "int", "state": "bytea"},
        """INSERT INTO agents_checkpoint (session_id, address, step, seq, state)
           SELECT x.session_id, x.address, x.step, x.seq, x.state
           FROM checkpoints x JOIN moved USING (session_id)
           ON CONFLICT (session_id, address, step)
           DO UPDATE SET seq = excluded.seq, state = excluded.state""",
    ),
}  # fmt: skip

#: More that a part writes, in CTEs of their own.
_ALSO = {
    # Open questions close with their run; those that this statement decides are let be.
    "ended": """UPDATE agents_interrupt i SET status = 'cancelled'
        FROM ended x JOIN moved USING (session_id)
        WHERE x.closes AND i.session_id = x.session_id AND i.status = 'pending'
          {spare}""",
    # Of each activation the newest checkpoint stays, and every 50th.
    "checkpoints": """DELETE FROM agents_checkpoint k
        USING checkpoints x JOIN moved USING (session_id)
        WHERE k.session_id = x.session_id AND k.address = x.address
          AND k.step < x.step AND k.step % 50 <> 0""",
}

_SPARE = "AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.id = i.id)"

#: Of many heads those that are free, at their newest state, in the order of their ids.
_LOCKED = """locked AS MATERIALIZED (
  SELECT h.session_id, h.seq, h.epoch FROM agents_head h
  WHERE h.session_id = ANY ({ids}::text::bigint[]) ORDER BY h.session_id FOR UPDATE SKIP LOCKED)"""

_READY = """ready AS (
  SELECT heads.* FROM heads JOIN locked USING (session_id)
  WHERE locked.seq = heads.expected
    AND (heads.epoch IS NULL OR heads.epoch = locked.epoch) {fences})"""

_MOVED = """moved AS (
  UPDATE agents_head h SET
    seq = r.seq, hash = coalesce(r.hash, h.hash),
    status = r.status, waiting_for = r.waiting_for, due_at = r.due_at, run = r.run,
    inbox = r.inbox, pending = r.pending, tokens_input = r.tokens_input,
    tokens_output = r.tokens_output, tokens_cached = r.tokens_cached,
    tokens_reasoning = r.tokens_reasoning, cost = r.cost::numeric,
    owner = CASE WHEN r.release THEN NULL ELSE h.owner END,
    lease_until = CASE WHEN r.release THEN NULL ELSE h.lease_until END,
    released = h.released OR r.release,
    attempts = CASE WHEN r.progress OR r.release THEN 0 ELSE h.attempts END,
    cancel_seq = coalesce(r.cancel_seq, h.cancel_seq), updated_at = clock_timestamp()
  FROM {ready} r WHERE h.session_id = r.session_id {fences} RETURNING h.session_id)"""

_VALUES = [
    f"nullif(x.{name}, {NONE})" if name in NULLABLE else f"x.{name}" for name in EVENT_COLUMNS
]
_EVENTS = f"""INSERT INTO agents_event ({", ".join(EVENT_COLUMNS)})
  SELECT {", ".join(_VALUES)}
  FROM unnest({{place}}::agents_event[]) x JOIN moved USING (session_id)"""

_ANSWER = """SELECT session_id, moved.session_id IS NOT NULL
  FROM locked LEFT JOIN moved USING (session_id)"""
_MOVED_ONE = "SELECT session_id, true FROM moved"

#: One head by itself is fenced by its own update, which waits for the lock and looks again.
_FENCE = """AND h.seq = r.expected AND (r.epoch IS NULL OR h.epoch = r.epoch) """


def statement(rows: Rows, layout: Layout) -> tuple[bytes, list[bytes | None]]:
    """The statement for a batch and its parameters, all of them in binary form.

    It answers with a row for each head that it could lock: session, whether it was moved. For a
    batch of one it waits for the lock, and a head that was not moved has no row.
    """
    present = tuple(name for name in PARTS if getattr(rows, name))
    many = len(rows.heads) > 1
    params: list[bytes | None]
    if many:
        params = [*HEADS.parameters(rows.heads), ids([row[0] for row in rows.heads])]
    else:
        params = scalars(_HEAD_ENCODERS, rows.heads[0])
    if rows.events:
        params.append(layout.array(rows.events))
    for name in present:
        params += PARTS[name].columns.parameters(getattr(rows, name))
    return _text(present, many, bool(rows.events)), params


@cache
def _text(present: tuple[str, ...], many: bool, events: bool) -> bytes:
    places = (f"${number}" for number in count(1))
    fences = " ".join(PARTS[name].fence for name in present)
    heads = _many(fences, places) if many else _one(fences, places)
    if events:
        heads.append(f"write_events AS ({_EVENTS.format(place=next(places))})")
    ctes = [PARTS[name].columns.table(name, places) for name in present] + heads
    ctes += [f"write_{name} AS ({PARTS[name].action})" for name in present]
    spare = _SPARE if "decisions" in present else ""
    ctes += [
        f"also_{name} AS ({_ALSO[name].format(spare=spare)})" for name in present if name in _ALSO
    ]
    return f"WITH {', '.join(ctes)} {_ANSWER if many else _MOVED_ONE}".encode()


def _many(fences: str, places: Iterator[str]) -> list[str]:
    return [
        HEADS.table("heads", places),
        _LOCKED.format(ids=next(places)),
        _READY.format(fences=fences.replace("{head}", "heads")),
        _MOVED.format(ready="ready", fences=""),
    ]


def _one(fences: str, places: Iterator[str]) -> list[str]:
    values = ", ".join(f"{place(next(places), kind)} AS {name}" for name, kind in _HEAD.items())
    return [
        f"heads AS (SELECT {values})",
        _MOVED.format(ready="heads", fences=_FENCE + fences.replace("{head}", "r")),
    ]
