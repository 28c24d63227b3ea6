"""The seam: what the loop writes is compared with the record, or, where it has nothing, written.

One mechanism, four modes. Live has an empty record; resume has a part of it; a branch has the
part before its fork; a replay has all of it and may write nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import Cancelled, Divergence, Paused, ReplayViolation
from playhead.core.catalogue import OBSERVED
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from agents_app.engine.journal import Journal
    from agents_app.engine.record import Record

_FREE: dict[str, frozenset[str]] = {k: v for k, v in OBSERVED.items() if v is not None}


class Seam:
    """Compares or writes. ``journal`` is ``None`` in a replay: then nothing can be written."""

    def __init__(self, record: Record, journal: Journal | None) -> None:
        self.record = record
        self.journal = journal
        self.visited: set[int] = set()
        self._ordinals: dict[tuple[str, str], int] = defaultdict(int)
        self._order: dict[str, int] = {}

    @property
    def replaying(self) -> bool:
        """Whether this is a replay: no model, no tool, no event."""
        return self.journal is None

    def peek(self, scope: str, event_type: str) -> Event | None:
        """The recorded event that the next ``write`` of this type here is compared with."""
        return self.record.find(scope, event_type, self._ordinals[(scope, event_type)])

    def fence(self, scope: str, event_type: str) -> float:
        """Check what people said before the next intent of this type in this scope.

        Returns the seq up to which their events count: that of the recorded intent, else infinity.

        Raises:
            Cancelled: a cancel comes first.
            Paused: a pause is on.
        """
        recorded = self.peek(scope, event_type)
        upto = recorded.seq if recorded else math.inf
        cancel = self.record.cancel_before(upto)
        if cancel is not None:
            raise Cancelled(cancel.seq)
        if self.record.paused_before(upto):
            raise Paused
        return upto

    def write(self, draft: Draft, *, checkpoint: bytes | None = None) -> Event:
        """Compare the draft with the record, or write it where the record has nothing.

        Raises:
            Divergence: the record has something else under this key.
            ReplayViolation: a replay would write what the record does not have.
        """
        scope, kind = draft.scope or "", draft.event_type
        recorded = self.peek(scope, kind)
        self._ordinals[(scope, kind)] += 1
        if recorded is not None:
            self._compare(draft, recorded)
            self.visited.add(recorded.seq)
            return recorded
        if self.journal is None:
            raise ReplayViolation(
                f"the record has no {kind} in {scope}", scope=scope, event_type=kind
            )
        return self.journal.emit(draft, checkpoint=checkpoint)

    def effect(self, scope: str, kind: str, request: Any) -> Event | None:
        """The recorded effect of that kind that comes next in the scope, marked as seen."""
        recorded = self.peek(scope, "effect")
        if recorded is None:
            return None
        expected = {"kind": kind, "request": request}
        self._compare(Draft("effect", expected, scope), recorded)
        self._ordinals[(scope, "effect")] += 1
        self.visited.add(recorded.seq)
        return recorded

    def saw(self, event: Event) -> Event:
        """Mark an answer, taken from the record, as used."""
        self.visited.add(event.seq)
        return event

    def _compare(self, draft: Draft, recorded: Event) -> None:
        free = _FREE.get(draft.event_type, frozenset())
        if recorded.edited is not None:
            return
        for name in draft.payload.keys() | recorded.payload.keys():
            ours, theirs = draft.payload.get(name), recorded.payload.get(name)
            if name not in free and ours != theirs:
                raise _divergence(recorded, name, theirs, ours)
        if draft.cause != recorded.cause:
            raise _divergence(recorded, "cause", recorded.cause, draft.cause)
        last = self._order.get(draft.scope or "", 0)
        if recorded.seq < last:
            raise _divergence(recorded, "order", last, recorded.seq)
        self._order[draft.scope or ""] = recorded.seq


def _divergence(recorded: Event, field: str, expected: Any, found: Any) -> Divergence:
    return Divergence(
        f"event {recorded.seq} ({recorded.event_type}): the loop would write another {field}",
        detail={
            "seq": recorded.seq,
            "event_type": recorded.event_type,
            "scope": recorded.scope,
            "field": field,
            "expected": expected,
            "found": found,
        },
    )
