"""The HTTP and WebSocket server inside our own process: our signals, our end.

uvicorn raises a signal again after its own shutdown, so what stands after `Server.run` never runs.
Here the signals are ours: the first asks everything to stop, the second stops at once.
"""

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from django.conf import settings

from playhead.core.errors import Conflict
from playhead.jobs import home
from playhead.ops.start import settle

logger = logging.getLogger(__name__)
APPLICATION = "playhead.config.asgi:application"
# How long open requests may take after the first signal, and when the process ends regardless.
GRACE_SECONDS = 3
DEADLINE_SECONDS = 10.0


class Server(uvicorn.Server):
    """uvicorn without its signal handling."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to us."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets=sockets)
        settle()
        self._on_started()


class Deadline:
    """Ends the process when stopping takes too long: a thread in a tool can't be killed."""

    def __init__(self, seconds: float) -> None:
        self.code = 1
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def start(self) -> None:
        """From now on the time runs, through the interpreter's own exit too."""
        self._timer.start()

    def _end(self) -> None:
        os._exit(self.code)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, taken before anything else is done.

    Raises:
        Conflict: `port_in_use`.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise Conflict(
            f"Can't listen on {host}:{port} ({error.strerror}): choose another "
            "(make run PORT=8001, or --port 8001).",
            code="port_in_use",
        ) from None


def url_of(listener: socket.socket) -> str:
    """The address to open in a browser."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared only
    return f"http://{f'[{shown}]' if ':' in shown and '[' not in shown else shown}:{port}"


def server(on_started: Callable[[], None]) -> Server:
    """The server of our application, without access log: its lines would hold tokens."""
    config = uvicorn.Config(
        APPLICATION,
        lifespan="off",
        ws="websockets-sansio",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.HTTPS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return Server(config, on_started)


async def serve(listener: socket.socket, on_started: Callable[[], None]) -> None:
    """Serve until the task that runs this is cancelled, then let open requests end."""
    running = server(on_started)
    serving = asyncio.create_task(running.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        running.should_exit = True
        await serving


def run(main: Callable[[asyncio.Event], Coroutine[Any, Any, None]]) -> int:
    """Run a process's main coroutine on the home loop until it ends or a signal asks it to.

    `main` gets an event that is set by the first SIGINT or SIGTERM; it stops its parts and
    returns. The second signal, or the deadline, ends the process as it stands.

    Returns:
        0 when it stopped in time.
    """
    deadline = Deadline(DEADLINE_SECONDS)

    async def guarded() -> None:
        loop = asyncio.get_running_loop()
        home.set_loop(loop)
        stop = asyncio.Event()

        def asked(number: int) -> None:
            if stop.is_set():
                os._exit(128 + number)
            stop.set()
            deadline.start()

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, asked, number)
        try:
            await main(stop)
        finally:
            home.set_loop(None)

    with asyncio.Runner(
        loop_factory=uvicorn.Config(APPLICATION, log_config=None).get_loop_factory()
    ) as runner:
        runner.run(guarded())
    deadline.code = 0
    return 0


async def until(stop: asyncio.Event, *parts: Awaitable[None]) -> None:
    """Run parts until the event is set or one of them ends, then cancel the others and wait.

    Raises:
        Exception: what a part failed with.
    """
    tasks = [asyncio.ensure_future(part) for part in parts]
    waiter = asyncio.ensure_future(stop.wait())
    await asyncio.wait([*tasks, waiter], return_when=asyncio.FIRST_COMPLETED)
    waiter.cancel()
    for task in tasks:
        if not task.done():
            task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
