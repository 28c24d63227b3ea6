"""``python -m agents_app.worker.alone_main SESSION``: one session, one process."""

from __future__ import annotations

import asyncio
import os
import sys


async def _main(session: int) -> None:
    from agents_app.worker.host import SessionHost

    host = SessionHost(concurrency=1, only=session, sweep=0.2)
    await host.start()
    await host.idle(after=1.0)
    await host.stop()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
    import django

    django.setup()
    asyncio.run(_main(int(sys.argv[1])))
