"""The session host of a process: takes sessions, holds at most so many, gives them back.

Every host sweeps by itself once a second for what is runnable and unowned, expired, or due; a job
``agents.advance`` only shortens the wait.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import close_old_connections

from agents_app.adapters.models import close_models, resolve
from agents_app.adapters.stores import log_store
from agents_app.worker import alone
from agents_app.worker.leases import TTL, LeaseKeeper
from agents_app.worker.runner import Models, SessionRunner
from agents_app.worker.writer import Writer
from playhead.core.ids import new_token

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agents_app.adapters.stores.port import Claimed, LogStore

logger = logging.getLogger(__name__)

SWEEP = 1.0
GRACE = 10.0
#: After so many claims without an answer, a step or a question, a session runs alone.
ATTEMPTS = 2


def owner_name() -> str:
    """Who holds a lease: host, process, and a word that a restarted process does not share."""
    return f"{socket.gethostname()}:{os.getpid()}:{new_token(6)}"


class SessionHost:
    """Runs sessions on the current event loop.

    Args:
        concurrency: how many sessions at once.
        only: run just this session, whatever its attempts (a process of its own).
        models: the model of a name.
    """

    def __init__(
        self, *, concurrency: int = 100, store: LogStore | None = None, only: int | None = None,
        ttl: float = TTL, sweep: float = SWEEP, models: Models = resolve,
    ) -> None:  # fmt: skip
        self.owner = owner_name()
        self.concurrency = concurrency
        self.only = only
        self.ttl = ttl
        self._sweep = sweep
        self._models = models
        self._store = store or log_store()
        self._runners: dict[int, SessionRunner] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="worker-db")
        self._writer = Writer(self._store)
        self._keeper = LeaseKeeper(
            store=self._store, owner=self.owner, held=self._held, renewed=self._renewed,
            lost=self._lost, ttl=ttl, every=ttl / 3,
        )  # fmt: skip
        self._looking = asyncio.Event()
        self._sweeper: asyncio.Task[None] | None = None
        self._stopping = False

    async def start(self) -> None:
        """Begin to sweep."""
        self._writer.start()
        self._keeper.start(asyncio.get_running_loop())
        self._sweeper = asyncio.create_task(self._sweep_forever())
        set_current(self)

    async def stop(self, grace: float = GRACE) -> None:
        """Claim and start nothing, let effects end within ``grace`` seconds, give leases back."""
        self._stopping = True
        set_current(None)
        if self._sweeper is not None:
            self._sweeper.cancel()
        for runner in self._runners.values():
            runner.grace = grace
            runner.drain()
        if self._tasks:
            await asyncio.wait(set(self._tasks.values()), timeout=grace + 2)
        await self._writer.stop()
        await close_models()
        self._keeper.stop()
        self._pool.shutdown(wait=False)

    async def advance(self, session: int) -> None:
        """A wake-up: look at this session now."""
        runner = self._runners.get(session)
        if runner is not None:
            runner.poke()
        else:
            await self._claim(only=session)

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
            try:
                await self._claim(only=self.only)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                logger.warning("The sweep failed and is tried again: %s", error)
            await asyncio.sleep(self._sweep)

    async def _claim(self, *, only: int | None = None) -> None:
        room = self.concurrency - len(self._tasks)
        if self._stopping or room <= 0:
            return
        claimed = await self.in_thread(self._take, room, only)
        for session in claimed:
            self._start(session)

    def _take(self, room: int, only: int | None) -> list[Claimed]:
        return self._store.claim(owner=self.owner, limit=room, ttl=self.ttl, only=only)

    def _start(self, claimed: Claimed) -> None:
        if claimed.session in self._runners:
            return
        task = asyncio.create_task(self._run(claimed), name=f"session-{claimed.session}")
        self._tasks[claimed.session] = task
        self._keeper.claimed(claimed.session)

    async def _run(self, claimed: Claimed) -> None:
        try:
            if claimed.attempts > ATTEMPTS and self.only is None:
                await alone.isolate(claimed, store=self._store, in_thread=self.in_thread)
                return
            if claimed.attempts > ATTEMPTS + 1:
                await self.in_thread(alone.give_up, self._store, claimed)
                return
            runner = SessionRunner(
                claimed,
                store=self._store,
                writer=self._writer,
                in_thread=self.in_thread,
                owner=self.owner,
                models=self._models,
            )
            self._runners[claimed.session] = runner
            await runner.run()
        except Exception:
            logger.exception("Session %s stopped by a fault of ours", claimed.public_id)
            give_back = partial(self._store.release, claimed.session, claimed.epoch, tried=True)
            await self.in_thread(give_back)
        finally:
            self._runners.pop(claimed.session, None)
            self._tasks.pop(claimed.session, None)

    def _held(self) -> dict[int, int]:
        return {session: runner.epoch for session, runner in list(self._runners.items())}

    def _renewed(self, seqs: Mapping[int, int]) -> None:
        for session, seq in seqs.items():
            runner = self._runners.get(session)
            if runner is not None:
                runner.heard(seq)

    def _lost(self, sessions: list[int]) -> None:
        for session in sessions:
            runner = self._runners.get(session)
            if runner is not None:
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
