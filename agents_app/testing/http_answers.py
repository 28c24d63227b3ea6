"""Answers over HTTP/1.1, whole ones and streams of events, as plainly as it can be written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio


class Out:
    """Writes the answer of one request."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def json(self, status: int, value: Any, **headers: str) -> None:
        await self._whole(status, "application/json", json.dumps(value).encode(), headers)

    async def text(self, text: str) -> None:
        await self._whole(200, "text/html", text.encode(), {})

    async def _whole(self, status: int, kind: str, body: bytes, headers: dict[str, str]) -> None:
        self._head(status, {"Content-Type": kind, "Content-Length": str(len(body)), **headers})
        self._writer.write(body)
        await self._writer.drain()

    async def begin_events(self) -> None:
        kind = "text/event-stream; charset=utf-8"
        self._head(200, {"Content-Type": kind, "Transfer-Encoding": "chunked"})
        await self._writer.drain()

    async def event(self, data: str, name: str | None = None) -> None:
        named = f"event: {name}\n" if name else ""
        line = f"{named}data: {data}\n\n".encode()
        self._writer.write(b"%x\r\n%s\r\n" % (len(line), line))
        await self._writer.drain()

    async def end_events(self) -> None:
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    def _head(self, status: int, headers: dict[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} Scripted", *(f"{k}: {v}" for k, v in headers.items())]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
