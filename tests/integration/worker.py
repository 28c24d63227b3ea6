"""A real worker, run by a test until nothing is left to do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents_app.models import Head
from agents_app.worker.host import SessionHost
from playhead.jobs import home

if TYPE_CHECKING:
    from collections.abc import Callable

#: How often the heads are looked at (seconds).
LOOK = 0.02


def work_all(
    seconds: float = 20, *, until: Callable[[], bool] | None = None, **options: Any
) -> None:
    """Run every session of the test database until it rests or has ended, or something holds.

    ``options`` are the host's.
    """
    asyncio.run(_work_all(seconds, until or _all_rest, options))


async def _work_all(seconds: float, holds: Callable[[], bool], options: dict[str, Any]) -> None:
    home.set_loop(asyncio.get_running_loop())
    host = SessionHost(sweep=LOOK, **options)
    await host.start()
    try:
        async with asyncio.timeout(seconds):
            await _wait(host, holds)
    finally:
        await host.stop()
        home.set_loop(None)


async def _wait(host: SessionHost, holds: Callable[[], bool]) -> None:
    """Nobody tells a test that all sessions rest: the rows do."""
    while not await host.in_thread(holds):  # noqa: ASYNC110
        await asyncio.sleep(LOOK)


def _all_rest() -> bool:
    return not Head.objects.filter(status__in=["queued", "running"]).exists()
