"""A real worker, run by a test until nothing is left to do."""

from __future__ import annotations

import asyncio

from agents_app.models import Head
from agents_app.worker.host import SessionHost
from playhead.jobs import home


def work_all(seconds: float = 20) -> None:
    """Run every session of the test database until it rests or has ended."""
    asyncio.run(_work_all(seconds))


async def _work_all(seconds: float) -> None:
    home.set_loop(asyncio.get_running_loop())
    host = SessionHost(sweep=0.02)
    await host.start()
    try:
        async with asyncio.timeout(seconds):
            while await host.in_thread(_at_work):
                await asyncio.sleep(0.02)
    finally:
        await host.stop()
        home.set_loop(None)


def _at_work() -> bool:
    return Head.objects.filter(status__in=["queued", "running"]).exists()
