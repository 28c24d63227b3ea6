"""The writing side of a log: events get their place in memory at once and are durable in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agents_app.engine.errors import Moved
from agents_app.engine.log.sealing import Sealing
from agents_app.engine.nulls import NoSeals
from playhead.core.clock import Clock, stamp
from playhead.core.events import GENESIS, Draft, Event, StoredEvent, store_form

if TYPE_CHECKING:
    from agents_app.engine.log.record import Record
    from agents_app.engine.ports import Seals

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


@dataclass(slots=True)
class _Entry:
    """Something emitted that may not be durable yet; ``seq`` is 0 while it has no place."""

    draft: Draft
    ts: str
    outside: bool
    seq: int = 0
    hash: bytes = b""


class Journal:
    """Chains drafts behind the head that was read, and hands them to the sink.

    What came from outside (an answer, a result, a tool's question) stays true wherever it stands:
    a moved head only moves it. Everything else the loop decides again. No event leaves it with a
    raw secret, whoever made it.
    """

    __slots__ = (
        "_hash",
        "_late",
        "_pending",
        "_waiting",
        "clock",
        "moved",
        "record",
        "seals",
        "session_id",
        "sink",
    )

    def __init__(
        self,
        *,
        session_id: str,
        record: Record,
        sink: Sink,
        clock: Clock,
        head: bytes | None = None,
        seals: Seals | None = None,
    ) -> None:
        self.session_id = session_id
        self.record = record
        self.sink = sink
        self.clock = clock
        self.seals = Sealing(seals or NoSeals())
        last = record.events[-1].hash if record.events else GENESIS
        self._hash = last if head is None else head
        self._pending: list[_Entry] = []
        self._waiting: list[_Entry] = []
        self.moved = False
        self._late: Callable[[Draft], None] | None = None

    def emit(
        self, draft: Draft, *, checkpoint: bytes | None = None, derived: bool = False
    ) -> Event:
        """Give a draft its place; it is durable after the next ``commit``.

        Args:
            derived: a replay writes it again: the seam has taken out what was raw in it.

        Raises:
            Moved: the head has moved: what the loop decides, it decides again.
        """
        if self.moved:
            raise Moved
        draft = draft if derived else self.seals.sealed(draft)
        entry = _Entry(draft, stamp(self.clock.now()), outside=False)
        return self._chain(entry, checkpoint)

    def carry(self, draft: Draft) -> None:
        """Write something that came from outside, whatever has happened to the head meanwhile.

        Its cause must be durable already.
        """
        draft = self.seals.sealed(draft)
        if self._late is not None:
            self._late(draft)
            return
        entry = _Entry(draft, stamp(self.clock.now()), outside=True)
        if self.moved:
            self._waiting.append(entry)
        else:
            self._chain(entry, None)

    def lose(self, durable: int, late: Callable[[Draft], None]) -> None:
        """The log is somebody else's: what came from outside, and still comes, goes to ``late``."""
        self._late = late
        lost = [entry for entry in self._pending if entry.seq > durable and entry.outside]
        for entry in [*lost, *self._waiting]:
            late(entry.draft)

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
        for entry in self._pending:
            if entry.seq <= seq:
                self.seals.written(self.seals.rows_of(entry.draft))
        self._pending = [entry for entry in self._pending if entry.seq > seq]

    def rebase(self, durable: int, news: Sequence[Event]) -> None:
        """Read what others wrote after ``durable``, and chain what came from outside behind it.

        ``news`` may hold events of ours whose commit was in doubt; they are not chained twice.
        """
        lost = [entry for entry in self._pending if entry.seq > durable and entry.outside]
        again = [*lost, *self._waiting]
        self._pending, self._waiting, self.moved = [], [], False
        self.record.truncate(durable)
        for event in news:
            self.record.add(event)
        self._hash = self.record.events[-1].hash
        known = {event.hash for event in news}
        for entry in again:
            if entry.hash not in known:
                self._chain(entry, None)

    def _chain(self, entry: _Entry, checkpoint: bytes | None) -> Event:
        draft, seq = entry.draft, self.record.seq + 1
        stored = store_form(self.session_id, self._hash, seq, entry.ts, draft)
        event = Event(
            self.session_id,
            seq,
            draft.event_type,
            entry.ts,
            draft.payload,
            draft.scope,
            draft.cause,
            draft.sealed,
            draft.edited,
            stored.hash,
        )
        self._hash = stored.hash
        self.record.add(event)
        entry.seq, entry.hash = seq, stored.hash
        self._pending.append(entry)
        self.sink.submit(event, stored, self.seals.rows_of(draft), checkpoint)
        return event
