"""Threads for plain functions: no session can take those of the others.

Each call has a thread of its own, which ends with it. A thread can't be stopped: one that blocks
keeps its session's place until it comes back, and ends with the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections import Counter, deque
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
#: Threads of one session at once, and of all of them.
PER_SESSION, IN_ALL = 8, 256


class Threads:
    """Places for threads, given in order of asking; a session at its bound holds up nobody."""

    def __init__(self, per_session: int = PER_SESSION, in_all: int = IN_ALL) -> None:
        self.per_session, self.in_all = per_session, in_all
        self._running: Counter[str] = Counter()
        self._waiting: deque[Turn] = deque()
        self._lock = threading.Lock()

    def running(self, session: str) -> int:
        """How many threads a session has."""
        return self._running[session]

    async def turn(self, session: str) -> Turn:
        """Wait for a place; it is given back when ``run`` ends, or by ``leave``."""
        turn = Turn(self, session)
        with self._lock:
            self._waiting.append(turn)
        self._grant()
        try:
            await turn.granted
        except BaseException:
            turn.leave()
            raise
        return turn

    def left(self, turn: Turn) -> None:
        """A place is free, or is not wanted any more."""
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:
                self._running[turn.session] -= 1
                self._running += Counter()  # sessions without a thread are not kept
        self._grant()

    def _grant(self) -> None:
        with self._lock:
            for turn in list(self._waiting):
                if self._running.total() >= self.in_all:
                    return
                if self._running[turn.session] < self.per_session:
                    self._waiting.remove(turn)
                    self._running[turn.session] += 1
                    turn.grant()


class Turn:
    """A place for one thread."""

    def __init__(self, threads: Threads, session: str) -> None:
        self.session = session
        self.blocked = False
        self._threads = threads
        self._loop = asyncio.get_running_loop()
        self._left = False
        self.granted: asyncio.Future[None] = self._loop.create_future()

    def grant(self) -> None:
        """Let it begin, from whatever thread."""
        self._tell(self.granted, None)

    def leave(self) -> None:
        """Give the place back."""
        if not self._left:
            self._left = True
            self._threads.left(self)

    async def run(self, call: Callable[[], T]) -> T:
        """Run the call in a thread; whoever stops waiting leaves it running."""
        done: asyncio.Future[T] = self._loop.create_future()
        here = contextvars.copy_context()
        self.blocked = True
        work = threading.Thread(
            target=self._work, args=(here, call, done), name=f"tool-{self.session}", daemon=True
        )
        work.start()
        return await done

    def _work(
        self, here: contextvars.Context, call: Callable[[], T], done: asyncio.Future[T]
    ) -> None:
        try:
            result, error = here.run(call), None
        except BaseException as raised:
            result, error = None, raised
        if isinstance(error, (StopIteration, SystemExit, KeyboardInterrupt)):
            error = RuntimeError(f"{type(error).__name__}: {error}")  # a loop can't carry these
        self.blocked = False
        self.leave()
        self._tell(done, result, error)

    def _tell(
        self, future: asyncio.Future[Any], result: Any, error: BaseException | None = None
    ) -> None:
        def tell() -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            self._loop.call_soon_threadsafe(tell)


#: Those of this process.
THREADS = Threads()
