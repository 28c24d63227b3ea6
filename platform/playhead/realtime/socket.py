"""The base of every socket. A frame never needs a reply.

Close codes: 4401 sign in, 4403 not allowed, 4404 no such thing, 4408 too slow, 4409 your role is
another one now (with these two come back with the last seq). A socket is accepted before it is
closed with a code: a browser sees no code otherwise.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from asgiref.sync import sync_to_async
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import close_old_connections
from django.http.cookie import parse_cookie

from playhead.accounts.contracts import Principal, Role
from playhead.accounts.selectors.principals import principal_of_key, principal_of_session
from playhead.jobs import home
from playhead.realtime.origin import headers_of

logger = logging.getLogger(__name__)
Receive = Callable[[], Awaitable[Any]]
SIGN_IN, NOT_ALLOWED, NOT_FOUND, TOO_SLOW, COME_BACK = 4401, 4403, 4404, 4408, 4409


class Refused(Exception):
    """Raised in `opened` to close the socket with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


def _principal(headers: dict[str, str]) -> Principal | None:
    close_old_connections()
    try:
        if "authorization" in headers:
            scheme, _, token = headers["authorization"].partition(" ")
            return principal_of_key(token.strip()) if scheme.lower() == "bearer" else None
        cookies = parse_cookie(headers.get("cookie", ""))
        return principal_of_session(cookies.get(settings.SESSION_COOKIE_NAME))
    finally:
        close_old_connections()


class Socket(AsyncWebsocketConsumer):
    """A signed-in socket with a bounded queue to the client.

    Subclasses override `opened` and `closed`, and send with `push`. It has no channel of its own in
    the channel layer: a layer that is away keeps no socket out. What wakes it is heard once per
    process, by `playhead.realtime.subscribe`.
    """

    role = Role.VIEWER
    # Beyond these the reader is too slow: what is queued, and how long one frame may take.
    most_frames = 2_000
    most_bytes = 16_000_000
    send_seconds = 15.0
    # How much of a backlog is read ahead of the reader.
    ahead_bytes = 1_000_000
    # How often the sign-in is looked at again: a socket must not outlive it by more.
    recheck_seconds = 60.0

    principal: Principal
    _closing: bool
    _overflown: bool
    _waiting: int
    _dropped: asyncio.Future[int]

    async def opened(self) -> None:
        """The principal is known: subscribe, then send what is there. May raise `Refused`."""

    async def closed(self) -> None:
        """The socket is gone."""

    @property
    def is_closing(self) -> bool:
        """Whether what is sent now is for nobody."""
        return self._closing

    @property
    def queued(self) -> int:
        """How many frames wait for the reader."""
        return self._frames.qsize()

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside the socket, until it closes at the latest."""
        self._tasks.append(asyncio.create_task(work))

    def push(self, frame: str) -> None:
        """Queue a frame of the tail. Never blocks; who does not keep up is closed with 4408."""
        if self._overflown or self._closing:
            return
        self._waiting += len(frame)
        if self._frames.qsize() >= self.most_frames or self._waiting > self.most_bytes:
            self._overflown = True
            while not self._frames.empty():  # what waits is worthless: the client asks again
                self._frames.get_nowait()
            self._frames.put_nowait(None)
            return
        self._frames.put_nowait(frame)

    async def write(self, frame: str) -> None:
        """Queue a frame of the backlog, at the reader's pace."""
        self.push(frame)
        if self._waiting > self.ahead_bytes:
            self._room.clear()
            await self._room.wait()

    async def __call__(self, scope: Any, receive: Receive, send: Any) -> None:
        """One message of the client after the other, until it is gone or dropped."""
        self.scope, self.base_send = scope, send
        self._dropped = asyncio.get_running_loop().create_future()
        with suppress(StopConsumer):
            while True:
                await self.dispatch(await self._next(receive))

    async def _next(self, receive: Receive) -> Any:
        receiving = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({receiving, self._dropped}, return_when=asyncio.FIRST_COMPLETED)
            if receiving.done():
                return receiving.result()
            return {"type": "websocket.disconnect", "code": self._dropped.result()}
        finally:
            receiving.cancel()

    async def connect(self) -> None:
        home.adopt()
        self._frames: asyncio.Queue[str | None] = asyncio.Queue()  # None: too slow, close
        self._waiting = 0
        self._room = asyncio.Event()
        self._overflown = False
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        await self.accept()
        try:
            self.principal = await self._authenticate()
            self.beside(self._send_all())
            self.beside(self._recheck())
            await self.opened()
        except Refused as refused:
            await self._end(refused.code)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Channels hops to a thread before every message, to close connections of the ORM.

        Here whatever reads the database does so in a thread that gives its connection back.
        """
        await getattr(self, get_handler_name(message))(message)

    async def disconnect(self, _code: int) -> None:
        self._closing = True
        self._room.set()
        for task in self._tasks:
            task.cancel()
        await self.closed()

    async def _authenticate(self) -> Principal:
        principal = await sync_to_async(_principal)(headers_of(self.scope))
        if principal is None:
            raise Refused(SIGN_IN)
        if not principal.has(self.role):
            raise Refused(NOT_ALLOWED)
        return principal

    async def _send_all(self) -> None:
        try:
            while (frame := await self._frames.get()) is not None:
                async with asyncio.timeout(self.send_seconds):
                    await self.send(frame)
                self._waiting -= len(frame)
                if self._waiting <= self.ahead_bytes:
                    self._room.set()
        except TimeoutError:
            logger.info("A socket took too long to read a frame")
        await self._end(TOO_SLOW)

    async def _recheck(self) -> None:
        while True:
            await asyncio.sleep(self.recheck_seconds)
            try:
                principal = await self._authenticate()
            except Refused as refused:
                await self._end(refused.code)
                return
            except Exception:  # the database is away: what held a minute ago holds a while longer
                logger.exception("A socket's sign-in could not be looked at")
                continue
            before = self.principal
            if (principal.role, principal.workspace) != (before.role, before.workspace):
                await self._end(COME_BACK)  # what is shown depends on who looks
                return

    async def _end(self, code: int) -> None:
        """Close with a code. A client that reads nothing does not get even that."""
        if self._closing:
            return
        self._closing = True
        self._room.set()
        try:
            async with asyncio.timeout(self.send_seconds):
                await self.close(code)
        except TimeoutError:
            logger.info("A socket that reads nothing was dropped")
            self._dropped.set_result(code)


class NotFoundSocket(Socket):
    """What answers at an address that no app knows."""

    async def opened(self) -> None:
        raise Refused(NOT_FOUND)
