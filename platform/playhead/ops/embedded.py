"""The apps that keep and run sessions, entered by name: the platform stands below them.

A room offers `prepare(settings, demo)`, and one of them `start_worker(loop)`; see
docs/protocol.md, section 5.
"""

import asyncio
import inspect
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from django.conf import settings

from playhead.core.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable

ROOMS = ("agents_app.management.embedded", "replay_app.management.embedded")


def _rooms() -> list[ModuleType]:
    return [import_module(name) for name in ROOMS if find_spec(name) is not None]


def prepare(*, demo: bool) -> None:
    """Register the agents of this installation and, on request, the demo's recorded sessions."""
    for room in _rooms():
        room.prepare(settings, demo=demo)


def load() -> None:
    """Load what people added to this installation, so that no first request waits for it."""
    for room in _rooms():
        if hasattr(room, "load"):
            room.load()


def agent_problems() -> list[str]:
    """What keeps agents of this installation from being loaded, a sentence each."""
    rooms = [room for room in _rooms() if hasattr(room, "agent_problems")]
    return [problem for room in rooms for problem in room.agent_problems(settings)]


def plugin_problems() -> list[str]:
    """What keeps plug-ins of this installation from being used, a sentence each."""
    rooms = [room for room in _rooms() if hasattr(room, "plugin_problems")]
    return [problem for room in rooms for problem in room.plugin_problems()]


def vault_problems() -> list[str]:
    """Why this process cannot open what is sealed in the database, a sentence each."""
    found = [room.vault_problem() for room in _rooms() if hasattr(room, "vault_problem")]
    return [problem for problem in found if problem]


def require_keys() -> None:
    """Go on only with the vault key that the database was sealed with.

    Under another key new sessions would be sealed too, and no single key would open them all.

    Raises:
        Conflict: `vault_locked`: what is sealed does not open; says what to do.
    """
    for problem in vault_problems():
        raise Conflict(
            f"{problem} Bring back the vault key that was used before (vault.key in the data "
            "folder, or PLAYHEAD_VAULT_KEY). If it is lost for good, start with --lost-key: what "
            "was sealed stays closed, and all else goes on.",
            code="vault_locked",
        )


async def run_worker(*, concurrency: int | None = None) -> None:
    """Run sessions on this loop until cancelled, then give the leases back."""
    room = next((each for each in _rooms() if hasattr(each, "start_worker")), None)
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
