"""`playhead up`: everything in one process, on one data folder."""

import argparse
import asyncio
import socket
from typing import Any


def register(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("up", help="run everything in one process (the default way)")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-demo", action="store_true", help="without demo agents and sessions")
    parser.add_argument("--lost-key", action="store_true", help="the old vault key is gone: go on")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Take the folder and the port, bring the database up to date, serve until a signal."""
    from django.conf import settings

    from playhead.ops import server
    from playhead.ops.lock import DataLock

    with DataLock(settings.PLAYHEAD_DATA) as lock, server.listen(args.host, args.port) as listener:
        url = settings.PLAYHEAD_URL or server.url_of(listener)
        lock.note(url)
        link = _prepare(url, demo=not args.no_demo, lost_key=args.lost_key)
        return server.run(lambda stop: _main(stop, listener, link))


def _prepare(url: str, *, demo: bool, lost_key: bool) -> str:
    from playhead.accounts.services.links import login_link_create
    from playhead.accounts.services.setup import owner_ensure
    from playhead.ops import embedded
    from playhead.ops.commands.migrate import migrate

    migrate()
    if not lost_key:
        embedded.require_keys()
    owner = owner_ensure()
    embedded.prepare(demo=demo)
    return f"{url}/login/link/{login_link_create(user_id=owner.pk)}"


async def _main(stop: asyncio.Event, listener: socket.socket, link: str) -> None:
    from playhead import jobs
    from playhead.jobs.adapters import InProcessJobs
    from playhead.ops import embedded, server

    def started() -> None:
        print(f"Playhead is up. Sign in (this link works once): {link}", flush=True)

    carrier = InProcessJobs(asyncio.get_running_loop())
    jobs.discover()
    jobs.use(carrier)
    carrier.start_timers()
    try:
        await server.until(stop, server.serve(listener, started), embedded.run_worker())
    finally:
        carrier.close()
