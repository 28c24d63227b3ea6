"""Verify: the chain over the stored bytes, the loop run again on the record, the snapshots."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agents_app import facade
from replay_app.engine.player import Player
from replay_app.engine.verify import (
    DerivationVerdict,
    SnapshotVerdict,
    Verdict,
    chain_of_events,
    chain_of_stored,
    compare_snapshots,
    derive,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.contracts import SessionRef
    from playhead.core.events import Event


def session_verify(*, session: SessionRef) -> Verdict:
    """The three answers about a stored session. Blocks: it reads the whole log."""
    stored = facade.log_of(session)
    chain = chain_of_stored(stored)
    if not chain.ok:
        return Verdict(chain, DerivationVerdict("not_checked", reason="the chain is broken"))
    events = [row.event() for row in stored]
    code = facade.code_of(events, session=session)
    derivation, snapshots = _derived(
        events, code, facade.checkpoints_of(session.pk, session.lineage)
    )
    return Verdict(chain, derivation, snapshots)


def events_verify(*, events: Sequence[Event]) -> Verdict:
    """The same about exported events; snapshots do not travel."""
    chain = chain_of_events(events)
    if not chain.ok:
        return Verdict(chain, DerivationVerdict("not_checked", reason="the chain is broken"))
    derivation, _ = _derived(events, facade.code_of(events), {})
    return Verdict(chain, derivation)


def _derived(
    events: Sequence[Event], code: facade.Code, checkpoints: Mapping[int, bytes]
) -> tuple[DerivationVerdict, SnapshotVerdict]:
    if code.absent:
        reason = f"this installation has no {', '.join(code.absent)}"
        return DerivationVerdict("not_comparable", reason=reason), SnapshotVerdict(True, 0)
    player = Player(events, code.spec, parts=code.parts, versions=code.versions)
    derivation, replayed = asyncio.run(derive(player))
    if replayed is None:
        return _excused(derivation, code), SnapshotVerdict(True, 0)
    return derivation, compare_snapshots(replayed, checkpoints)


def _excused(derivation: DerivationVerdict, code: facade.Code) -> DerivationVerdict:
    """Without the tools that wrote a log the loop writes another: that says nothing of the log."""
    if derivation.verdict != "diverged" or not code.missing:
        return derivation
    reason = f"this installation has no code of the tools {', '.join(code.missing)}"
    return DerivationVerdict("not_comparable", reason=reason)
