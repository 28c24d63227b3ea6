"""`playhead beat`: sends the jobs that run by themselves, at their times."""

import argparse
import signal
import sys
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn


def register(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("beat", help="send periodic jobs (one process of it)")
    parser.set_defaults(run=run)


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)


def run(_args: argparse.Namespace) -> int:
    """Tick until a signal. The schedule is kept in memory: it follows from the code."""
    from django.conf import settings

    from playhead.core.errors import PlayheadError

    if not settings.REDIS_URL:
        raise PlayheadError("beat needs a broker: set REDIS_URL. `playhead up` ticks by itself.")
    from celery.beat import Scheduler, Service

    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, _leave)
    service = Service(import_module(settings.PLAYHEAD_BROKER_APP).app, scheduler_cls=Scheduler)
    print("Playhead beat ticks", flush=True)
    service.start()
    return 0
