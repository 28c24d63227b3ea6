"""Replays, verdicts and branches of sessions in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.testing.session import ANA, Session
from playhead.core.events import Draft
from replay_app.engine.branch import abandoned, edited_payload
from replay_app.engine.player import Player, Replayed
from replay_app.engine.verify import (
    Verdict,
    chain_of_stored,
    compare_snapshots,
    derive,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agents_app.engine.ports import ModelPort
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


def branch(
    parent: Session,
    at: int,
    *,
    replace: Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | None = None,
    effects: Mapping[str, str] | None = None,
    model: ModelPort | None = None,
    session_id: str = "sess_branch",
) -> Session:
    """A branch of a session that inherits its events before ``at``.

    Args:
        replace: what an edit changes in the payload of event ``at``.
        overrides: model, instructions, params, version: from the first request after the fork.
        effects: what effectful tools do: recorded (the default), ask, live or stub.
        model: answers the branch; by default the parent's.
    """
    child = Session(
        parent.spec,
        model or parent.model,
        session_id=session_id,
        middlewares=parent.make_middlewares,
        strategy=parent.strategy,
        seals=parent.seals,
    )
    child.limits, child.versions, child.clock.at = parent.limits, parent.versions, parent.clock.at
    child.log.events = [event for event in parent.log.events if event.seq < at]
    child.log.stored = [event for event in parent.log.stored if event.seq < at]
    child.log.checkpoints = {k: v for k, v in parent.log.checkpoints.items() if k < at}
    inherited = list(child.log.events)
    edited = _edited(parent, at, replace) if replace is not None else None
    payload = {
        "parent": parent.id,
        "fork_seq": at,
        "by": ANA,
        "overrides": dict(overrides or {}),
        "effects": dict(effects or {}),
        "seed": "5eed" * 8,
        "abandoned": abandoned(inherited, edited),
    }
    child.log.write(*([edited] if edited else []), Draft("branch", payload))
    child.log.inherited, child.parent = len(inherited), parent
    return child


def _edited(parent: Session, at: int, given: Mapping[str, Any]) -> Draft:
    event = parent.log.events[at - 1]
    payload = edited_payload(event, event.event_type, given)
    mark = {"by": ANA, "of": at}
    return Draft(event.event_type, payload, event.scope, event.cause, event.sealed, mark)
