"""Replays and verdicts of sessions in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from replay_app.engine.player import Player, Replayed
from replay_app.engine.verify import (
    Verdict,
    chain_of_stored,
    compare_snapshots,
    derive,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.testing import Session
    from playhead.core.events import Event


def player_of(session: Session, events: Sequence[Event] | None = None) -> Player:
    """A player of a session's log, or of other events, with the session's own code."""
    return Player(
        session.events if events is None else events,
        session.spec,
        middlewares=session.make_middlewares(),
        strategy=session.strategy,
        versions=session.versions,
    )


async def replay(session: Session) -> Replayed:
    """Run the session's log again.

    Raises:
        Divergence, ReplayViolation: it is not what the loop would write.
    """
    return await player_of(session).replay()


async def verify(session: Session, events: Sequence[Event] | None = None) -> Verdict:
    """All three answers about a session's log, or about other events with its code."""
    derivation, replayed = await derive(player_of(session, events))
    verdict = Verdict(chain_of_stored(session.log.stored), derivation)
    if replayed is None:
        return verdict
    return Verdict(verdict.chain, derivation, compare_snapshots(replayed, session.log.checkpoints))
