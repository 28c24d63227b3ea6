"""Clients of the sockets that are cut at random, come back with their last seq, and check."""

from __future__ import annotations

import asyncio
import json
import select
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

if TYPE_CHECKING:
    from random import Random

TOO_SLOW = 4408
#: Who reads again hears first that the connection was closed (seconds).
GRACE = 10.0


@dataclass
class Reader:
    """Follows one session until it has ended and everything was seen, or something was wrong.

    ``cuts`` are the times (``time.monotonic``) at which its TCP connection is aborted. With
    ``stall`` it reads nothing of its first connection for so many seconds. ``wrong`` says what
    was missing, came twice, or came too early.
    """

    urls: list[str]
    key: str
    session: str
    cuts: list[float]
    chance: Random
    stall: float = 0.0
    bodies: int = 1
    after: int = 0
    ended: bool = False
    wrong: str = ""
    aborted: list[int] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    frames: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    _caught_up: bool = False

    async def run(self) -> None:
        """Follow the session to its end, through every cut."""
        while not self.ended:
            try:
                async with self._connect() as connection:
                    await self._follow(connection)
            except (ConnectionClosed, InvalidMessage, OSError) as error:
                code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else 0
                self.codes.append(code)

    def _connect(self) -> connect:
        url = self.chance.choice(self.urls).replace("http:", "ws:")
        return connect(
            f"{url}/ws/sessions/{self.session}?after={self.after}&bodies={self.bodies}",
            additional_headers={"Authorization": f"Bearer {self.key}"},
            compression=None if self.stall else "deflate",
            max_size=None,
            max_queue=None,
            ping_interval=None,
            open_timeout=60,
            proxy=None,
        )

    async def _follow(self, connection: ClientConnection) -> None:
        self._caught_up = False
        if self.stall and not self.codes:
            await self._read_nothing(connection)
            self.cuts = [max(cut, time.monotonic() + GRACE) for cut in self.cuts]
        wait = self.cuts[0] - time.monotonic() if self.cuts else 3600.0
        cut = asyncio.get_running_loop().call_later(max(wait, 0.0), self._cut, connection)
        try:
            async for frame in connection:
                self._take(json.loads(frame))
                if self.ended:
                    return
        finally:
            cut.cancel()

    def _cut(self, connection: ClientConnection) -> None:
        del self.cuts[0]
        self.aborted.append(self.after)
        connection.transport.abort()

    async def _read_nothing(self, connection: ClientConnection) -> None:
        """Let what comes pile up on the way, from the first byte on."""
        connection.transport.pause_reading()
        socket = connection.transport.get_extra_info("socket")
        while not select.select([socket], [], [], 0)[0]:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        self.begun.set()
        await asyncio.sleep(self.stall)
        connection.transport.resume_reading()

    def _take(self, frame: dict[str, Any]) -> None:
        self.frames += 1
        if frame["type"] == "events":
            for event in frame["events"]:
                if event["seq"] != self.after + 1:
                    self.wrong = f"event {event['seq']} came after event {self.after}"
                    self.ended = True
                    return
                self.after += 1
            if self._caught_up:
                at = datetime.fromisoformat(frame["events"][-1]["ts"]).timestamp()
                self.delays.append(time.time() - at)
        elif frame["type"] == "head":
            self._caught_up = True
            done = frame["status"] in ("finished", "failed", "limit", "cancelled")
            self.ended = done and frame["seq"] == self.after and not self.cuts
