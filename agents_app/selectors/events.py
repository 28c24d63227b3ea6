"""The events of a session, inherited ones included, as text for the wire or as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.adapters.stores import log_store
from agents_app.contracts import HEAD_COLUMNS, HeadColumns, SessionRef
from agents_app.selectors.wire import event_json, events_page, head_values
from playhead.core.catalogue import CATALOGUE
from playhead.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agents_app.selectors.masks import Eyes
    from playhead.core.events import StoredEvent

MOST = 1000
#: Characters after which a page ends, and events that are read at once.
LARGEST, AT_ONCE = 4_000_000, 256
MOST_HEADERS = 10_000


def types_of(text: str | None) -> frozenset[str] | None:
    """The event types of a filter; ``None``: all.

    Raises:
        InvalidInput: a type that is not in the catalogue.
    """
    names = frozenset(name for name in (text or "").split(",") if name)
    unknown = sorted(names - CATALOGUE.keys())
    if unknown:
        raise InvalidInput(f"There is no event type {unknown[0]!r}.", detail={"field": "types"})
    return names or None


def event_page(
    *,
    session: SessionRef,
    eyes: Eyes,
    after: int,
    limit: int,
    types: Collection[str] | None,
    bodies: bool,
) -> str:
    """A page of events as JSON text, in the order of seq; it ends early where it gets large."""
    limit = max(1, min(limit, MOST))
    head_seq = log_store().head(session.pk).seq
    texts: list[str] = []
    size, last = 0, None
    for row in _rows(session, after=after, upto=head_seq, types=types, limit=limit + 1):
        if len(texts) == limit or size >= LARGEST:
            return events_page(texts, after=last, head_seq=head_seq)
        texts.append(event_json(row, bodies=bodies, eyes=eyes))
        size, last = size + len(texts[-1]), row.seq
    return events_page(texts, after=None, head_seq=head_seq)


def _rows(
    session: SessionRef, *, after: int, upto: int, types: Collection[str] | None, limit: int
) -> Iterator[StoredEvent]:
    """The events of a page, read a part at a time: it may end before the limit."""
    while limit > 0:
        part = min(limit, AT_ONCE)
        rows = log_store().read(
            session.pk, after=after, upto=upto, types=types, limit=part, blobs=False
        )
        yield from rows
        if len(rows) < part:
            return
        after, limit = rows[-1].seq, limit - part


def event_text(*, session: SessionRef, eyes: Eyes, seq: int) -> str:
    """One event with its whole body, as JSON text.

    Raises:
        NotFound: the session has no such event.
    """
    return event_json(event_row(session=session, seq=seq), bodies=True, eyes=eyes)


def event_row(*, session: SessionRef, seq: int) -> StoredEvent:
    """One event as it is stored, its blob read.

    Raises:
        NotFound: the session has no such event.
    """
    rows = log_store().read(session.pk, after=seq - 1, upto=seq) if 0 < seq < 2**31 else []
    if not rows:
        raise NotFound(f"The session has no event {seq}.")
    return rows[0]


def head_columns(*, session: SessionRef, eyes: Eyes, after: int, limit: int) -> HeadColumns:
    """Headers as columns: what a list of thousands of events needs, and nothing else."""
    limit = max(1, min(limit, MOST_HEADERS))
    head_seq = log_store().head(session.pk).seq
    rows = log_store().headers(session.pk, after=after, limit=limit)
    values = [
        head_values(
            row.session_id, row.seq, row.event_type, row.ts, row.scope, row.cause, row.header, eyes
        )
        for row in rows
    ]
    columns = [list(column) for column in zip(*values, strict=True)] or [[] for _ in HEAD_COLUMNS]
    last = rows[-1].seq if rows else after
    return HeadColumns(
        columns=list(HEAD_COLUMNS),
        data=dict(zip(HEAD_COLUMNS, columns, strict=True)),
        head_seq=max(head_seq, last),
        next=last if last < head_seq and rows else None,
    )
