"""One HTTP client a loop, and the hash of every body exactly as it is sent."""

from __future__ import annotations

import asyncio
import hashlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from openai import AsyncOpenAI

#: What the running call has sent: the hook below fills it, in the call's own context.
SENT: ContextVar[dict[str, str] | None] = ContextVar("sent", default=None)

_CONNECT_SECONDS = 10.0
#: Servers without accounts want no key, and the SDK wants one.
_NO_KEY = "none"


class Clients:
    """The clients of one address; a connection pool belongs to the loop that made it."""

    def __init__(self, *, api_key: str | None, base_url: str | None) -> None:
        self._api_key = api_key or (_NO_KEY if base_url else None)
        self._base_url = base_url or None
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = (
            WeakKeyDictionary()
        )

    @property
    def has_key(self) -> bool:
        """Whether a call can be tried at all."""
        return self._api_key is not None

    def current(self) -> AsyncOpenAI:
        """The client of the running loop. The SDK is imported here, on the first call."""
        loop = asyncio.get_running_loop()
        if loop not in self._by_loop:
            self._by_loop[loop] = self._make()
        return self._by_loop[loop]

    def _make(self) -> AsyncOpenAI:
        import openai

        http = openai.DefaultAioHttpClient()
        http.event_hooks["request"].append(_remember_body)
        return openai.AsyncOpenAI(
            api_key=self._api_key,
            base_url=self._base_url,
            max_retries=0,  # attempts are events: the engine decides about them
            timeout=openai.Timeout(None, connect=_CONNECT_SECONDS),
            http_client=http,
        )

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        client = self._by_loop.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()


async def _remember_body(request: Any) -> None:
    sent = SENT.get()
    if sent is not None:
        sent["body_sha256"] = hashlib.sha256(request.content).hexdigest()
