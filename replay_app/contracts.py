"""What replay answers: the shapes of docs/protocol.md. Times are aware and in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agents_app.contracts import JsonObject, SessionView

Relation = Literal["same", "wording", "different", "only_a", "only_b"]


@dataclass(frozen=True, slots=True)
class Fork:
    """Where two logs part: the seq, whether its event was edited, and what else was changed."""

    seq: int
    edited: bool
    overrides: JsonObject | None


@dataclass(frozen=True, slots=True)
class FirstDivergence:
    """The first row that differs: in what was done, or only in how it was said."""

    row: int
    kind: Literal["action", "wording"]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row of a comparison; each side is a header, or ``None``."""

    relation: Relation
    a: JsonObject | None
    b: JsonObject | None


@dataclass(frozen=True, slots=True)
class Totals:
    """What one side took after the fork. Unknown is ``None``."""

    events: int
    model_calls: int
    tool_calls: int
    input: int | None
    output: int | None
    cost: str | None
    ms: int | None


@dataclass(frozen=True, slots=True)
class BothTotals:
    """The totals of both sides."""

    a: Totals
    b: Totals


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sessions side by side. ``shared`` events are the same by inheritance."""

    a: SessionView
    b: SessionView
    shared: int
    fork: Fork | None
    first_divergence: FirstDivergence | None
    rows: list[ComparedRow]
    totals: BothTotals


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """Whether every hash follows from the one before and the stored bytes."""

    ok: bool
    checked: int
    head_hash: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class DerivationVerdict:
    """Whether the loop, run again, writes what is recorded."""

    verdict: Literal["ok", "diverged", "not_comparable", "not_checked"]
    events: int
    complete: bool
    divergence: JsonObject | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SnapshotVerdict:
    """Whether stored snapshots are what the steps leave behind."""

    ok: bool
    checked: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class VerdictView:
    """Verify is three answers."""

    chain: ChainVerdict
    derivation: DerivationVerdict
    snapshots: SnapshotVerdict


@dataclass(frozen=True, slots=True)
class Show:
    """What a link shows besides what was said; what is not shown is hidden in the snapshot."""

    arguments: bool = True
    results: bool = True
    prompts: bool = False
    cost: bool = False


@dataclass(frozen=True, slots=True)
class SharePreview:
    """What a link would show: how many of the events, and how much of them masked."""

    events: int
    total: int
    masked: dict[str, int]


@dataclass(frozen=True, slots=True)
class ShareMade:
    """A link as its maker gets it: the token is told once."""

    id: str
    url: str
    token: str | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class ShareView:
    """A link as its owners see it."""

    id: str
    title: str
    range_from: int
    range_to: int
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    views: int
    last_view_at: datetime | None
