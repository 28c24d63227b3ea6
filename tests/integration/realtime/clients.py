"""Clients of the app's own sockets, and a log that grows while they read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import close_old_connections

from agents_app.adapters.stores import log_store
from agents_app.models import Session
from agents_app.services.writing import Writing, log_write
from playhead.config.routing import build_sockets
from playhead.core.events import Draft
from tests.integration.realtime.sockets import ORIGIN

if TYPE_CHECKING:
    from collections.abc import Callable

application = build_sockets()


class Client:
    """A browser's socket: what it has seen, and from where it would go on."""

    def __init__(self, path: str, cookie: str, *, origin: str = ORIGIN, query: str = "") -> None:
        self.path, self.cookie, self.origin, self.query = path, cookie, origin, query
        self.events: list[dict[str, Any]] = []
        self.frames: list[dict[str, Any]] = []
        self.after = 0
        self.socket: WebsocketCommunicator | None = None

    @property
    def seqs(self) -> list[int]:
        return [event["seq"] for event in self.events]

    async def open(self) -> bool:
        pairs = {"host": "localhost:8000", "origin": self.origin}
        pairs["cookie"] = f"playhead_session={self.cookie}"
        headers = [(name.encode(), value.encode()) for name, value in pairs.items() if value]
        address = f"{self.path}?after={self.after}{self.query}"
        self.socket = WebsocketCommunicator(application, address, headers=headers)
        accepted, _ = await self.socket.connect(timeout=5)
        return bool(accepted)

    async def read(self, until: Callable[[Client], bool]) -> None:
        """Read frames until something holds."""
        assert self.socket is not None
        while not until(self):
            frame = json.loads(await self.socket.receive_from(timeout=10))
            self.frames.append(frame)
            if frame["type"] == "events":
                self.events += frame["events"]
                self.after = frame["events"][-1]["seq"]

    async def closed_with(self) -> int:
        assert self.socket is not None
        while True:
            message = await self.socket.receive_output(timeout=5)
            if message["type"] == "websocket.close":
                return int(message["code"])

    async def cut(self) -> None:
        assert self.socket is not None
        await self.socket.disconnect()


def say(session_id: str, first: int, count: int) -> None:
    """Write ``count`` people's events, one commit each."""
    session = Session.objects.get(public_id=session_id)
    for n in range(first, first + count):
        payload = {
            "message": {"role": "user", "content": f"Number {n}."},
            "by": {"kind": "user", "id": "u", "name": "U"},
            "to": "agent:clerk",
            "policy": "enqueue",
        }
        draft = Draft("user_message", payload)
        log_write(session=session, decide=lambda _, draft=draft: Writing([draft]))
    close_old_connections()


async def say_aside(session_id: str, first: int, count: int) -> None:
    """The same in a thread of its own."""
    await sync_to_async(say, thread_sensitive=False)(session_id, first, count)


def head_of(session_id: str) -> int:
    return log_store().head(Session.objects.get(public_id=session_id).pk).seq
