"""A batch of appends as columns, ready for either database."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores import codec
from agents_app.adapters.stores.rows import PROGRESS, event_row, plain
from playhead.core import canonical
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.adapters.stores.port import Append
    from agents_app.engine.log.projection import DecisionRow, InterruptRow

_STEP_TYPES = frozenset({"session_start", "user_message", "session_end"})

Row = tuple[Any, ...]


@dataclass(slots=True)
class Rows:
    """What a batch writes, by table; the first value of each row is its session."""

    heads: list[Row] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    interrupts: list[Row] = field(default_factory=list)
    decisions: list[Row] = field(default_factory=list)
    consumed: list[Row] = field(default_factory=list)
    ended: list[Row] = field(default_factory=list)
    vault: list[Row] = field(default_factory=list)
    blobs: list[Row] = field(default_factory=list)
    checkpoints: list[Row] = field(default_factory=list)


def rows_of(batch: Sequence[Append]) -> Rows:
    """Lay a batch out by table."""
    rows = Rows()
    for append in batch:
        session = append.session
        rows.heads.append(_head(append))
        ended = False
        for event in append.events:
            rows.events.append(event_row(session, event))
            if event.blob is not None:
                sha256 = hashlib.sha256(event.blob).digest()
                rows.blobs.append((session, sha256, codec.pack(event.blob)))
            if event.event_type in _STEP_TYPES:
                ended = True
        if append.interrupts or append.decisions or append.consumed:
            _questions(append, rows)
        if ended:
            rows.ended.append(_end(append))
        for row in append.vault:
            rows.vault.append((session, row.id, row.type, row.ciphertext))
        for kept in append.checkpoints:
            state = codec.pack(kept.state)
            rows.checkpoints.append((session, kept.address, kept.step, kept.seq, state))
    return rows


def _head(append: Append) -> Row:
    """In the order of ``HEAD`` in both databases' statements."""
    state, usage = append.state, append.state.usage
    progress, cancel = False, None
    for event in append.events:
        if event.event_type in PROGRESS:
            progress = True
        elif event.event_type == "cancel":
            cancel = event.seq
    return (
        append.session, append.expected, append.epoch, append.seq,
        append.events[-1].hash if append.events else None,
        state.status, state.waiting_for, state.due_at, state.run, state.inbox, state.pending,
        usage.input, usage.output, usage.cached, usage.reasoning,
        None if state.cost is None else format(state.cost, "f"),
        append.release, progress, cancel,
    )  # fmt: skip


def _end(append: Append) -> Row:
    state = append.state
    error = None if state.error is None else _json(state.error)
    return (
        append.session, state.outcome, plain(state.answer), error, state.ended_at,
        any(event.event_type == "session_end" for event in append.events),
    )  # fmt: skip


def _questions(append: Append, rows: Rows) -> None:
    """Questions that are asked, answered or closed within one append are stored as they end up."""
    session = append.session
    asked = {row.id for row in append.interrupts}
    answers = {row.interrupt: row for row in append.decisions if row.interrupt in asked}
    ends = [event.seq for event in append.events if event.event_type == "session_end"]
    for question in append.interrupts:
        answer = answers.get(question.id)
        closed = answer is None and any(seq > question.seq for seq in ends)
        consumed = answer is not None and answer.seq in append.consumed
        rows.interrupts.append(_interrupt(session, question, answer, closed, consumed))
    rows.decisions += [
        (
            session, row.interrupt, row.seq, row.decision, row.status, _json(row.by), row.at,
            row.at if row.seq in append.consumed else None,
        )
        for row in append.decisions
        if row.interrupt not in asked
    ]  # fmt: skip
    decided = {row.seq for row in append.decisions}
    rows.consumed += [(session, seq) for seq in append.consumed if seq not in decided]


def _interrupt(
    session: int, row: InterruptRow, answer: DecisionRow | None, closed: bool, consumed: bool
) -> Row:
    status = answer.status if answer else "cancelled" if closed else "pending"
    return (
        session, row.id, row.seq, row.agent, row.kind, row.address, row.tool, row.digest,
        _json(list(row.allowed)), row.required_role, row.expires_at, row.on_expiry, row.created_at,
        status, answer.decision if answer else None, answer.seq if answer else None,
        _json(answer.by) if answer else None, answer.at if answer else None,
        answer.at if answer and consumed else None,
    )  # fmt: skip


def _json(value: Any) -> str:
    """JSON that every database takes; what merely speaks of ``\\u0000`` stays as it is."""
    return canonical.dumps(sanitise(value)[0]).decode()
