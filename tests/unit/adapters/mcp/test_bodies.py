"""What a server over HTTP answers is read to a bound, whatever it says of its size."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import httpx2
import pytest

from agents_app.adapters.tools.mcp import bodies

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Endless(httpx2.AsyncByteStream):
    """Says the same without end; how much of it was taken."""

    taken = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.taken += 65_536
            yield b"x" * 65_536


async def read(stream: httpx2.AsyncByteStream | bytes, **headers: str) -> bytes:
    given = {name.replace("_", "-"): value for name, value in headers.items()}

    def answers(_: httpx2.Request) -> httpx2.Response:
        if isinstance(stream, bytes):
            return httpx2.Response(200, headers=given, stream=httpx2.ByteStream(stream))
        return httpx2.Response(200, headers=given, stream=stream)

    hooks = {"response": [bodies.bounded]}
    transport = httpx2.MockTransport(answers)
    async with httpx2.AsyncClient(transport=transport, event_hooks=hooks) as client:
        return (await client.get("http://server/mcp")).content


@pytest.mark.asyncio
async def test_a_body_without_end_is_left() -> None:
    stream = Endless()
    with pytest.raises(httpx2.StreamError, match="larger than"):
        await read(stream, content_type="application/json")
    assert stream.taken <= bodies.LARGEST + 65_536


@pytest.mark.asyncio
async def test_a_packed_body_hides_its_size_and_is_not_read() -> None:
    with pytest.raises(httpx2.StreamError, match="compressed"):
        await read(gzip.compress(b"x" * 1_000), content_encoding="gzip")


@pytest.mark.asyncio
async def test_what_is_asked_for_is_read_whole() -> None:
    assert await read(b"{}", content_type="application/json") == b"{}"
