"""From the settings to plug-ins: each server is asked, and one that is down is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents_app.adapters.tools.mcp.catalogue import Catalogue, keep, kept
from agents_app.adapters.tools.mcp.plugin import McpPlugin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from agents_app.adapters.tools.mcp.discovery import Answer
    from agents_app.adapters.tools.mcp.settings import McpServer


@dataclass(frozen=True, slots=True)
class Offered:
    """A server: its plug-in where its tools are known, and what is wrong with the server."""

    name: str
    server: McpServer
    plugin: McpPlugin | None
    trouble: str | None = None

    @property
    def source(self) -> str:
        """What stands behind the plug-in."""
        return f"MCP server {self.name} over {'stdio' if self.server.command else 'HTTP'}"

    @property
    def problems(self) -> list[str]:
        """What is wrong with the server, or with single tools of it, a sentence each."""
        trouble = [self.trouble] if self.trouble else []
        return trouble + (self.plugin.problems if self.plugin else [])


def offered(
    servers: Mapping[str, McpServer],
    folder: Path,
    ask: Callable[[Mapping[str, McpServer]], dict[str, Answer]] | None = None,
) -> Iterator[Offered]:
    """What the servers offer now, or, of one that does not answer, what it offered last.

    Args:
        folder: where catalogues are kept.
        ask: how servers are asked.
    """
    if not servers:
        return
    for name, answer in (ask or _asked)(servers).items():
        server = servers[name]
        if isinstance(answer, Catalogue):
            keep(folder, name, server, answer)
            yield Offered(name, server, McpPlugin(name, server, answer))
        else:
            yield _remembered(name, server, answer, kept(folder, name, server))


def _asked(servers: Mapping[str, McpServer]) -> dict[str, Answer]:
    from agents_app.adapters.tools.mcp.discovery import ask  # it imports the SDK

    return ask(servers)


def _remembered(name: str, server: McpServer, why: str, last: Catalogue | None) -> Offered:
    if last is None:
        return Offered(name, server, None, f"no tools are known of it: {why}")
    said = f"it can't be asked ({why}); its tools are those of {last.at}"
    return Offered(name, server, McpPlugin(name, server, last), said)
