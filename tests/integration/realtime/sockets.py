"""Sockets for the tests of the base, and a client that speaks to them as a browser does."""

from __future__ import annotations

import asyncio
from typing import Any

from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.urls import re_path

from playhead.accounts.contracts import Role
from playhead.realtime.origin import OwnOrigin
from playhead.realtime.socket import NOT_FOUND, Refused, Socket
from playhead.realtime.subscribe import subscription

ORIGIN = "http://localhost:8000"


class Echo(Socket):
    """Hears a group and passes on what it hears."""

    async def opened(self) -> None:
        self.beside(self._hear())

    async def _hear(self) -> None:
        async with subscription("echo") as payloads:
            self.push("open")
            async for payload in payloads:
                self.push(f"woken {payload['n']}")


class Approvers(Socket):
    """Takes more than a viewer."""

    role = Role.APPROVER


class Missing(Socket):
    """Looks for what is not there."""

    async def opened(self) -> None:
        raise Refused(NOT_FOUND)


class Flood(Socket):
    """Sends more at once than it will wait for."""

    most_frames = 3

    async def opened(self) -> None:
        for n in range(10):
            self.push(str(n))


class Backlog(Flood):
    """Sends the same at the reader's pace."""

    ahead_bytes = 1

    async def opened(self) -> None:
        for n in range(10):
            await self.write(str(n))


class Stuck(Socket):
    """Has a reader that takes nothing."""

    send_seconds = 0.05

    async def opened(self) -> None:
        self.push("never read")

    async def send(self, *_args: Any, **_options: Any) -> None:
        await asyncio.Event().wait()


class Watched(Echo):
    """Looks at the sign-in again at once."""

    recheck_seconds = 0.02


ALL = (Echo, Approvers, Missing, Flood, Backlog, Stuck, Watched)
application = OwnOrigin(
    URLRouter([re_path(rf"^ws/{kind.__name__.lower()}$", kind.as_asgi()) for kind in ALL])
)


def dial(path: str, *, cookie: str = "", **headers: str) -> WebsocketCommunicator:
    """A handshake from our own page, unless the headers say otherwise (empty: left out)."""
    sent = {"host": "localhost:8000", "origin": ORIGIN} | headers
    if cookie:
        sent["cookie"] = f"a=b; playhead_session={cookie}; playhead_csrf=x"
    pairs = [(name.encode(), value.encode()) for name, value in sent.items() if value]
    return WebsocketCommunicator(application, f"/ws/{path}", headers=pairs)


async def closed_with(client: WebsocketCommunicator) -> int:
    """The code that the socket is closed with, after whatever was sent before."""
    while True:
        message = await client.receive_output(timeout=3)
        if message["type"] == "websocket.close":
            return int(message["code"])
