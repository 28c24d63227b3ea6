"""Crash a session at each of its commits: what comes of it is what would have come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.testing import Crashed, Session
from replay_app.testing import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playhead.core.events import Event


async def survives(make: Callable[[], Session], told: Callable[[Session], Any]) -> Session:
    """Run it calmly, then crash it before and after each commit, and verify each.

    Args:
        make: a session with its first message.
        told: what must be the same, whatever happened.

    Returns:
        the session that nothing happened to.
    """
    calm = make()
    await calm.finish()
    await holds(calm)
    for durable in (False, True):
        for at in range(1, calm.commits + 1):
            session = make()
            setattr(session, "after_commit" if durable else "before_commit", dies(at))
            await session.finish()
            assert told(session) == told(calm), (at, durable)
            await holds(session)
    return calm


async def holds(session: Session) -> None:
    """The session verifies: chain, derivation and snapshots."""
    verdict = await verify(session)
    assert verdict.ok, verdict


def dies(at: int) -> Callable[[Session, int, Sequence[Event]], None]:
    """A hook that crashes the process at the commit of that number."""

    def die(_session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            raise Crashed

    return die
