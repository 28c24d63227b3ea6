"""A server as a plug-in ``mcp.NAME`` whose capabilities are its tools."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.adapters.tools.mcp.arguments import check
from agents_app.adapters.tools.mcp.calling import BEYOND, Connections
from agents_app.engine.tools import Tool
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from agents_app.adapters.tools.mcp.catalogue import Catalogue, Offer
    from agents_app.adapters.tools.mcp.settings import Effect, McpServer

_LONGEST = 64
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class McpTool(Tool):
    """A tool whose arguments are checked against the schema that its server gives."""

    def validate(
        self, arguments: Mapping[str, Any], *, sealed: Collection[str] = ()
    ) -> dict[str, Any]:
        """The arguments as they are.

        Raises:
            InvalidArguments: one does not fit; names it.
        """
        check(self.checks, arguments, sealed)
        return dict(arguments)


class McpPlugin:
    """A factory, and the plug-in that it makes, of the tools of one server."""

    def __init__(self, name: str, server: McpServer, catalogue: Catalogue) -> None:
        self.name, self._server = name, server
        self._connections = Connections(name, server)
        self.problems: list[str] = []
        self.left_out: list[str] = []
        self._tools = {tool.name: tool for tool in self._made(catalogue)}
        self.meta = self._meta(catalogue.version)

    def leave_out(self, taken: Collection[str]) -> None:
        """Do without the tools whose capability another plug-in provides."""
        for name in [name for name in self._tools if f"tool.{name}" in taken]:
            del self._tools[name]
            self.problems.append(f"{name}: another plug-in provides it; give the server a prefix")
        self.meta = self._meta(self.meta.version)

    def __call__(self) -> McpPlugin:
        return self

    def provide(self, capability: str) -> Tool:
        """The tool behind a capability."""
        return self._tools[capability.removeprefix("tool.")]

    async def on_stop(self) -> None:
        """End the connection of the running loop, and with it the server's process."""
        await self._connections.close()

    def _meta(self, version: str) -> PluginMeta:
        provides = tuple(f"tool.{name}" for name in self._tools)
        return PluginMeta(f"mcp.{self.name}", version or "unknown", provides)

    def _made(self, catalogue: Catalogue) -> Iterator[Tool]:
        offers = [offer for offer in catalogue.tools if self._server.takes(offer.name)]
        self._tell_unknown({offer.name for offer in catalogue.tools})
        names = Counter(self._named(offer.name) for offer in offers)
        for offer in offers:
            name = self._named(offer.name)
            if names[name] > 1 or len(name) > _LONGEST:
                name = _shortened(name, offer.name)
            problem = offer.problem or (None if name else "its name has no letter")
            if problem:
                self.left_out.append(f"{offer.name}: {problem}")
            else:
                yield self._tool(name, offer)

    def _named(self, tool: str) -> str:
        return self._server.before(self.name) + _NOT_IN_A_NAME.sub("_", tool)

    def _tool(self, name: str, offer: Offer) -> Tool:
        async def run(**arguments: Any) -> str:
            return await self._connections.call(offer, arguments)

        known = self._server.effects.get(offer.name) or offer.hint
        effect: Effect = known or "effectful"
        return McpTool(
            name=name,
            description=offer.description,
            schema=offer.schema,
            run=run,
            effectful=effect != "read",
            effects_known=known is not None,
            idempotent=effect == "idempotent",
            approval=self._server.asks(offer.name),
            timeout=self._server.timeout + BEYOND,
            version=offer.version,
            labels={"mcp": self.name},
        )

    def _tell_unknown(self, known: Collection[str]) -> None:
        """A name in the settings that is none of the server's: an approval would be missed."""
        server = self._server
        approval = () if isinstance(server.approval, bool) else server.approval
        said = {"tools": server.tools or (), "effects": server.effects, "approval": approval}
        for field, names in said.items():
            for name in names:
                if name not in known:
                    where = f"mcp.servers.{self.name}.{field}"
                    self.problems.append(f"{where}: the server has no tool {name!r}")


def _shortened(name: str, original: str) -> str:
    mark = hashlib.sha256(original.encode()).hexdigest()[:8]
    return f"{name[: _LONGEST - 9]}_{mark}"
