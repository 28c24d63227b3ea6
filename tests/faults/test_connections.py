"""Whoever waits holds no connection to the database: not a socket, not a long poll."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import aiohttp
from test_sockets import start

if TYPE_CHECKING:
    from scaled import Scaled

SOCKETS, POLLS = 100, 50
#: What a web process may open, and how long the polls wait (seconds).
POOL, WAIT = 2, 15


class Waiting:
    """Sockets and long polls of one session on which nobody works."""

    def __init__(self, client: aiohttp.ClientSession, session: str) -> None:
        self.client, self.session = client, session
        self.polls: list[asyncio.Task[str]] = []

    async def begin(self) -> None:
        """Open all of them; returns when every socket has caught up."""
        opened = await asyncio.gather(*(self._socket() for _ in range(SOCKETS)))
        assert opened == [2] * SOCKETS
        self.polls = [asyncio.create_task(self._poll()) for _ in range(POLLS)]

    async def _socket(self) -> int:
        socket = await self.client.ws_connect(f"/ws/sessions/{self.session}")
        while True:
            frame = json.loads((await socket.receive()).data)
            if frame["type"] == "head":
                return int(frame["seq"])

    async def _poll(self) -> str:
        return str((await self.read(f"/sessions/{self.session}?wait={WAIT}"))["status"])

    async def read(self, path: str) -> Any:
        """An answer of the API."""
        async with self.client.get(f"/api/v1{path}") as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()


def connections() -> int:
    """What others have open in this database; ``0`` where it is a file."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return int(cursor.fetchone()[0])
    finally:
        connection.close()  # of the thread that asked


def test_100_sockets_and_50_long_polls_leave_two_connections_to_everybody_else(
    scaled: Scaled,
) -> None:
    others = connections()
    web = scaled.web(PLAYHEAD_DB_POOL=str(POOL))
    session = start(scaled, web, "ticker")
    most = asyncio.run(held_while_waiting(web.url, scaled.key, session))
    assert most - others <= POOL


async def held_while_waiting(url: str, key: str, session: str) -> int:
    """The most connections that were open while all wait and others are served."""
    loop = asyncio.get_running_loop()
    async with aiohttp.ClientSession(
        url,
        headers={"Authorization": f"Bearer {key}"},
        connector=aiohttp.TCPConnector(limit=0),
    ) as client:
        waiting = Waiting(client, session)
        await waiting.begin()
        most = 0
        for _ in range(10):
            await waiting.read("/sessions")
            most = max(most, await loop.run_in_executor(None, connections))
        assert not any(poll.done() for poll in waiting.polls)
        assert set(await asyncio.gather(*waiting.polls)) == {"queued"}
    return most
