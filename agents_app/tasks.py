"""Jobs of this app. A job is a wake-up: a worker finds the work by itself too."""

from __future__ import annotations

from agents_app.worker import host
from playhead.jobs import job


@job("agents.advance")
async def agents_advance(session_id: int) -> None:
    """Let the session host of this process, if there is one, look at a session now."""
    current = host.current()
    if current is not None:
        await current.advance(session_id)
