"""How much a server over HTTP may answer: a body without an end fills no worker's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import httpx2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

#: Bytes of one message: an image is one.
LARGEST = 16 * 1024 * 1024


async def bounded(response: httpx2.Response) -> None:
    """Bound the body of a response before it is read; the events of a stream are bounded one by
    one, by who reads them. What is packed, which was not asked for, hides its size and is not read.
    """
    packed = response.headers.get("content-encoding", "identity").lower() != "identity"
    events = response.headers.get("content-type", "").lower().startswith("text/event-stream")
    if packed or not events:
        response.stream = _Bounded(cast("httpx2.AsyncByteStream", response.stream), packed=packed)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, *, packed: bool) -> None:
        self._stream, self._packed = stream, packed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._packed:
            raise httpx2.StreamError("it is compressed, which was not asked for")
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > LARGEST:
                raise httpx2.StreamError(f"it is larger than {LARGEST} bytes")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
