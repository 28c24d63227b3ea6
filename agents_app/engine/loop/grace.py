"""Code that does not stop when it is told to gets a moment, and is then left behind.

It may swallow a cancellation, and nobody can stop it from running on; but it writes nothing more,
and its session goes on without it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from agents_app.engine.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine

    from agents_app.engine.loop.shared import Loop
    from playhead.core.events import Event

logger = logging.getLogger(__name__)
T = TypeVar("T")
#: How long code has to come to its end (seconds); less than a worker gives itself to stop.
GRACE = 2.0


async def stopped(entered: asyncio.Future[Any], loop: Loop) -> bool:
    """Cancel an entry into the kernel; False when it does not end and is left behind."""
    entered.cancel()
    await asyncio.wait({entered}, timeout=GRACE)
    if not entered.done():
        logger.warning("Session %s: code does not stop; it is left behind", loop.session_id)
        loop.seam.abandon()
        entered.add_done_callback(_forget)
    return entered.done()


def cancellable(loop: Loop, work: Coroutine[Any, Any, T]) -> Awaitable[T]:
    """A hook or a step to be awaited; once a person has cancelled the run, only for a moment.

    Raises:
        Cancelled: it takes longer.
    """
    cancel = loop.seam.cancelled(loop.seam.until)
    return work if cancel is None else _for_a_moment(work, cancel)


async def _for_a_moment(work: Coroutine[Any, Any, T], cancel: Event) -> T:
    task = asyncio.ensure_future(_no_exit(work))
    try:
        await asyncio.wait({task}, timeout=GRACE)
        if task.done():
            return task.result()
        raise Cancelled(cancel.seq)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(_forget)


async def _no_exit(work: Coroutine[Any, Any, T]) -> T:
    """A task that exits takes the loop of all sessions with it."""
    try:
        return await work
    except (SystemExit, KeyboardInterrupt) as error:
        raise RuntimeError(f"{type(error).__name__}: {error}") from error


def _forget(task: asyncio.Future[Any]) -> None:
    if not task.cancelled():
        task.exception()
