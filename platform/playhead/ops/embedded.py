"""The app that runs sessions, entered by name: the platform stands below it.

`agents_app.management.embedded` offers `prepare(settings, demo)` and `start_worker(loop)`; see
docs/protocol.md, section 5.
"""

import asyncio
import inspect
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

ROOM = "agents_app.management.embedded"


def _room() -> ModuleType | None:
    return import_module(ROOM) if find_spec(ROOM) is not None else None


def prepare(*, demo: bool) -> None:
    """Register the agents of this installation and, on request, the demo's recorded sessions."""
    room = _room()
    if room is not None:
        room.prepare(settings, demo=demo)


async def run_worker(*, concurrency: int | None = None) -> None:
    """Run sessions on this loop until cancelled, then give the leases back."""
    room = _room()
    if room is None:
        await asyncio.Event().wait()
        return
    limit = {} if concurrency is None else {"concurrency": concurrency}
    stop: Callable[[], Any] = await _settled(room.start_worker(asyncio.get_running_loop(), **limit))
    try:
        await asyncio.Event().wait()
    finally:
        await _settled(stop())


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
