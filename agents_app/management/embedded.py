"""What ``playhead up`` and ``playhead worker`` find here: agents made known, sessions run."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents_app.worker.host import SessionHost

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable


def prepare(_settings: Any, *, demo: bool) -> None:
    """Load the plug-ins and make the agents known, with ``demo`` the demo's among them.

    Raises:
        PluginError: plug-ins that do not fit together: better no start than half of one.
    """
    from agents_app.adapters import definitions, plugins
    from agents_app.services.agents import agents_sync

    plugins.current()
    if demo:
        definitions.use_demo()
        os.environ["PLAYHEAD_AGENTS"] = ",".join(definitions.modules())  # for a session alone
    agents_sync()


def load() -> None:
    """Load the plug-ins and the agents defined in files; MCP servers may take their time.

    Raises:
        PluginError: plug-ins that do not fit together: better no start than half of one.
    """
    from agents_app.adapters import definitions, plugins

    plugins.current()
    definitions.current()


def agent_problems(settings: Any) -> list[str]:
    """What keeps agents of this installation from being loaded, a sentence each."""
    from django.db import DatabaseError

    from agents_app.adapters.definitions import load
    from agents_app.services.agents import clashes
    from playhead.core.errors import InvalidInput
    from playhead.plugins import PluginError

    try:
        found = load(settings.PLAYHEAD_AGENTS, Path(settings.PLAYHEAD_DATA) / "agents")
    except InvalidInput as error:
        return [error.message]
    except PluginError:  # plug-ins have a finding of their own
        return []
    told = list(found.problems)
    with suppress(DatabaseError):  # the database has a finding of its own
        told += clashes(found)
    return told


def plugin_problems() -> list[str]:
    """What keeps plug-ins from being used, a sentence each that names where they come from."""
    from agents_app.adapters import plugins
    from playhead.plugins import PluginError

    try:
        return [f"{each.source}: {each.problem}" for each in plugins.current().problems]
    except PluginError as error:
        return [error.message]


def vault_problem() -> str | None:
    """Why what has been sealed here cannot be opened with the key of this process, if so."""
    from agents_app.adapters.vault import VaultLocked, root_key
    from agents_app.models import RootKey

    newest = RootKey.objects.order_by("-root_id").values_list("root_id", flat=True).first()
    try:
        if newest is not None:
            root_key(newest)
    except VaultLocked as error:
        return error.message
    return None


async def start_worker(
    _loop: asyncio.AbstractEventLoop, *, concurrency: int = 100
) -> Callable[[], Awaitable[None]]:
    """Run sessions on the running loop; what it returns stops and gives the leases back."""
    host = SessionHost(concurrency=concurrency)
    await host.start()
    return host.stop
