"""The session host of a process: takes sessions, holds at most so many, gives them back.

Every host sweeps by itself once a second for what is runnable and unowned, expired, or due; a job
``agents.advance`` only shortens the wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import close_old_connections

from agents_app.adapters import plugins
from agents_app.adapters.models import resolve
from agents_app.adapters.stores import log_store
from agents_app.worker import holding
from agents_app.worker.alone import (
    ATTEMPTS,
    ENDS,
    PLACES,
    OwnProcess,
    end_unread,
    note_fault,
)
from agents_app.worker.leases import TTL, LeaseKeeper
from agents_app.worker.runner import Models, SessionRunner
from agents_app.worker.writer import Writer
from playhead.core.ids import new_token

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agents_app.adapters.stores.port import Claimed, LogStore

logger = logging.getLogger(__name__)

SWEEP = 1.0
#: The task of a session is named after it.
_NAME = "session-"
#: Less than the process gives itself to stop: leases are given back after it.
GRACE = 6.0


def owner_name() -> str:
    """Who holds a lease: host, process, and a word that a restarted process does not share."""
    return f"{socket.gethostname()}:{os.getpid()}:{new_token(6)}"


class SessionHost:
    """Runs sessions on the current event loop.

    Args:
        concurrency: how many sessions at once.
        only: run just this session.
        alone: start no process for a session that stops its worker: this is one.
        owner: whose leases these are.
        models: the model of a name.
    """

    def __init__(
        self, *, concurrency: int = 100, store: LogStore | None = None, only: int | None = None,
        ttl: float = TTL, sweep: float = SWEEP, models: Models = resolve, alone: bool = False,
        owner: str = "",
    ) -> None:  # fmt: skip
        self.owner = owner or owner_name()
        self.concurrency = concurrency
        self.only = only
        self._alone = alone or only is not None
        self.ttl = ttl
        self._sweep = sweep
        self._models = models
        self._store = store or log_store()
        self._runners: dict[int, SessionRunner | OwnProcess] = {}
        self._places = asyncio.Semaphore(PLACES)
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="worker-db")
        self._writer = Writer(self._store)
        self._keeper = LeaseKeeper(
            store=self._store, owner=self.owner, held=self._held, renewed=self._renewed,
            lost=self._lost, ttl=ttl, every=ttl / 3,
        )  # fmt: skip
        self._claims: set[asyncio.Task[None]] = set()
        self._in_thread, self._ended = self.in_thread, self._left  # one of each for all sessions
        self._asked = 0
        self._look = asyncio.Event()
        self._sweeper: asyncio.Task[None] | None = None
        self._stopping = False

    async def start(self, *, sweeping: bool = True) -> None:
        """Begin to sweep, unless what is run is handed in by ``take``."""
        await plugins.start()
        self._writer.start()
        self._keeper.start(asyncio.get_running_loop())
        if sweeping:
            await self.in_thread(holding.wake)
            self._sweeper = asyncio.create_task(self._sweep_forever())
        set_current(self)

    async def stop(self, grace: float = GRACE) -> None:
        """Claim and start nothing, let effects end within ``grace`` seconds, give leases back."""
        self._stopping = True
        set_current(None)
        if self._sweeper is not None:
            self._sweeper.cancel()
        if self._claims:
            await asyncio.wait(set(self._claims))
        for runner in self._runners.values():
            runner.drain(grace)
        if self._tasks:
            await asyncio.wait(set(self._tasks.values()), timeout=grace + 2)
        await self._writer.stop()
        await plugins.stop()
        self._keeper.stop()
        self._pool.shutdown(wait=False)

    async def advance(self, session: int) -> None:
        """A wake-up: look at this session now."""
        runner = self._runners.get(session)
        if runner is not None:
            runner.poke()
        elif not await self._claim(only=session):
            self._look.set()

    @property
    def busy(self) -> bool:
        """Whether any session is held."""
        return bool(self._tasks)

    @property
    def commits(self) -> int:
        """How many statements the sessions of this host took."""
        return self._writer.commits

    async def idle(self, *, after: float) -> None:
        """Return when no session is held any more, ``after`` seconds at the earliest."""
        await asyncio.sleep(after)
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a blocking function in a database thread, its connection closed afterwards."""
        return await asyncio.get_running_loop().run_in_executor(
            self._pool, _closing, function, args
        )

    async def _sweep_forever(self) -> None:
        while True:
            self._look.clear()
            try:
                await self._claim(only=self.only)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                logger.warning("The sweep failed and is tried again: %s", error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), self._sweep)

    async def _claim(self, *, only: int | None = None) -> bool:
        """Claim what there is room for; False when there is none.

        What another claim has asked for and not got yet is no room. A claim under way is not
        given up with who waits for it: what it brings is held, or given back.
        """
        room = self.concurrency - len(self._tasks) - self._asked
        if self._stopping or room <= 0:
            return False
        room = room if only is None else 1
        self._asked += room
        claim = asyncio.create_task(self._claim_now(room, only))
        self._claims.add(claim)
        claim.add_done_callback(self._claims.discard)
        await asyncio.shield(claim)
        return True

    async def _claim_now(self, room: int, only: int | None) -> None:
        try:
            claimed = await self.in_thread(self._take, room, only)
        finally:
            self._asked -= room
        for session in claimed:
            if self._stopping:
                await self.in_thread(self._store.release, session.session, session.epoch)
            else:
                self.take(session)

    def _take(self, room: int, only: int | None) -> list[Claimed]:
        return self._store.claim(owner=self.owner, limit=room, ttl=self.ttl, only=only)

    def take(self, claimed: Claimed) -> None:
        """Run a session that was claimed for this host.

        One that runs here still has lost its lease to this claim, and goes before it.
        """
        session, former = claimed.session, self._tasks.get(claimed.session)
        if former is not None:
            self._lost({session: claimed.epoch - 1})
        task = asyncio.create_task(self._run(claimed, former), name=f"{_NAME}{session}")
        self._tasks[session] = task
        self._keeper.claimed(session)
        task.add_done_callback(self._ended)

    def _left(self, task: asyncio.Task[None]) -> None:
        session = int(task.get_name().removeprefix(_NAME))
        if self._tasks.get(session) is task:
            del self._tasks[session]
            self._keeper.left(session)

    async def _run(self, claimed: Claimed, former: asyncio.Task[None] | None) -> None:
        session, epoch, name = claimed.session, claimed.epoch, claimed.public_id
        if former is not None:
            await asyncio.wait({former})
        try:
            if claimed.attempts > ENDS:
                await self.in_thread(end_unread, self._store, claimed, self.owner)
                return
            runner = self._runners[session] = self._runner(claimed)
            del claimed  # how it stood then is of no use while it runs, which may take long
            await runner.run()
        except holding.Unfit as unfit:
            hold = partial(holding.hold, self._store, session, epoch, self.owner, str(unfit))
            holding.tell(await self.in_thread(hold))
        except Exception as error:
            logger.exception("Session %s stopped by a fault of ours", name)
            await self.in_thread(self._failed, session, epoch, holding.said_of(error))
        finally:
            self._runners.pop(session, None)

    def _failed(self, session: int, epoch: int, said: str) -> None:
        try:
            note_fault(session, epoch, said)
        finally:
            self._store.release(session, epoch, tried=True)

    def _runner(self, claimed: Claimed) -> SessionRunner | OwnProcess:
        if claimed.attempts > ATTEMPTS and not self._alone:
            return OwnProcess(
                claimed, store=self._store, in_thread=self.in_thread, owner=self.owner,
                places=self._places, every=self.ttl,
            )  # fmt: skip
        return SessionRunner(
            claimed, store=self._store, writer=self._writer, in_thread=self._in_thread,
            owner=self.owner, models=self._models,
        )  # fmt: skip

    def _held(self) -> dict[int, int]:
        held = list(self._runners.items())
        return {session: runner.epoch for session, runner in held if runner.holds}

    def _renewed(self, seqs: Mapping[int, int]) -> None:
        for session, seq in seqs.items():
            runner = self._runners.get(session)
            if runner is not None:
                runner.heard(seq)

    def _lost(self, leases: Mapping[int, int]) -> None:
        for session, epoch in leases.items():
            runner = self._runners.get(session)
            if runner is not None and runner.epoch <= epoch:
                logger.warning("The lease of session %s is lost", session)
                runner.lose()


def _closing(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    close_old_connections()
    try:
        return function(*args)
    finally:
        close_old_connections()


_current: SessionHost | None = None


def set_current(host: SessionHost | None) -> None:
    """The host of this process, for wake-ups."""
    global _current  # noqa: PLW0603 - one per process is the point
    _current = host


def current() -> SessionHost | None:
    """The host of this process, if it runs sessions."""
    return _current
