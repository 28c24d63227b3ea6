"""The writing side of a log: events get their place in memory at once and are durable in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from agents_app.engine.errors import Moved
from playhead.core.clock import Clock, stamp
from playhead.core.events import GENESIS, Draft, Event, StoredEvent, store_form

if TYPE_CHECKING:
    from agents_app.engine.record import Record

#: What came from outside stays true wherever it stands; a moved head only moves it.
CARRIED = frozenset({"llm_response", "llm_error", "tool_result"})
_RAISED = frozenset({"question", "in_doubt", "retries"})

VaultRows = Mapping[str, tuple[str, str]]


class Sink(Protocol):
    """Where events become durable."""

    def submit(
        self, event: Event, stored: StoredEvent, rows: VaultRows, checkpoint: bytes | None
    ) -> None:
        """Queue the next event; never blocks."""
        ...

    async def durable(self, seq: int) -> None:
        """Return when everything up to ``seq`` is committed.

        Raises:
            Moved: somebody else wrote first; nothing after the head that was read is committed.
        """
        ...


class Memory:
    """The sink of the façade: in memory, at once."""

    def __init__(self) -> None:
        self.stored: list[StoredEvent] = []

    def submit(
        self, event: Event, stored: StoredEvent, rows: VaultRows, checkpoint: bytes | None
    ) -> None:
        self.stored.append(stored)

    async def durable(self, seq: int) -> None:
        return None


class Journal:
    """Chains drafts behind the head that was read, and hands them to the sink."""

    def __init__(
        self,
        *,
        session_id: str,
        record: Record,
        sink: Sink,
        clock: Clock,
        head: bytes | None = None,
    ) -> None:
        self.session_id = session_id
        self.record = record
        self.sink = sink
        self.clock = clock
        self._hash = (
            head if head is not None else (record.events[-1].hash if record.events else GENESIS)
        )
        self._carried: list[tuple[Draft, str, VaultRows, bytes | None]] = []
        self._pending: list[tuple[Event, VaultRows, bytes | None]] = []
        self.moved = False
        self.on_event: Callable[[Event], None] | None = None

    def emit(
        self, draft: Draft, *, rows: VaultRows | None = None, checkpoint: bytes | None = None
    ) -> Event:
        """Give a draft its place; it is durable after the next ``commit``.

        Raises:
            Moved: the head has moved and the draft is an intent that must be decided again.
        """
        ts = stamp(self.clock.now())
        if self.moved:
            if _is_carried(draft):
                self._carried.append((draft, ts, rows or {}, checkpoint))
            raise Moved
        return self._chain(draft, ts, rows or {}, checkpoint)

    def carry(self, draft: Draft, *, rows: VaultRows | None = None) -> None:
        """Emit something that came from outside, whatever has happened to the head meanwhile."""
        try:
            self.emit(draft, rows=rows)
        except Moved:
            return

    def check(self) -> None:
        """Stop here when the head is known to have moved.

        Raises:
            Moved: it has.
        """
        if self.moved:
            raise Moved

    async def commit(self) -> None:
        """Wait until everything emitted so far is durable."""
        self.check()
        seq = self.record.seq
        try:
            await self.sink.durable(seq)
        except Moved:
            self.moved = True
            raise
        self._pending = [entry for entry in self._pending if entry[0].seq > seq]

    def rebase(self, durable: int, news: Sequence[Event]) -> None:
        """Read what others wrote after ``durable``, and chain what came from outside behind it.

        ``news`` may hold events of ours whose commit was in doubt; they are not chained twice.
        """
        lost = [entry for entry in self._pending if entry[0].seq > durable]
        self.record.truncate(durable)
        for event in news:
            self.record.add(event)
        self._hash = self.record.events[-1].hash
        self._pending, self.moved = [], False
        again = [
            (_draft(event), event.ts, rows, cp)
            for event, rows, cp in lost
            if _is_carried(_draft(event))
        ]
        carried, self._carried = self._carried, []
        known = {(e.event_type, e.ts, e.scope, e.cause) for e in news}
        for draft, ts, rows, checkpoint in [*again, *carried]:
            if (draft.event_type, ts, draft.scope, draft.cause) not in known:
                self._chain(draft, ts, rows, checkpoint)

    def extend(self, news: Sequence[Event]) -> None:
        """Others have written and nothing of ours is pending: just read on."""
        for event in news:
            self.record.add(event)
        if news:
            self._hash = news[-1].hash

    @property
    def idle(self) -> bool:
        """Nothing emitted is waiting to be durable."""
        return not self._pending and not self._carried

    def _chain(self, draft: Draft, ts: str, rows: VaultRows, checkpoint: bytes | None) -> Event:
        stored = store_form(self.session_id, self._hash, self.record.seq + 1, ts, draft)
        event = Event(
            self.session_id,
            stored.seq,
            draft.event_type,
            ts,
            draft.payload,
            draft.scope,
            draft.cause,
            draft.sealed,
            draft.edited,
            stored.hash,
        )
        self._hash = stored.hash
        self.record.add(event)
        self._pending.append((event, rows, checkpoint))
        self.sink.submit(event, stored, rows, checkpoint)
        if self.on_event:
            self.on_event(event)
        return event


def _is_carried(draft: Draft) -> bool:
    if draft.event_type == "interrupt":
        return draft.payload["kind"] in _RAISED
    return draft.event_type in CARRIED


def _draft(event: Event) -> Draft:
    return Draft(
        event.event_type, event.payload, event.scope, event.cause, event.sealed, event.edited
    )
