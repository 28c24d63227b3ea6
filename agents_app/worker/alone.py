"""A session that takes its worker down with it runs in a process of its own, then not at all."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores.port import Append, Claimed, LogStore
from agents_app.engine.projection import project
from playhead.core.clock import SystemClock, stamp
from playhead.core.events import Draft, store_form

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

#: How long a process of its own may take to claim the session (seconds).
LIVES = 24 * 3600.0


async def isolate(
    claimed: Claimed, *, store: LogStore, in_thread: Callable[..., Awaitable[Any]]
) -> None:
    """Give the lease back and run the session in a process that holds nothing else."""
    logger.warning(
        "Session %s was claimed %s times without progress: it runs alone",
        claimed.public_id,
        claimed.attempts,
    )
    await in_thread(store.release, claimed.session, claimed.epoch)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "agents_app.worker.alone_main", str(claimed.session)
    )
    try:
        await asyncio.wait_for(process.wait(), LIVES)
    finally:
        if process.returncode is None:
            process.kill()


def give_up(store: LogStore, claimed: Claimed) -> None:
    """End a session that stopped even its own process: visibly, with the reason."""
    from agents_app.worker.assembly import assemble

    assembly = assemble(claimed.session)
    reason = f"The worker process stopped {claimed.attempts - 1} times while it ran this session."
    ended = len(assembly.record.by_type.get("session_end", ()))
    payload = {
        "run": ended + 1, "outcome": "failed", "answer": None, "steps": 0, "reason": reason,
        "error": {"code": "worker_died", "message": reason},
    }  # fmt: skip
    drafts = [
        Draft("error", {"code": "worker_died", "message": reason}),
        Draft("session_end", payload, None, None),
    ]
    prev, seq, stored = claimed.hash, claimed.seq, []
    ts = stamp(SystemClock().now())
    for draft in drafts:
        seq += 1
        stored.append(store_form(claimed.public_id, prev, seq, ts, draft))
        prev = stored[-1].hash
    projection = project(claimed.state, [each.event() for each in stored])
    logger.error("Session %s ends failed: %s", claimed.public_id, reason)
    store.append(
        [
            Append(
                session=claimed.session,
                expected=claimed.seq,
                epoch=claimed.epoch,
                events=tuple(stored),
                state=projection.state,
                release=True,
            )
        ]
    )
