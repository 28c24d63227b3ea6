"""Events and heads as rows, the same for both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores import codec
from agents_app.adapters.stores.port import HeaderRow
from agents_app.engine.log.projection import HeadState
from playhead.core import canonical
from playhead.core.clock import stamp
from playhead.core.errors import LogError
from playhead.core.events import SCHEMA_VERSION, StoredEvent
from playhead.core.header import Header
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The number of a type is its place here, from 1: append only, never reorder.
EVENT_TYPES = (
    "session_start", "user_message", "llm_request", "llm_attempt", "llm_response", "llm_error",
    "tool_call", "tool_result", "step_end", "session_end", "interrupt", "decision", "resume",
    "pause", "steer", "cancel", "guardrail", "limit", "effect", "child_start", "child_end",
    "plan", "edit", "lease", "branch", "error",
)  # fmt: skip
_NUMBERS = {name: number for number, name in enumerate(EVENT_TYPES, 1)}
_VERSION = 256  # kind = schema version * 256 + number of the type

#: An attempt that brought one of these was not in vain.
PROGRESS = frozenset(
    {"llm_response", "llm_error", "tool_result", "effect", "child_end", "step_end", "interrupt"}
)

#: Nobody counts further: the column is small, and one row must never stop the claims of all.
MOST_ATTEMPTS = 1000

HEADER_COLUMNS = (
    "session_id", "seq", "kind", "ts", "scope", "cause",
    "label", "tool", "status", "ms", "tokens_in", "tokens_out", "cost", "error",
)  # fmt: skip
EVENT_COLUMNS = (*HEADER_COLUMNS, "hash", "marks", "body")
HEAD_COLUMNS = (
    "seq", "hash", "epoch", "owner", "attempts", "cancel_seq", "status", "waiting_for", "due_at",
    "run", "inbox", "pending", "tokens_input", "tokens_output", "tokens_cached",
    "tokens_reasoning", "cost",
)  # fmt: skip

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def kind_of(event_type: str, version: int) -> int:
    """The stored number of a type and schema version.

    Raises:
        LogError: a type that the catalogue does not have.
    """
    try:
        return version * _VERSION + _NUMBERS[event_type]
    except KeyError:
        raise LogError(f"No such event type: {event_type!r}", code="bad_event_type") from None


def kinds_of(event_types: Sequence[str]) -> list[int]:
    """Every stored number of some types, over the versions that this release reads."""
    return [
        kind_of(name, version) for name in event_types for version in range(1, SCHEMA_VERSION + 1)
    ]


def type_of(kind: int) -> tuple[str, int]:
    """The type and schema version of a stored number."""
    version, number = divmod(kind, _VERSION)
    if not 1 <= number <= len(EVENT_TYPES):
        raise LogError(f"Event kind {kind} is of a newer release.", code="newer_version")
    return EVENT_TYPES[number - 1], version


def plain(text: str | None) -> str | None:
    """Text that every database takes: U+0000 becomes its picture."""
    return text.replace("\0", "␀") if text and "\0" in text else text


def event_row(session: int, event: StoredEvent) -> tuple[Any, ...]:
    """An event as the values of ``EVENT_COLUMNS``."""
    header = event.header
    label, tool, status = header.label, header.tool, header.status
    if "\0" in f"{label}{tool}{status}":
        label, tool, status = plain(label) or "", plain(tool), plain(status)
    at = datetime.fromisoformat(event.ts)
    body = codec.pack_body(event.body, label, stub=event.blob is not None)
    marks = _marks(event) if event.sealed or event.edited else None
    return (
        session, event.seq, kind_of(event.event_type, event.schema_version),
        (at - _EPOCH) // _MICROSECOND, event.scope, event.cause,
        label, tool, status, header.ms, header.tokens_in,
        header.tokens_out, None if header.cost is None else format(header.cost, "f"), header.error,
        event.hash, marks, body,
    )  # fmt: skip


def _marks(event: StoredEvent) -> bytes:
    return codec.pack(canonical.dumps([event.sealed or None, event.edited or None]))


def header_row(row: Sequence[Any], names: dict[int, str]) -> HeaderRow:
    """A row of ``HEADER_COLUMNS``; ``names`` gives the public ids of the sessions read."""
    session, seq, kind, ts, scope, cause = row[:6]
    event_type, _ = type_of(kind)
    return HeaderRow(names[session], seq, event_type, _stamp(ts), scope, cause, _header(row[6:14]))


def stored_event(row: Sequence[Any], names: dict[int, str]) -> tuple[StoredEvent, bool]:
    """A row of ``EVENT_COLUMNS``, and whether its body is a stub (its blob is not read here)."""
    session, seq, kind, ts, scope, cause = row[:6]
    event_type, version = type_of(kind)
    digest, marks, packed = row[14:17]
    sealed, edited = (None, None) if marks is None else canonical.loads(codec.unpack(bytes(marks)))
    body, stub = codec.unpack_body(bytes(packed), row[6])
    event = StoredEvent(
        seq, event_type, _stamp(ts), scope, cause, sealed, edited, body, bytes(digest),
        _header(row[6:14]), None, version, names[session],
    )  # fmt: skip
    return event, stub


def head_state(row: Sequence[Any]) -> HeadState:
    """The part of a row of ``HEAD_COLUMNS`` from ``status`` on."""
    status, waiting_for, due_at, run, inbox, pending, *counts = row
    return HeadState(
        status=status,
        waiting_for=waiting_for,
        due_at=aware(due_at),
        run=run,
        inbox=inbox,
        pending=pending,
        usage=Usage(*counts[:4]),
        cost=money(counts[4]),
    )


def aware(at: datetime | None) -> datetime | None:
    """SQLite's times have no zone: they are UTC."""
    return at if at is None or at.tzinfo else at.replace(tzinfo=UTC)


def money(value: Any) -> Decimal | None:
    """A stored amount; SQLite gives a float whose shortest form is what was stored."""
    return None if value is None else Decimal(str(value)).normalize()


def _stamp(micros: int) -> str:
    return stamp(_EPOCH + timedelta(microseconds=micros))


def _header(row: Sequence[Any]) -> Header:
    label, tool, status, ms, tokens_in, tokens_out, cost, error = row
    return Header(label, tool, status, ms, tokens_in, tokens_out, money(cost), bool(error))
