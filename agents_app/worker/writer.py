"""Append many: the sessions of one process share their statements, each fenced alone.

Each session has a sink with a queue. What a session waits for is committed as soon as the last
statement has ended; what nobody waits for yet lingers for a moment, since the rest of its commit
follows: an answer reaches the kernel, and the kernel its next intents. So in the plain
case a step is two commits: the response with its intents, and the results with the step's end and
the next request.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from agents_app.worker.commits import Commits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.adapters.stores.port import Append, LogStore
    from agents_app.worker.sink import SessionSink

logger = logging.getLogger(__name__)

BATCH = 200
#: How long what nobody waits for lingers (seconds): the intents that follow from an answer are
#: there in much less, unless the processor is busy with others.
LINGER = 0.005
NOW = 0.0
#: How long a session rests after the database has refused its append, at first and at most (s).
REST = 0.5
LONGEST_REST = 8.0


class Writer:
    """Commits the queues of all sessions of a process, one statement at a time."""

    def __init__(self, store: LogStore) -> None:
        self._commits = Commits(store, self._done)
        self._ready: dict[SessionSink, float] = {}  # and when it is to be taken
        self._timer: asyncio.TimerHandle | None = None
        self._under_way: list[tuple[SessionSink, Append]] = []
        self._turned: list[asyncio.Future[None]] = []
        self._turning = False
        self.commits = 0

    def start(self) -> None:
        """Start committing, on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._commits.start(self._loop)

    async def stop(self) -> None:
        """Commit what is queued, then end."""
        while self._ready or self._under_way:
            await self.turn()
        if self._timer is not None:
            self._timer.cancel()
        await self._commits.stop()

    def ready(self, sink: SessionSink) -> None:
        """The session has something to commit."""
        if sink.awaited:
            self._ready[sink] = NOW
            self._turn_soon()
        elif sink not in self._ready:
            self._ready[sink] = self._loop.time() + LINGER
            if self._timer is None:
                self._timer = self._loop.call_later(LINGER, self._look)

    async def turn(self) -> None:
        """Wait for the end of the next statement."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._turned.append(future)
        await asyncio.wait({future}, timeout=0.05)

    def _look(self) -> None:
        """Send what has lingered."""
        now, self._timer = self._loop.time(), None
        for sink, at in self._ready.items():
            if NOW < at <= now:
                self._ready[sink] = NOW
                self._turn_soon()
        if self._ready:
            self._timer = self._loop.call_later(LINGER, self._look)

    def _turn_soon(self) -> None:
        """Send on the next turn of the loop: who is to wait in this one shares the statement."""
        if not self._turning and not self._under_way:
            self._turning = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._turning = False
        if self._under_way:
            return
        self._under_way = self._next()
        if self._under_way:
            self.commits += 1
            self._commits.send([append for _, append in self._under_way])

    def _next(self) -> list[tuple[SessionSink, Append]]:
        batch: list[tuple[SessionSink, Append]] = []
        for sink in [sink for sink, at in self._ready.items() if at == NOW][:BATCH]:
            del self._ready[sink]
            append = sink.take()
            if append is not None:
                batch.append((sink, append))
        return batch

    def _done(self, results: Sequence[bool | Exception]) -> None:
        """Tell each session what became of its append."""
        for (sink, append), result in zip(self._under_way, results, strict=True):
            try:
                self._tell(sink, append, result)
            except Exception:  # the writer of all sessions outlives a fault of one
                logger.exception("A commit of session %s was not followed up", append.session)
        turned, self._turned = self._turned, []
        for future in turned:
            if not future.done():
                future.set_result(None)
        self._go_on()

    def _tell(self, sink: SessionSink, append: Append, result: bool | Exception) -> None:
        if isinstance(result, Exception):
            # After a rest, which the others need not take, the runner reads where the log stands;
            # what came from outside is chained again.
            logger.warning("An append of session %s failed: %s", append.session, result)
            rest = min(REST * 2**sink.refused, LONGEST_REST)
            sink.refused += 1
            self._loop.call_later(rest, sink.missed)
        elif result:
            sink.committed(append)
        else:
            sink.missed()

    def _go_on(self) -> None:
        self._under_way = []
        if NOW in self._ready.values():
            self._turn_soon()
