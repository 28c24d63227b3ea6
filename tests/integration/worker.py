"""A real worker, run by a test until nothing is left to do."""

from __future__ import annotations

import asyncio

from agents_app.models import Head
from agents_app.worker.host import SessionHost
from playhead.jobs import home

#: How often the heads are looked at (seconds).
LOOK = 0.02


def work_all(seconds: float = 20) -> None:
    """Run every session of the test database until it rests or has ended."""
    asyncio.run(_work_all(seconds))


async def _work_all(seconds: float) -> None:
    home.set_loop(asyncio.get_running_loop())
    host = SessionHost(sweep=LOOK)
    await host.start()
    try:
        async with asyncio.timeout(seconds):
            await _rest(host)
    finally:
        await host.stop()
        home.set_loop(None)


async def _rest(host: SessionHost) -> None:
    """Nobody tells a test that all sessions rest: the rows do."""
    while await host.in_thread(_at_work):  # noqa: ASYNC110
        await asyncio.sleep(LOOK)


def _at_work() -> bool:
    return Head.objects.filter(status__in=["queued", "running"]).exists()
