"""One worker process of the harness: its sink, and its entries into the kernel.

A crash loses everything that was not committed, and whatever was in flight.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from agents_app.engine.errors import Divergence, Moved
from agents_app.engine.log.journal import Journal
from agents_app.engine.log.mismatch import answer_mismatch, end_unfollowed
from agents_app.engine.log.record import Record
from agents_app.engine.log.recovery import expired_questions, has_lease, lease_draft
from agents_app.engine.loop.flight import Flight
from agents_app.engine.loop.grace import stopped
from agents_app.engine.loop.kernel import Kernel
from agents_app.engine.loop.shared import Loop

if TYPE_CHECKING:
    from agents_app.engine.log.journal import VaultRows
    from agents_app.engine.spec import Outcome
    from agents_app.testing.session import Session
    from playhead.core.events import Event, StoredEvent

#: Turns of the loop within which what belongs to one commit is emitted.
LINGER = 12


class Crashed(BaseException):
    """The process is dead. Raised by a commit hook to kill it, and by what finds it dead."""


class Process:
    """A worker that holds the session; what it has not committed dies with it."""

    def __init__(self, session: Session, *, recovers: bool = False) -> None:
        self.session = session
        self.recovers = recovers
        self.sink = ProcessSink(self)
        record = Record(session.log.events)
        self.journal = Journal(
            session_id=session.id,
            record=record,
            sink=self.sink,
            clock=session.clock,
            seals=session.seals,
        )
        self.flight = Flight()
        self.donor = session.donor()
        self.dead = False
        self._poked = asyncio.Event()

    def poke(self) -> None:
        """Somebody has written."""
        self._poked.set()

    def kill(self) -> None:
        """Like SIGKILL: nothing runs on, nothing more is written."""
        self.dead = True
        self.flight.abort()
        self._poked.set()

    async def advance(self) -> Outcome:
        """Enter the kernel until the session rests.

        Raises:
            Crashed: the process was killed.
        """
        while True:
            outcome = await self._enter()
            if self.dead:
                await self.flight.settle(1.0)
                raise Crashed
            if outcome is not None and await self._rests():
                return outcome
            await self._read_on()

    async def _rests(self) -> bool:
        """Going to wait is an append without events, fenced like any."""
        await self.sink.settled()
        if self.dead:
            raise Crashed
        return not self.sink.moved and self.session.log.seq == self.sink.seq

    async def _enter(self) -> Outcome | None:
        loop, epoch = self._loop(), self.session.epoch
        with contextlib.suppress(Moved):
            if self.recovers and not has_lease(loop.record, epoch):
                self.journal.emit(lease_draft(loop.record, epoch=epoch, owner=f"worker-{epoch}"))
            for draft in expired_questions(loop.record, now=loop.clock.now(), to=loop.root):
                self.journal.emit(draft)
            end_unfollowed(loop, epoch=epoch, owner=f"worker-{epoch}")
        entered = asyncio.ensure_future(Kernel(loop, states=self.session.states()).run())
        poked = asyncio.ensure_future(self._poked.wait())
        await asyncio.wait({entered, poked}, return_when=asyncio.FIRST_COMPLETED)
        poked.cancel()
        if not entered.done() and not await stopped(entered, loop):
            return None
        try:
            return await entered
        except (Moved, asyncio.CancelledError):
            return None
        except Divergence as error:
            self.session.mismatches.append(error)
            with contextlib.suppress(Moved):
                answer_mismatch(loop, error, epoch=self.session.epoch, owner="worker")
            return None

    def _loop(self) -> Loop:
        session = self.session
        return Loop(
            session_id=session.id,
            record=self.journal.record,
            journal=self.journal,
            clock=session.clock,
            model=lambda _name: session.model,
            live=_Deltas(session),
            actor=session.actor(),
            parts=session.parts,
            flight=self.flight,
            donor=self.donor,
            versions=session.versions,
            price=session.price,
            sleep=session.sleep,
        )

    async def _read_on(self) -> None:
        """Read what others wrote; what came from outside is chained behind it."""
        await self.sink.settled()
        self._poked.clear()
        durable, log = self.sink.seq, self.session.log
        news = [event for event in log.events if event.seq > durable]
        if not news and not self.sink.moved:
            return
        self.sink.rebased(log.seq)
        self.flight.dropped(durable)
        self.journal.rebase(durable, news)


class ProcessSink:
    """Commits whatever is ready, as one append, a few turns after it was emitted."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.seq = process.session.log.seq
        self.moved = False
        self._queue: list[tuple[Event, StoredEvent, VaultRows, bytes | None]] = []
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def submit(
        self, event: Event, stored: StoredEvent, rows: VaultRows, checkpoint: bytes | None
    ) -> None:
        """Queue the next event."""
        if self.moved or self.process.dead:
            return
        self._queue.append((event, stored, rows, checkpoint))
        if self._task is None:
            self._task = asyncio.ensure_future(self._commit_soon())

    async def durable(self, seq: int) -> None:
        """Wait for the commit of ``seq``."""
        if self.moved or self.process.dead:
            raise Moved
        if seq > self.seq:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append((seq, waiter))
            await waiter

    async def settled(self) -> None:
        """Wait until nothing is being committed."""
        if self._task is not None:
            await asyncio.wait({self._task})

    def rebased(self, seq: int) -> None:
        """The log was read up to ``seq``."""
        self.seq, self.moved = seq, False
        self._queue.clear()

    async def _commit_soon(self) -> None:
        for _ in range(LINGER):
            await asyncio.sleep(0)
        self._task = None
        self._commit()

    def _commit(self) -> None:
        session, queue = self.process.session, self._queue
        self._queue = []
        if not queue or self.process.dead:
            return
        batch = [event for event, *_ in queue]
        session.commits += 1
        number = session.commits
        try:
            if session.before_commit is not None:
                session.before_commit(session, number, batch)
            if not session.log.append(self.seq, [(event, stored) for event, stored, *_ in queue]):
                self._miss()
                return
            for event, _, rows, checkpoint in queue:
                session.log.keep(rows, event.seq, checkpoint)
            self.seq = session.log.seq
            if session.after_commit is not None:
                session.after_commit(session, number, batch)
        except Crashed:
            self.process.kill()
            self._release(Moved())
            return
        for seq, waiter in self._waiters:
            if seq <= self.seq and not waiter.done():
                waiter.set_result(None)
        self._waiters = [(seq, waiter) for seq, waiter in self._waiters if seq > self.seq]

    def _miss(self) -> None:
        self.moved = True
        self.process.journal.moved = True
        self._release(Moved())
        self.process.poke()

    def _release(self, error: BaseException) -> None:
        for _, waiter in self._waiters:
            if not waiter.done():
                waiter.set_exception(error)
        self._waiters = []


class _Deltas:
    """Stream text, kept for the test."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def watched(self) -> bool:
        return self._session.watched

    def delta(self, *, request: int, attempt: int, part: str, at: int, text: str) -> None:
        self._session.deltas.append(text)
