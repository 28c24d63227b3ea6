"""What one session has emitted and not yet made durable."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from agents_app.adapters.stores.port import Append, CheckpointRow, VaultRow
from agents_app.engine.errors import Moved
from agents_app.engine.log.projection import HeadState, project

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.engine.log.journal import VaultRows
    from playhead.core.events import Event, StoredEvent


class Runner(Protocol):
    """Who runs the session; called on the loop."""

    def sealed(self, rows: VaultRows) -> tuple[VaultRow, ...]:
        """What was sealed, as rows for the vault."""
        ...

    def committed(self, seq: int) -> None:
        """Everything up to ``seq`` is durable."""
        ...

    def missed(self) -> None:
        """Somebody wrote first."""
        ...


class Queues(Protocol):
    """Who commits the queues."""

    def ready(self, sink: SessionSink) -> None:
        """The session has something to commit."""
        ...

    async def turn(self) -> None:
        """Wait for the end of the next statement."""
        ...


@dataclass(slots=True)
class Rest:
    """Going to wait: an append without events that gives the lease back.

    What the head becomes is asked for when all before it is durable: asked for earlier, it would
    not count what is still in the queue.
    """

    becomes: Callable[[HeadState], HeadState]
    done: asyncio.Future[bool]


@dataclass(eq=False, slots=True)
class SessionSink:
    """The queue of one session.

    ``awaited`` says that the session waits for what is queued: nothing more will come to it until
    then. ``refused`` counts how often in a row the database did not take what was queued.
    """

    session: int
    epoch: int
    seq: int
    state: HeadState
    writer: Queues
    runner: Runner
    moved: bool = False
    awaited: bool = False
    fault: Exception | None = None
    refused: int = 0
    _queue: list[tuple[Event, StoredEvent, VaultRows, bytes | None]] = field(default_factory=list)
    _waiters: list[tuple[int, asyncio.Future[None]]] = field(default_factory=list)
    _rest: Rest | None = None
    _busy: bool = False

    def submit(
        self, event: Event, stored: StoredEvent, rows: VaultRows, checkpoint: bytes | None
    ) -> None:
        """Queue the next event."""
        if self.moved:
            return
        self._queue.append((event, stored, rows, checkpoint))
        if len(self._queue) == 1:
            self.writer.ready(self)

    async def durable(self, seq: int) -> None:
        """Return when everything up to ``seq`` is committed; ``Moved`` when it never will be."""
        if self.moved:
            raise Moved
        if seq <= self.seq:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append((seq, waiter))
        if self._queue:  # else it is under way
            self.awaited = True
            self.writer.ready(self)
        await waiter

    async def rest(self, becomes: Callable[[HeadState], HeadState]) -> bool:
        """Store that the session rests, and give the lease back; False when somebody wrote."""
        if self.moved:
            return False
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._rest = Rest(becomes, done)
        self.awaited = True
        self.writer.ready(self)
        return await done

    async def settled(self) -> None:
        """Wait until no statement of this session is under way."""
        while self._busy or (self._queue and not self.moved):
            await self.writer.turn()

    def rebased(self, seq: int, state: HeadState) -> None:
        """The log was read on: write behind ``seq`` from now on."""
        self.seq, self.state, self.moved = seq, state, False
        self._queue.clear()

    def take(self) -> Append | None:
        """What is ready, as one append.

        Where it can't be laid out that is a ``fault`` of this session, which its runner meets; the
        writer of all sessions goes on.
        """
        try:
            return self._take()
        except Exception as error:
            self.fault = error
            self.missed()
            return None

    def _take(self) -> Append | None:
        if self._busy or self.moved or not (self._queue or self._rest):
            return None
        queue, self._queue = self._queue, []
        events: list[Event] = []
        stored: list[StoredEvent] = []
        vault: list[VaultRow] = []
        checkpoints: list[CheckpointRow] = []
        for event, form, rows, data in queue:
            events.append(event)
            stored.append(form)
            if rows:
                vault += self.runner.sealed(rows)
            if data is not None:
                checkpoints.append(_checkpoint(event, data))
        state, interrupts, decisions, consumed = project(self.state, events)
        release = self._rest is not None and not queue
        if self._rest is not None and release:
            state = self._rest.becomes(state)
        self._busy, self.awaited = True, False
        return Append(
            self.session, self.seq, self.epoch, tuple(stored), state, release,
            interrupts, decisions, consumed, tuple(vault), tuple(checkpoints),
        )  # fmt: skip

    def committed(self, append: Append) -> None:
        """The append is durable."""
        self._busy, self.refused = False, 0
        self.seq, self.state = append.seq, append.state
        waiting, self._waiters = self._waiters, []
        for seq, waiter in waiting:
            if seq > self.seq:
                self._waiters.append((seq, waiter))
            elif not waiter.done():
                waiter.set_result(None)
        if append.release and self._rest is not None:
            rest, self._rest = self._rest, None
            _resolve(rest.done, True)
        self.runner.committed(self.seq)
        if self._queue or self._rest:
            self.awaited = bool(self._waiters or self._rest)
            self.writer.ready(self)

    def missed(self) -> None:
        """Somebody wrote first: nothing of the append is stored."""
        self._busy, self.moved = False, True
        waiting, self._waiters = self._waiters, []
        for _, waiter in waiting:
            if not waiter.done():
                waiter.set_exception(Moved())
        if self._rest is not None:
            rest, self._rest = self._rest, None
            _resolve(rest.done, False)
        self.runner.missed()


def _resolve(future: asyncio.Future[bool], value: bool) -> None:
    if not future.done():
        future.set_result(value)


def _checkpoint(event: Event, data: bytes) -> CheckpointRow:
    address, _, step = (event.scope or "/0").rpartition("/")
    return CheckpointRow(address, int(step), event.seq, data)
