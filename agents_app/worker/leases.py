"""Leases: short, renewed for all sessions of a process in one statement, by a thread of its own.

The thread renews only while the event loop ticks, so that a stuck process loses its sessions; when
a renewal does not come through in time, everything in flight is cancelled and nothing starts.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from django.db import close_old_connections

from playhead.core.clock import SystemClock

if TYPE_CHECKING:
    import asyncio

    from agents_app.adapters.stores.port import LogStore

logger = logging.getLogger(__name__)
_clock = SystemClock()

TTL = 15.0
EVERY = 5.0
#: Before the database gives a session to somebody else, we have stopped by ourselves.
MARGIN = 0.15

Held = Callable[[], dict[int, int]]


class LeaseKeeper:
    """Renews what ``held()`` says (session → epoch).

    ``renewed(seqs)`` gets the head seqs of what is still ours, ``lost(leases)`` what is not, as
    ``held()`` said it; both are called on the loop.
    """

    def __init__(
        self,
        *,
        store: LogStore,
        owner: str,
        held: Held,
        renewed: Callable[[Mapping[int, int]], None],
        lost: Callable[[Mapping[int, int]], None],
        ttl: float = TTL,
        every: float = EVERY,
    ) -> None:
        self._store, self._owner = store, owner
        self._held, self._renewed, self._lost = held, renewed, lost
        self._ttl, self._every = ttl, every
        self._stop = threading.Event()
        self._ticked = _clock.monotonic()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._renewed_at: dict[int, float] = {}

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the thread; ``loop`` is the one that must tick."""
        self._loop = loop
        self._thread = threading.Thread(target=self._work, name="lease-keeper", daemon=True)
        self._thread.start()

    def claimed(self, session: int) -> None:
        """A lease that has just been taken counts from now."""
        self._renewed_at[session] = _clock.monotonic()

    def left(self, session: int) -> None:
        """A lease that is not held any more."""
        self._renewed_at.pop(session, None)

    def stop(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=2)

    def _work(self) -> None:
        while not self._stop.wait(min(self._every / 2, 1.0)):
            loop = self._loop
            if loop is None or loop.is_closed():
                return
            loop.call_soon_threadsafe(self._tick)
            self._check()
            if _clock.monotonic() - self._ticked < self._every + 1:
                self._renew()

    def _tick(self) -> None:
        self._ticked = _clock.monotonic()

    def _due(self, held: Mapping[int, int]) -> bool:
        now = _clock.monotonic()
        return any(now - self._renewed_at.get(session, 0) >= self._every * 0.9 for session in held)

    def _renew(self) -> None:
        held = self._held()
        if not held or not self._due(held):
            return
        asked = _clock.monotonic()
        try:
            kept = self._store.renew(
                owner=self._owner, sessions=sorted(held.items()), ttl=self._ttl
            )
        except Exception as error:
            logger.warning("Leases could not be renewed: %s", error)
            return
        finally:
            close_old_connections()
        seqs = {session: seq for session, seq in kept.items() if seq is not None}
        self._renewed_at.update(dict.fromkeys(seqs, asked))  # who was claimed meanwhile stays
        self._call(self._renewed, seqs)
        gone = {session: epoch for session, epoch in held.items() if session not in kept}
        if gone:
            self._call(self._lost, gone)

    def _check(self) -> None:
        """What could not be renewed in time is not ours any more, whatever the database says."""
        now = _clock.monotonic()
        late = {
            session: epoch
            for session, epoch in self._held().items()
            if now - self._renewed_at.get(session, now) > self._ttl * (1 - MARGIN)
        }
        if late:
            self._call(self._lost, late)

    def _call(self, function: Callable[..., None], value: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, value)
