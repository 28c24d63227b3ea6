"""Verify is three answers: the chain, the derivation, the snapshots."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.errors import Divergence, ReplayViolation
from agents_app.engine.spec import LOOP_VERSION
from playhead.core.events import GENESIS, Draft, Event, StoredEvent, body_of, link, rehash
from replay_app.engine.player import Player, Replayed, left_over

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agents_app.engine.loop.shared import Loop


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """Whether every hash follows from the one before and the stored bytes."""

    ok: bool
    checked: int
    head_hash: str
    error: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class DerivationVerdict:
    """Whether the loop, run again, writes the record; ``complete`` when the last run ended."""

    verdict: Literal["ok", "diverged", "not_comparable", "not_checked"]
    events: int = 0
    complete: bool = False
    divergence: dict[str, Any] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SnapshotVerdict:
    """Whether stored checkpoints are what the steps leave behind."""

    ok: bool
    checked: int
    error: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """All three; ``ok`` when none found a fault."""

    chain: ChainVerdict
    derivation: DerivationVerdict
    snapshots: SnapshotVerdict = field(default_factory=lambda: SnapshotVerdict(True, 0))

    @property
    def ok(self) -> bool:
        """No fault found (what is not comparable is no fault)."""
        return self.chain.ok and self.derivation.verdict != "diverged" and self.snapshots.ok

    def to_dict(self) -> dict[str, Any]:
        """The served form."""
        return asdict(self)


def chain_of_stored(events: Iterable[StoredEvent]) -> ChainVerdict:
    """Recompute the chain over stored bytes, from the first event."""
    prev, checked = GENESIS, 0
    for event in events:
        if event.seq != checked + 1:
            return _broken(checked, prev, checked + 1, f"event {checked + 1} is missing")
        if rehash(prev, event) != event.hash:
            return _broken(checked, prev, event.seq, f"event {event.seq} is not what was written")
        prev, checked = event.hash, checked + 1
    return ChainVerdict(True, checked, prev.hex())


def chain_of_events(events: Iterable[Event]) -> ChainVerdict:
    """Recompute the chain of exported events, whose bodies are canonical again."""
    prev, checked = GENESIS, 0
    for event in events:
        if event.seq != checked + 1:
            return _broken(checked, prev, checked + 1, f"event {checked + 1} is missing")
        draft = Draft(
            event.event_type, event.payload, event.scope, event.cause, event.sealed, event.edited
        )
        body, _ = body_of(event.payload)
        if link(prev, event.seq, event.ts, draft, body, event.schema_version) != event.hash:
            return _broken(checked, prev, event.seq, f"event {event.seq} is not what was written")
        prev, checked = event.hash, checked + 1
    return ChainVerdict(True, checked, prev.hex())


def _broken(checked: int, prev: bytes, seq: int, message: str) -> ChainVerdict:
    return ChainVerdict(False, checked, prev.hex(), {"seq": seq, "message": message})


async def derive(player: Player) -> tuple[DerivationVerdict, Replayed | None]:
    """Replay a session and say whether it holds."""
    events = player.timeline.events
    version = events[0].payload.get("loop_version")
    if version != LOOP_VERSION:
        reason = f"written by loop version {version}; this is {LOOP_VERSION}"
        return DerivationVerdict("not_comparable", reason=reason), None
    try:
        replayed = await player.replay()
    except Divergence as error:
        divergence = {**error.detail, "message": error.message}
        return DerivationVerdict("diverged", len(events), divergence=divergence), None
    except ReplayViolation as violation:
        return _at_the_end(player, violation), None
    return DerivationVerdict("ok", replayed.compared, replayed.outcome.ended), replayed


def _at_the_end(player: Player, violation: ReplayViolation) -> DerivationVerdict:
    """A log that stops in the middle of a step is whole as far as it goes; a hole is not."""
    loop = player.last_loop
    unwritten = [
        event
        for event in player.timeline.events
        if event.scope
        and loop
        and event.seq not in loop.record.abandoned
        and not player.seen(loop, event)
    ]
    if not unwritten:
        visited = len(loop.seam.visited) if loop else 0
        return DerivationVerdict("ok", visited, complete=loop is not None and _has_ended(loop))
    first = left_over(unwritten[0])
    divergence = {**first.detail, "message": f"{violation}; {first.message}"}
    return DerivationVerdict("diverged", len(player.timeline.events), divergence=divergence)


def _has_ended(loop: Loop) -> bool:
    """Whether the last run ended without the loop: its workers died, and a sweep wrote the end."""
    ends = loop.record.by_type.get("session_end", ())
    return bool(ends) and loop.record.run(len(ends)) is None


def compare_snapshots(replayed: Replayed, stored: Mapping[int, bytes]) -> SnapshotVerdict:
    """Compare stored checkpoints (by seq of their step_end) with what the replay left behind."""
    checked = 0
    for seq, data in sorted(stored.items()):
        ours = replayed.snapshots.get(seq)
        if ours is None:
            continue
        if ours != data:
            return SnapshotVerdict(
                False, checked, {"seq": seq, "message": f"the checkpoint of step_end {seq} differs"}
            )
        checked += 1
    return SnapshotVerdict(True, checked)
