"""`playhead worker`: a process that runs sessions."""

import argparse
import asyncio
from typing import Any


def register(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("worker", help="run sessions")
    parser.add_argument(
        "--concurrency", type=int, default=100, metavar="N", help="sessions at once (default 100)"
    )
    parser.add_argument("--lost-key", action="store_true", help="the old vault key is gone: go on")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run sessions until a signal, then give the leases back."""
    from playhead.ops import embedded, server
    from playhead.ops.commands.web import require_database

    require_database()
    if not args.lost_key:
        embedded.require_keys()
    embedded.prepare(demo=False)  # a changed definition becomes a version with the restart
    return server.run(lambda stop: _main(stop, args.concurrency))


async def _main(stop: asyncio.Event, concurrency: int) -> None:
    from django.conf import settings

    from playhead import jobs
    from playhead.ops import embedded, server
    from playhead.ops.start import settle
    from playhead.ops.wakeups import BrokerListener

    jobs.discover()
    listener = BrokerListener() if settings.REDIS_URL and settings.PLAYHEAD_WAKEUPS else None
    if listener is not None:
        listener.start()
    settle()
    print(f"Playhead worker runs up to {concurrency} sessions", flush=True)
    try:
        await server.until(stop, embedded.run_worker(concurrency=concurrency))
    finally:
        if listener is not None:
            await asyncio.to_thread(listener.stop)
