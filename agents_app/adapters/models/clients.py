"""One HTTP client a loop, and the hash of every body exactly as it is sent."""

from __future__ import annotations

import asyncio
import hashlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

#: What the running call has sent: the hook below fills it, in the call's own context.
SENT: ContextVar[dict[str, str] | None] = ContextVar("sent", default=None)

CONNECT_SECONDS = 10.0


class Clients:
    """The clients of one address; a connection pool belongs to the loop that made it.

    Args:
        make: makes an SDK's client; it imports the SDK, on the first call.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    def current(self) -> Any:
        """The client of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._by_loop:
            self._by_loop[loop] = self._make()
        return self._by_loop[loop]

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        client = self._by_loop.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()


def client_options(sdk: Any) -> dict[str, Any]:
    """What the client of either SDK is made with: aiohttp, no retries, and the hook."""
    http = sdk.DefaultAioHttpClient()
    http.event_hooks["request"].append(_remember_body)
    return {
        "http_client": http,
        "max_retries": 0,  # attempts are events: the engine decides about them
        "timeout": sdk.Timeout(None, connect=CONNECT_SECONDS),
    }


async def _remember_body(request: Any) -> None:
    sent = SENT.get()
    if sent is not None:
        sent["body_sha256"] = hashlib.sha256(request.content).hexdigest()
