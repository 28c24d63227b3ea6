"""One call of a tool of a server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from agents_app.adapters.tools.mcp.connection import OPEN, Connection
from agents_app.adapters.tools.mcp.errors import FORGOTTEN, Unreachable, may_have_run, reason
from agents_app.adapters.tools.mcp.results import text_of
from agents_app.engine.errors import OutcomeUnknown, ToolError
from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp import Client

    from agents_app.adapters.tools.mcp.catalogue import Offer
    from agents_app.adapters.tools.mcp.settings import McpServer

#: Seconds that a call may take in all beyond its own time: to connect, to be cancelled.
BEYOND = OPEN + 10.0


class Connections:
    """The connection of each event loop of this process to one server."""

    def __init__(self, name: str, server: McpServer) -> None:
        self._name, self._server = name, server
        self._open: dict[asyncio.AbstractEventLoop, Connection] = {}

    def here(self) -> Connection:
        """The one of the running loop, opened when there is none, or none that lives."""
        loop = asyncio.get_running_loop()
        found = self._open.get(loop)
        if found is None or found.over:
            found = self._open[loop] = Connection(self._name, self._server)
        return found

    async def close(self) -> None:
        """Close the one of the running loop."""
        found = self._open.pop(asyncio.get_running_loop(), None)
        if found is not None:
            await found.close()

    async def call(self, offer: Offer, arguments: Mapping[str, Any]) -> str:
        """Call a tool as it was offered; what it gives back, as text.

        Raises:
            Unreachable: nothing was sent.
            ToolError: the server says that it failed.
            OutcomeUnknown: it was sent, and no answer came.
        """
        try:
            text = text_or_error(await self._answer(offer, dict(arguments)))
            return self._server.without_keys(text)
        except PlayheadError as error:
            raise type(error)(self._said(error.message)) from None

    async def _answer(self, offer: Offer, arguments: dict[str, Any]) -> Any:
        """What the server answers; a connection that is found dead before is opened once more."""
        had = self._open.get(asyncio.get_running_loop())
        connection = self.here()
        try:
            client = await self._checked(connection, offer)
        except Unreachable:
            if connection is not had:
                raise
            connection = self.here()
            client = await self._checked(connection, offer)
        try:
            async with asyncio.timeout(self._server.timeout):
                return await client.call_tool(offer.name, arguments)
        except TimeoutError:
            said = f"no result after {self._server.timeout:g} s; it was told to stop"
            raise OutcomeUnknown(said) from None
        except RuntimeError as error:
            raise ToolError(f"its answer can't be used: {error}") from None
        except Exception as error:
            raise _judged(connection, error) from None

    async def _checked(self, connection: Connection, offer: Offer) -> Client:
        """A client of a server whose tool is still the one that was offered and approved."""
        try:
            async with asyncio.timeout(OPEN):
                version = (await connection.versions()).get(offer.name)
                client = await connection.client()
        except TimeoutError:
            raise Unreachable(f"it did not answer within {OPEN:g} s") from None
        if version is None:
            raise ToolError(f"it has no tool {offer.name} any more; nothing was called")
        if version != offer.version:
            raise ToolError(
                f"its tool {offer.name} has changed since Playhead started; nothing was called. "
                "Restart Playhead to use it as it is now"
            )
        return client

    def _said(self, text: str) -> str:
        return f"MCP server {self._name}: {self._server.masked(text)}"


def text_or_error(result: Any) -> str:
    """The text of a result.

    Raises:
        ToolError: the server says that it is an error.
    """
    text = text_of(result)
    if result.is_error:
        raise ToolError(text)
    return text


def _judged(connection: Connection, error: Exception) -> PlayheadError:
    """What an error of the SDK means for the call; a broken connection is given up."""
    from mcp import MCPError

    if isinstance(error, ValidationError):  # of this answer alone: other calls go on
        said = f"it answered, and not with a result of a call ({reason(error)})"
        return OutcomeUnknown(f"{said}; whether the call was carried out is not known")
    if isinstance(error, MCPError) and error.message == FORGOTTEN:
        connection.give_up()
        return Unreachable("it has forgotten this connection; nothing was called. Try again")
    if may_have_run(error):
        connection.give_up()
        said = f"the connection was lost before it answered ({reason(error)})"
        return OutcomeUnknown(f"{said}; whether the call was carried out is not known")
    return ToolError(f"it refused the call: {reason(error)}")
