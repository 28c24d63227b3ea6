"""Where a commit is waited for: on the loop where the store has a lane, else in a thread.

A thread has to be woken for every statement, and the loop by the thread: both cost more than the
statement itself. So the loop uses the lane, and the thread is there for what needs patience: the
first connection, a head that somebody holds, a database that is away.
"""

from __future__ import annotations

import asyncio
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

from django.db import connections

from agents_app.adapters.stores.port import AppendError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from agents_app.adapters.stores.port import Append, Lane, LogStore

#: After so many lanes in a row that failed at once there is none: a pooler may not keep statements.
LANES = 3

Results = "list[bool | Exception]"


class Commits:
    """Commits batches, the next one when ``done`` has heard of the last."""

    def __init__(self, store: LogStore, done: Callable[[Sequence[bool | Exception]], None]) -> None:
        self._store, self._done = store, done
        self._jobs: SimpleQueue[list[Append] | None] = SimpleQueue()
        self._batch: list[Append] = []
        self._moved: Collection[int] = ()
        self._lane: Lane | None = None
        self._failed = 0
        self._thread = threading.Thread(target=self._work, name="log-writer", daemon=True)

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start; ``done`` is called on this loop."""
        self._loop = loop
        self._thread.start()

    async def stop(self) -> None:
        """End; the thread gives its connection back."""
        if self._lane is not None:
            self._lane.leave()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def send(self, batch: list[Append]) -> None:
        """Commit a batch."""
        self._batch, self._moved = batch, ()
        if not self._by_lane(batch):
            self._wait_for(batch)

    def _wait_for(self, batch: list[Append]) -> None:
        """Have the thread append them."""
        if self._lane is not None:
            self._lane.leave()
        self._jobs.put(batch)

    def _by_lane(self, batch: list[Append]) -> bool:
        try:
            return self._lane is not None and self._lane.send(batch, self._heard)
        except Exception:  # one of them can't be laid out: the thread tells which
            return False

    def _heard(self, moved: Collection[int] | None) -> None:
        """The lane has ended: whoever it did not move is tried with patience."""
        if moved is None:
            lane, self._lane = self._lane, None
            self._failed += 1
            if lane is not None:
                lane.leave()
            self._jobs.put(self._batch)
            return
        self._moved, self._failed = moved, 0
        left = [append for append in self._batch if append.session not in moved]
        if left:
            self._wait_for(left)
        else:
            self._done([True] * len(self._batch))

    def _patient(self, results: list[bool | Exception], lane: Lane | None) -> None:
        """The thread has ended."""
        self._lane = lane
        rest = iter(results)
        self._done([append.session in self._moved or next(rest) for append in self._batch])

    def _work(self) -> None:
        while (batch := self._jobs.get()) is not None:
            results = self._append(batch)
            lane = self._lane or self._new_lane()
            self._loop.call_soon_threadsafe(self._patient, results, lane)
        connections.close_all()

    def _append(self, batch: list[Append]) -> list[bool | Exception]:
        try:
            return list(self._store.append(batch))
        except AppendError as error:
            return error.results
        except Exception as error:
            return [error] * len(batch)

    def _new_lane(self) -> Lane | None:
        if self._failed >= LANES:
            return None
        try:
            return self._store.lane(self._loop)
        except Exception:  # the thread goes on without
            return None
