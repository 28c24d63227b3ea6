"""Append many: the sessions of one process share their statements, each fenced alone.

Each session has a sink with a queue. What a session waits for is committed as soon as the last
statement has ended; what nobody waits for yet lingers a few turns of the loop, since the rest of
its commit follows: an answer reaches the kernel, and the kernel its next intents. So in the plain
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
#: Turns of the loop between the end of a call and the intents that follow from it, with room.
LINGER = 12
#: How long a session rests after the database has refused its append, at first and at most (s).
REST = 0.5
LONGEST_REST = 8.0


class Writer:
    """Commits the queues of all sessions of a process, one statement at a time."""

    def __init__(self, store: LogStore) -> None:
        self._commits = Commits(store, self._done)
        self._ready: dict[SessionSink, int] = {}
        self._under_way: list[tuple[SessionSink, Append]] = []
        self._turned: list[asyncio.Future[None]] = []
        self._turns = 0
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
        await asyncio.to_thread(self._commits.stop)

    def ready(self, sink: SessionSink) -> None:
        """The session has something to commit."""
        self._ready.setdefault(sink, self._turns)
        self._turn_soon()

    async def turn(self) -> None:
        """Wait for the end of the next statement."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._turned.append(future)
        await asyncio.wait({future}, timeout=0.05)

    def _turn_soon(self) -> None:
        if not self._turning and not self._under_way:
            self._turning = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._turning = False
        if self._under_way:
            return
        self._turns += 1
        self._under_way = self._next()
        if self._under_way:
            self.commits += 1
            self._commits.send([append for _, append in self._under_way])
        elif self._ready:
            self._turn_soon()

    def _next(self) -> list[tuple[SessionSink, Append]]:
        batch: list[tuple[SessionSink, Append]] = []
        for sink, since in list(self._ready.items()):
            if len(batch) == BATCH:
                break
            if not sink.awaited and self._turns - since < LINGER:
                continue
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
        if self._ready:
            self._turn_soon()
