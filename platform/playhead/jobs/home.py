"""The home loop: the one event loop of a process on which wake-ups and async jobs run.

A server or a worker registers its loop at start. The in-memory channel layer is not thread-safe:
a message that is sent from another thread's loop wakes nobody until a timer fires, so every sender
hops to the home loop. A process without one (a command) gets a background loop on first need.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any

from playhead.core.clock import SystemClock

logger = logging.getLogger(__name__)

# What may be in flight. Beyond it a message is dropped, which costs latency only.
MOST_PENDING = 10_000
COMPLAIN_EVERY = 5.0

_loop: asyncio.AbstractEventLoop | None = None
_background: asyncio.AbstractEventLoop | None = None
_quiet_until = 0.0
_pending: set[Future[Any] | asyncio.Task[Any]] = set()
_lock = threading.Lock()


def set_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """Make this the home loop; None when it is about to close."""
    global _loop  # noqa: PLW0603 - one per process is the point
    _loop = loop


def get_loop() -> asyncio.AbstractEventLoop | None:
    """The home loop, if one is registered and open."""
    return None if _loop is None or _loop.is_closed() else _loop


def adopt() -> None:
    """Make the running loop the home loop, unless one is registered. Called where sockets live."""
    if get_loop() is None:
        set_loop(asyncio.get_running_loop())


def _some_loop() -> asyncio.AbstractEventLoop:
    global _background  # noqa: PLW0603 - one per process is the point
    with _lock:
        if (loop := get_loop()) is not None:
            return loop
        if _background is None:
            _background = asyncio.new_event_loop()
            run = _background.run_forever
            threading.Thread(target=run, name="background-loop", daemon=True).start()
        return _background


def spawn(make: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    """Run a coroutine on the home loop and forget it; failures are logged. From any thread."""
    if len(_pending) >= MOST_PENDING:
        logger.warning("The home loop is behind: a message was dropped")
        return
    loop = _some_loop()
    if loop is asyncio._get_running_loop():
        task = loop.create_task(make())  # nothing has to wake up
        _pending.add(task)
        task.add_done_callback(_settled)
        return
    future = asyncio.run_coroutine_threadsafe(make(), loop)
    _pending.add(future)
    future.add_done_callback(_settled)


def _settled(future: Future[Any] | asyncio.Task[Any]) -> None:
    _pending.discard(future)
    if not future.cancelled() and (error := future.exception()) is not None:
        _complain(error)


def _complain(error: BaseException) -> None:
    """While a channel layer is away every message fails: one line in a while is enough."""
    global _quiet_until  # noqa: PLW0603 - one per process is the point
    now = SystemClock().monotonic()
    if now >= _quiet_until:
        _quiet_until = now + COMPLAIN_EVERY
        logger.warning("A message was not sent: %s: %s", type(error).__name__, error)
