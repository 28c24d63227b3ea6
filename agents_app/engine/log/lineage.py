"""Whose events a branch reads: ``[[ancestor, last inherited seq], …]``, oldest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Lineage = list[list[int]]


class Segment(NamedTuple):
    """The events ``after < seq <= upto`` of one session; ``upto`` is ``None`` for its own tail."""

    session: int
    after: int
    upto: int | None


def fork(lineage: Sequence[Sequence[int]], parent: int, fork_seq: int) -> Lineage:
    """The lineage of a branch of ``parent`` that inherits its events before ``fork_seq``.

    ``lineage`` is the parent's. An ancestor that gives nothing to the branch is not named.
    """
    last = fork_seq - 1
    out: Lineage = []
    for ancestor, inherited in [*lineage, [parent, last]]:
        upto = min(inherited, last)
        if upto > (out[-1][1] if out else 0):
            out.append([ancestor, upto])
    return out


def segments(
    session: int, lineage: Sequence[Sequence[int]], *, after: int = 0, upto: int | None = None
) -> list[Segment]:
    """Where the events ``after < seq <= upto`` of a session are, in the order of seq."""
    owners: list[tuple[int, int | None]] = [(ancestor, last) for ancestor, last in lineage]
    out = []
    start = 0
    for owner, last in [*owners, (session, None)]:
        low = max(start, after)
        high = last if upto is None else upto if last is None else min(last, upto)
        if high is None or low < high:
            out.append(Segment(owner, low, high))
        start = last or start
    return out
