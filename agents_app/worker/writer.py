"""Append many: the sessions of one process share their statements, each fenced alone.

Each session has one sink with a queue; whatever is ready is committed as soon as a writer thread
is free. In the plain case a step is two commits: the response with its intents, and the results
with the step's end and the next request.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import connections

from agents_app.adapters.stores.port import Append, AppendError, CheckpointRow, LogStore, VaultRow
from agents_app.engine.errors import Moved
from agents_app.engine.journal import VaultRows
from agents_app.engine.projection import HeadState, project

if TYPE_CHECKING:
    from playhead.core.events import Event, StoredEvent

logger = logging.getLogger(__name__)

BATCH = 200
#: Turns of the loop between the end of a call and the intents that follow from it, with room.
LINGER = 12
#: How long the writer rests after the database refused everything (seconds).
REST = 0.5

Seal = Callable[[VaultRows], tuple[VaultRow, ...]]


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
    """The queue of one session: what is emitted and not yet durable.

    ``on_commit(seq)`` and ``on_miss()`` are called on the loop.
    """

    session: int
    epoch: int
    seq: int
    state: HeadState
    writer: Writer
    seal: Seal
    on_commit: Callable[[int], None]
    on_miss: Callable[[], None]
    moved: bool = False
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
        self.writer.ready(self)

    async def durable(self, seq: int) -> None:
        """Return when everything up to ``seq`` is committed; ``Moved`` when it never will be."""
        if self.moved:
            raise Moved
        if seq <= self.seq:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append((seq, waiter))
        self.writer.ready(self)
        await waiter

    async def rest(self, becomes: Callable[[HeadState], HeadState]) -> bool:
        """Store that the session rests, and give the lease back; False when somebody wrote."""
        if self.moved:
            return False
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._rest = Rest(becomes, done)
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
        """What is ready, as one append."""
        if self._busy or self.moved or not (self._queue or self._rest):
            return None
        queue, self._queue = self._queue, []
        projection = project(self.state, [event for event, *_ in queue])
        state, release = projection.state, False
        if self._rest is not None and not queue:
            state, release = self._rest.becomes(state), True
        self._busy = True
        return Append(
            session=self.session,
            expected=self.seq,
            epoch=self.epoch,
            events=tuple(stored for _, stored, *_ in queue),
            state=state,
            release=release,
            interrupts=projection.interrupts,
            decisions=projection.decisions,
            consumed=projection.consumed,
            vault=tuple(row for *_, rows, _ in queue for row in (self.seal(rows) if rows else ())),
            checkpoints=tuple(
                _checkpoint(event, data) for event, _, _, data in queue if data is not None
            ),
        )

    def committed(self, append: Append) -> None:
        """The append is durable."""
        self._busy = False
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
        self.on_commit(self.seq)
        if self._queue or self._rest:
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
        self.on_miss()


async def _linger() -> None:
    """Let the loop turn until what belongs to one commit has been emitted.

    An answer reaches the kernel, and the kernel its next intents, within a few turns.
    """
    for _ in range(LINGER):
        await asyncio.sleep(0)


def _resolve(future: asyncio.Future[bool], value: bool) -> None:
    if not future.done():
        future.set_result(value)


def _checkpoint(event: Event, data: bytes) -> CheckpointRow:
    address, _, step = (event.scope or "/0").rpartition("/")
    return CheckpointRow(address, int(step), event.seq, data)


class Writer:
    """Commits the queues of all sessions of a process, ``threads`` statements at a time."""

    def __init__(self, store: LogStore, *, threads: int = 1) -> None:
        self._store = store
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="log-writer")
        self._ready: dict[SessionSink, None] = {}
        self._wake = asyncio.Event()
        self._turned: list[asyncio.Future[None]] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.commits = 0

    def start(self) -> None:
        """Start committing, on the running loop."""
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self._threads)]

    async def stop(self) -> None:
        """Commit what is queued, then end."""
        while self._ready:
            await self.turn()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._pool, connections.close_all)  # its thread's own
        await asyncio.to_thread(self._pool.shutdown)

    def ready(self, sink: SessionSink) -> None:
        """The session has something to commit."""
        self._ready[sink] = None
        self._wake.set()

    async def turn(self) -> None:
        """Wait for the end of the next statement."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turned.append(future)
        self._wake.set()
        await asyncio.wait({future}, timeout=0.05)

    async def _work(self) -> None:
        while True:
            await _linger()
            batch = self._next()
            if not batch:
                self._tell_turn()
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self._commit(batch)
            except Exception:  # the writer of all sessions outlives a fault of one
                logger.exception("A commit of %s session(s) was not followed up", len(batch))
            self._tell_turn()

    def _next(self) -> list[tuple[SessionSink, Append]]:
        batch: list[tuple[SessionSink, Append]] = []
        for sink in list(self._ready):
            if len(batch) == BATCH:
                break
            del self._ready[sink]
            append = sink.take()
            if append is not None:
                batch.append((sink, append))
        return batch

    async def _commit(self, batch: Sequence[tuple[SessionSink, Append]]) -> None:
        loop = asyncio.get_running_loop()
        appends = [append for _, append in batch]
        try:
            results: Sequence[bool | Exception] = await loop.run_in_executor(
                self._pool, self._store.append, appends
            )
        except AppendError as error:
            results = error.results
        except Exception as error:
            results = [error] * len(batch)
        failed = False
        for (sink, append), result in zip(batch, results, strict=True):
            if isinstance(result, Exception):
                failed = True
                self._retry(sink, append, result)
            elif result:
                sink.committed(append)
            else:
                sink.missed()
        self.commits += 1
        if failed:
            await asyncio.sleep(REST)

    def _retry(self, sink: SessionSink, append: Append, error: Exception) -> None:
        """The runner reads where the log stands; what came from outside is chained again."""
        logger.warning("An append of session %s failed: %s", append.session, error)
        sink.missed()

    def _tell_turn(self) -> None:
        turned, self._turned = self._turned, []
        for future in turned:
            if not future.done():
                future.set_result(None)
