"""What ``playhead up`` and ``playhead worker`` find here: agents made known, sessions run."""

from __future__ import annotations

from typing import Any, TYPE_CHECKING

from agents_app.worker.host import SessionHost

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    import asyncio


def prepare(settings: Any, *, demo: bool) -> None:
    """Make the agents of this installation known and, with ``demo``, load the recorded sessions."""
    from agents_app.services.agents import agents_sync

    agents_sync()
    if demo:
        from agents_app.demo.recorded import load_recorded

        load_recorded()


async def start_worker(
    loop: asyncio.AbstractEventLoop, *, concurrency: int = 100
) -> Callable[[], Awaitable[None]]:
    """Run sessions on ``loop``; the returned coroutine function stops and gives leases back."""
    host = SessionHost(concurrency=concurrency)
    await host.start()
    return host.stop
