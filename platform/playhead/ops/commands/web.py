"""`playhead web`: a web process of an installation of several."""

import argparse
import asyncio
import socket
from typing import Any


def register(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("web", help="serve HTTP and sockets only")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.set_defaults(run=run)


def require_database() -> None:
    """Refuse to start on a database that can't serve.

    Raises:
        PlayheadError: `not_ready`, with what to do.
    """
    from playhead.core.errors import PlayheadError
    from playhead.ops.health import database_problem

    found = database_problem()
    if found is not None:
        raise PlayheadError(f"Not ready: {found}. Run `playhead migrate`.", code="not_ready")


def run(args: argparse.Namespace) -> int:
    """Serve until a signal."""
    from playhead.ops import embedded, server

    require_database()
    embedded.load()
    with server.listen(args.host, args.port) as listener:
        return server.run(lambda stop: _main(stop, listener))


async def _main(stop: asyncio.Event, listener: socket.socket) -> None:
    from playhead.ops import server

    def started() -> None:
        print(f"Playhead web serves {server.url_of(listener)}", flush=True)

    await server.until(stop, server.serve(listener, started))
