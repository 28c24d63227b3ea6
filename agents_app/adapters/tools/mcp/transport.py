"""A connection to a server, as a block: what is opened is closed by the task that opened it."""

from __future__ import annotations

import logging
import sys
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from agents_app.adapters.tools.mcp import guard
from agents_app.adapters.tools.mcp.errors import Unreachable, reason
from agents_app.adapters.tools.mcp.stderr import Stderr

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from mcp import Client

    from agents_app.adapters.tools.mcp.settings import McpServer

#: Seconds to connect; and how much longer than a call an answer's stream may be silent.
CONNECT, BEYOND = 10.0, 30.0


@asynccontextmanager
async def connected(
    name: str, server: McpServer, *, ended: Callable[[], None], changed: Callable[[], None]
) -> AsyncIterator[Client]:
    """A client that has shaken hands with the server.

    Sampling, elicitation and roots are not offered: a request for them is answered by a refusal.

    Args:
        ended: called when the server is gone.
        changed: called when it says that its tools have changed.

    Raises:
        Unreachable: it can't be reached, or the connection broke; says why.
    """
    from mcp import Client
    from mcp.types import Implementation, ToolListChangedNotification

    import playhead

    async def heard(message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            changed()

    _quiet()
    said = Stderr(name, server.masked)
    streams = _over_stdio(name, server, said) if server.command else _over_http(name, server)
    client = Client(
        _watched(streams, ended), message_handler=heard, cache=None,
        client_info=Implementation(name="playhead", version=playhead.__version__),
    )  # fmt: skip
    try:
        async with client:
            client.session.validate_tool_result = _unchecked  # type: ignore[method-assign,assignment]
            yield client
    except Unreachable:
        raise
    except Exception as error:
        why = server.masked(reason(error))
        raise Unreachable(f"{why} (it last said: {said.last})" if said.last else why) from error


@asynccontextmanager
async def _over_stdio(name: str, server: McpServer, said: Stderr) -> AsyncIterator[tuple[Any, Any]]:
    """A process of its own group behind a guard, with nothing of our environment but the path."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    params = StdioServerParameters(
        command=sys.executable, args=["-I", "-S", str(Path(guard.__file__)), *server.command],
        env=server.values("env", name), cwd=server.cwd, encoding_error_handler="replace",
    )  # fmt: skip
    with said:
        async with stdio_client(params, said.file) as streams:
            said.handed_over()
            yield streams


@asynccontextmanager
async def _over_http(name: str, server: McpServer) -> AsyncIterator[tuple[Any, Any]]:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    from agents_app.adapters.tools.mcp.bodies import LARGEST, bounded

    client = httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity", **server.values("headers", name)},
        timeout=httpx2.Timeout(CONNECT, read=server.timeout + BEYOND),
        event_hooks={"response": [bounded]},
    )
    async with (
        client,
        streamable_http_client(
            server.url or "", http_client=client, max_sse_event_size=LARGEST
        ) as streams,
    ):
        yield streams


@asynccontextmanager
async def _watched(
    transport: AbstractAsyncContextManager[Any], ended: Callable[[], None]
) -> AsyncIterator[tuple[Any, Any]]:
    async with transport as (read, write):
        yield _Watched(read, ended), write


class _Watched:
    """A stream of messages that tells when it ends, in the form that the SDK reads it."""

    def __init__(self, stream: Any, ended: Callable[[], None]) -> None:
        self._stream, self._ended = stream, ended

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Any:
        return await self._told(self._stream.receive())

    async def __anext__(self) -> Any:
        return await self._told(self._stream.__anext__())

    async def _told(self, next_one: Awaitable[Any]) -> Any:
        try:
            return await next_one
        except (StopAsyncIteration, anyio.EndOfStream, anyio.ClosedResourceError):
            self._ended()
            raise

    def __aiter__(self) -> _Watched:
        return self

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> _Watched:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._stream.__aexit__(*error)


async def _unchecked(*_: Any) -> None:
    """No result is checked against the schema that its server gives: a pattern of it could keep
    the worker's loop busy for ever, and a call that was carried out would look like one that was
    not. What came is what the model reads."""


def _quiet() -> None:
    """The SDK logs what it can't read, as it came, and the id of a session, which is a secret."""
    for name in ("mcp.client.stdio", "mcp.client.streamable_http", "client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
