"""One connection to a server: opened on first use, owned by one task, opened again after a death.

The SDK's scopes have to be left by the task that entered them: calls come from many tasks, so none
of theirs is it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import anyio

from agents_app.adapters.tools.mcp.discovery import listed
from agents_app.adapters.tools.mcp.errors import Unreachable, reason
from agents_app.adapters.tools.mcp.transport import connected

if TYPE_CHECKING:
    from mcp import Client

    from agents_app.adapters.tools.mcp.settings import McpServer

logger = logging.getLogger(__name__)
#: Seconds for a server to start and shake hands.
OPEN = 30.0
#: Seconds of silence after which a server over HTTP is asked whether it still knows us.
QUIET = 1.0


class Connection:
    """Open until it is closed, or the server dies. Belongs to one event loop."""

    def __init__(self, name: str, server: McpServer) -> None:
        self.name, self._server = name, server
        self._over = asyncio.Event()
        self._stale = True
        self._versions: dict[str, str] = {}
        self._asking = asyncio.Lock()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._used = 0.0
        self._owner = asyncio.create_task(self._own(), name=f"mcp-{name}")

    @property
    def over(self) -> bool:
        """Whether it can't be used any more."""
        return self._over.is_set() or self._owner.done()

    def give_up(self) -> None:
        """Close it as soon as may be; what is under way there fails."""
        self._over.set()

    async def close(self) -> None:
        """Close it and wait until its process has ended."""
        self._over.set()
        await asyncio.wait({self._owner})

    async def client(self) -> Client:
        """The client, as soon as the server is there.

        Raises:
            Unreachable: it is not.
        """
        client = await asyncio.shield(self._ready)
        now = asyncio.get_running_loop().time()
        if self._server.url and now - self._used > QUIET:
            self._stale = True
        self._used = now
        return client

    async def versions(self) -> dict[str, str]:
        """The versions of the tools that the server has now, by name.

        Raises:
            Unreachable: it does not say.
        """
        client = await self.client()
        async with self._asking:
            if self._stale:
                await self._list(client)
        return self._versions

    async def _list(self, client: Client) -> None:
        self._stale = False
        try:
            with anyio.fail_after(OPEN):
                self._versions = {
                    each.name: each.version for each in await listed(client, self._server)
                }
        except BaseException as error:
            self._stale = True
            if not isinstance(error, Exception):
                raise
            self.give_up()
            raise Unreachable(f"it does not list its tools: {reason(error)}") from error

    def _changed(self) -> None:
        if not self._stale:
            logger.warning(
                "The MCP server %s says that its tools have changed; agents see it after a restart",
                self.name,
            )
        self._stale = True

    async def _own(self) -> None:
        try:
            with anyio.fail_after(OPEN) as opening:
                async with connected(
                    self.name, self._server, ended=self._over.set, changed=self._changed
                ) as client:
                    opening.deadline = float("inf")
                    self._ready.set_result(client)
                    await self._over.wait()
        except Exception as error:
            self._failed(error)
        except asyncio.CancelledError:
            self._failed(Unreachable("the worker stops"))
            raise
        finally:
            self._over.set()

    def _failed(self, error: Exception) -> None:
        if self._ready.done():
            logger.warning("The connection to the MCP server %s is lost: %s", self.name, error)
            return
        unreachable = error if isinstance(error, Unreachable) else Unreachable(reason(error))
        self._ready.set_exception(unreachable)
        self._ready.exception()  # who asked may be gone
