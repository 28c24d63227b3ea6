"""What this process has in flight for one session: it survives a re-entry of the kernel."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from agents_app.engine.children.errands import Errands
from agents_app.engine.errors import Moved

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Flight:
    """Running model and tool calls by the seq of their intent, and intents not started yet.

    An intent that is neither here nor answered was started by somebody who is gone.
    """

    __slots__ = ("_errands", "_fresh", "_tasks", "_threads")

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Task[bool]] = {}
        self._fresh: tuple[int, ...] = ()
        self._threads: list[int] = []
        self._errands: dict[int, Errands] = {}

    def fresh(self, seq: int) -> None:
        """This process has just written the intent and has not started it."""
        self._fresh += (seq,)

    def is_fresh(self, seq: int) -> bool:
        """Whether the intent was written here and not started."""
        return seq in self._fresh

    def known(self, seq: int) -> bool:
        """Whether the intent is of this process: not started yet, running, or just ended."""
        return seq in self._fresh or seq in self._tasks

    @property
    def busy(self) -> bool:
        """Whether anything is running."""
        return any(not task.done() for task in self._tasks.values())

    def join(self, seq: int, start: Callable[[], Awaitable[None]]) -> asyncio.Future[None]:
        """Start an intent's call, or join it where it runs; a cancel of who waits leaves it.

        What is awaited raises as ``finished`` does. It is a plain future, since a session waits in
        it for most of its time: ``asyncio.wait`` would hold a kilobyte meanwhile.
        """
        task = self.begin(seq, start)
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        task.add_done_callback(partial(_tell, ended))
        return ended

    def begin(
        self, seq: int, start: Callable[[], Awaitable[None]], errands: Errands | None = None
    ) -> asyncio.Task[bool]:
        """The task of an intent's call, started where it does not run."""
        task = self._tasks.get(seq)
        if task is None or _undone(task):
            self._fresh = tuple(each for each in self._fresh if each != seq)
            task = self._tasks[seq] = asyncio.create_task(_run(start), name="call")
            if errands is not None:
                self._errands[seq] = errands
        return task

    def errands(self, seq: int) -> Errands:
        """What the call of an intent asks the loop for: of the one that runs, else new ones."""
        task = self._tasks.get(seq)
        known = self._errands.get(seq)
        return known if known is not None and task is not None and not _undone(task) else Errands()

    async def halt(self, seq: int) -> None:
        """Take the function of a call out while the session stands still."""
        if seq in self._errands:
            self._errands[seq].halt()
        task = self._tasks.get(seq)
        if task is not None and not task.done():
            await asyncio.wait({task}, timeout=1.0)
        await self.stop(seq)

    def dropped(self, durable: int) -> None:
        """The head moved: what was written after ``durable`` never was."""
        self._fresh = tuple(seq for seq in self._fresh if seq <= durable)

    def forget(self, seq: int) -> None:
        """The call has ended without an answer and may be started again."""
        task = self._tasks.get(seq)
        if task is not None and task.done():
            del self._tasks[seq]
            self._errands.pop(seq, None)

    async def stop(self, seq: int, grace: float = 1.0) -> None:
        """Cancel a call and wait ``grace`` seconds at most (a thread can't be stopped)."""
        task = self._tasks.get(seq)
        if task is not None and not task.done():
            if seq in self._errands:
                self._errands[seq].halt()  # a thread that waits is not reached by a cancel
            task.cancel()
            await asyncio.wait({task}, timeout=grace)

    async def settle(self, within: float) -> None:
        """Wait until nothing runs, ``within`` seconds at most."""
        self._halt_waiting()
        running = {task for task in self._tasks.values() if not task.done()}
        if running:
            await asyncio.wait(running, timeout=within)

    def in_thread(self, seq: int) -> None:
        """A thread is in the call: nobody can stop it, and what it brings is told."""
        self._threads.append(seq)

    def abort(self) -> None:
        """The lease is lost: cancel at once whatever can be."""
        self._halt_waiting()
        for seq, task in self._tasks.items():
            if seq not in self._threads:
                task.cancel()

    def _halt_waiting(self) -> None:
        """Functions that wait for a loop which is not entered again."""
        for errands in self._errands.values():
            if errands.waiting:
                errands.halt()


def is_stopped_here() -> bool:
    """Whether somebody cancels the running task: else a ``CancelledError`` is code's own."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def finished(task: asyncio.Task[bool]) -> None:
    """Look at a call that has ended.

    Raises:
        Moved: it was stopped before it did anything that lasts.
    """
    if task.cancelled() or not task.result():
        raise Moved


def _tell(ended: asyncio.Future[None], task: asyncio.Task[bool]) -> None:
    if ended.done():
        return
    try:
        finished(task)
    except BaseException as error:
        ended.set_exception(error)
    else:
        ended.set_result(None)


def _undone(task: asyncio.Task[bool]) -> bool:
    """The call ended before it did anything that lasts: stopped, or overtaken by a moved head."""
    return task.done() and (task.cancelled() or (not task.exception() and not task.result()))


async def _run(start: Callable[[], Awaitable[None]]) -> bool:
    """Whether the call ended by itself; a task that nobody waits for any more keeps no error."""
    call = start()
    del start  # with all that it was given: the call has it
    try:
        await call
    except Moved:
        return False
    return True
