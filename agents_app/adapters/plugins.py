"""The plug-ins of this process: what ships, what packages install, and files in the data folder.

They are loaded once, on first need: changed code or settings take a restart.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from agents_app.adapters.shapes import fault
from agents_app.adapters.tools.mcp.offering import offered
from agents_app.adapters.tools.mcp.settings import servers_in
from agents_app.engine.facade import as_tool
from agents_app.engine.memory import Memories
from agents_app.engine.parts import Parts
from playhead.plugins import PluginRegistry, PluginSettings, provides_all
from playhead.plugins.discovery import Found, in_folder, installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agents_app.adapters.sinks.outlet import Outlet
    from agents_app.adapters.tools.mcp.settings import McpServer
    from agents_app.engine.tools import Tool


@dataclass(frozen=True, slots=True)
class Plugins:
    """A loaded registry, what the engine takes from it, and what could not be used.

    ``absent`` says of MCP servers whose tools are not known why, by what their names begin with;
    ``left_out`` are single tools that nobody can call, which is nobody's fault here.
    """

    registry: PluginRegistry
    parts: Parts
    tools: dict[str, Tool]
    outlet: Outlet
    memories: Memories
    problems: tuple[Found, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[Found, ...] = ()

    def because(self, why: str) -> str:
        """Why an agent can't be made, and which plug-ins are wrong here: one may be the reason."""
        broken = "; ".join(f"{each.source}: {each.problem}" for each in self.problems)
        more = f" What is wrong here: {broken.rstrip('.')}." if broken else ""
        return f"{why.rstrip('.')}.{more}"

    def why_not(self, name: str) -> str | None:
        """Why the tool of a configured MCP server is not there, if it may be one of such."""
        found = (why for prefix, why in self.absent.items() if name.startswith(prefix))
        return None if name in self.tools else next(found, None)


def found(folder: Path) -> Iterable[Found]:
    """Everything that offers plug-ins here, the shipped ones first."""
    from agents_app.adapters.builtin import builtin  # its providers ask for the registry

    yield from (Found("playhead", factory) for factory in builtin())
    yield from installed()
    yield from in_folder(folder / "plugins")


def load(folder: Path) -> Plugins:
    """Find, register and load.

    Raises:
        PluginError: plug-ins that do not fit together: nobody can say which are meant. One that
            is wrong by itself is a problem, and left out.
    """
    settings, servers = servers_in(PluginSettings.from_file(folder / "plugins.toml"))
    registry = PluginRegistry(settings, fault=fault)
    problems: list[Found] = []
    for each in found(folder):
        if each.factory is None:
            problems.append(each)
        else:
            registry.register(each.factory, source=each.source)
    absent, left_out = _servers(registry, servers, folder / "mcp", problems)
    wrong: list[tuple[str, str]] = []
    registry.load(wrong)
    problems += [Found(source, None, said) for source, said in wrong]
    problems += [Found("plugins.toml", None, said) for said in registry.unknown()]
    memories = Memories(_of(registry, "memory"))
    parts = Parts(_of(registry, "strategy"), _of(registry, "middleware"), {"memories": memories})
    outlet, told = _outlet(registry), tuple(problems)
    return Plugins(registry, parts, _tools(registry), outlet, memories, told, absent, left_out)


def _servers(
    registry: PluginRegistry, servers: Mapping[str, McpServer], folder: Path, problems: list[Found]
) -> tuple[dict[str, str], tuple[Found, ...]]:
    """Register what MCP servers offer, last of all; returns what there is not, and why.

    That is of servers of which nothing is known, by the prefix of their tools, and of single tools.
    Nothing that a server says or fails to say keeps the process from starting.
    """
    absent, left_out = {}, []
    asked = dict(servers)
    for name in [name for name in servers if f"mcp.{name}" in registry.settings.disabled]:
        registry.register(provides_all({}, name=f"mcp.{name}"))  # passed over, and known
        del asked[name]
    for each in offered(asked, folder):
        if each.plugin is None:
            absent[each.server.before(each.name)] = f"mcp.{each.name}: {each.trouble}"
        else:
            each.plugin.leave_out(registry.provided())
            registry.register(each.plugin, source=each.source)
            left_out += [Found(f"mcp.{each.name}", None, said) for said in each.plugin.left_out]
        problems += [Found(f"mcp.{each.name}", None, said) for said in each.problems]
    return absent, tuple(left_out)


def _of(registry: PluginRegistry, point: str) -> dict[str, Any]:
    return {name: registry.get(f"{point}.{name}") for name in registry.names(point)}


def _outlet(registry: PluginRegistry) -> Outlet:
    outlet: Outlet = registry.get("event.sink")
    names = [name for name in registry.names("event") if name != "sink"]
    outlet.serve({name: registry.get(f"event.{name}") for name in names})
    return outlet


def _tools(registry: PluginRegistry) -> dict[str, Tool]:
    return {name: as_tool(registry.get(f"tool.{name}")) for name in registry.names("tool")}


_current: Plugins | None = None
_loading = threading.RLock()
_users: dict[asyncio.AbstractEventLoop, int] = {}


def current() -> Plugins:
    """The plug-ins of this process."""
    global _current  # noqa: PLW0603 - code is loaded once per process
    if _current is None:
        with _loading:  # the first requests of a web process come together
            if _current is None:
                _current = load(Path(settings.PLAYHEAD_DATA))
    return _current


def use(plugins: Plugins | None) -> None:
    """Serve these from now on; ``None`` loads them again on next need."""
    global _current  # noqa: PLW0603
    _current = plugins


def registry() -> PluginRegistry:
    """The registry of this process."""
    return current().registry


def source_of(capability: str) -> str:
    """Which plug-in a capability is of, as an offer says it: ``plugin:<name>``."""
    return f"plugin:{registry().provide(capability).meta.name}"


async def start() -> None:
    """Open what plug-ins keep open on the running loop; the first user of the loop does it."""
    loop = asyncio.get_running_loop()
    _users[loop] = _users.get(loop, 0) + 1
    if _users[loop] > 1:
        return
    try:
        await registry().start()
    except BaseException:
        _users.pop(loop, None)  # nothing is open: the next one tries again
        raise


async def stop() -> None:
    """Close it again; the last user does."""
    loop = asyncio.get_running_loop()
    _users[loop] = _users.get(loop, 1) - 1
    if _users[loop] <= 0:
        del _users[loop]
        await current().outlet.drained()
        await registry().stop()
