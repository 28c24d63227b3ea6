"""``python -m agents_app.worker.alone_main SESSION EPOCH OWNER ABANDONED NOW``: one session.

The lease was taken by the worker that starts this. From the line that this prints on it is renewed
here; whatever else is printed goes to standard error.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents_app.adapters.stores import Claimed


def _handed(session: int, epoch: int, owner: str, abandoned: str, now: str) -> Claimed | None:
    """The session as it was claimed for us, unless it is somebody else's by now."""
    from agents_app.adapters.stores import Claimed, log_store
    from agents_app.models import Session

    head = log_store().head(session)
    if (head.epoch, head.owner) != (epoch, owner):
        return None
    public_id = Session.objects.values_list("public_id", flat=True).get(pk=session)
    return Claimed(
        session=session, public_id=public_id, epoch=epoch, now=datetime.fromisoformat(now),
        seq=head.seq, hash=head.hash, attempts=head.attempts, abandoned=abandoned == "1",
        state=head.state,
    )  # fmt: skip


async def _main(up: int, session: int, epoch: int, owner: str, *more: str) -> None:
    from agents_app.worker.host import SessionHost

    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    host = SessionHost(owner=owner, alone=True)
    claimed = await host.in_thread(_handed, session, epoch, owner, *more)
    if claimed is None:
        return
    await host.start(sweeping=False)
    host.take(claimed)
    with contextlib.suppress(BrokenPipeError):  # who started us is gone: the session is ours alone
        os.write(up, b"up\n")
    waits = {asyncio.ensure_future(stop.wait()), asyncio.ensure_future(host.idle(after=0))}
    _, left = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in left:
        wait.cancel()
    await host.stop()


if __name__ == "__main__":
    up = os.dup(1)
    os.dup2(2, 1)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
    import django

    django.setup()
    asyncio.run(_main(up, int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
