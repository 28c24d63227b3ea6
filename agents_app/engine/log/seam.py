"""The seam: what the loop writes is compared with the record, or, where it has nothing, written.

One mechanism, four modes. Live has an empty record; resume has a part of it; a branch has the
part before its fork; a replay has all of it and may write nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import Cancelled, Divergence, Moved, Paused, ReplayViolation
from agents_app.engine.log.mismatch import Difference, accepts, differs
from agents_app.engine.log.sealing import withheld
from playhead.core.catalogue import OBSERVED
from playhead.core.events import Draft, Event
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from agents_app.engine.log.journal import Journal
    from agents_app.engine.log.record import Record, Run

_FREE: dict[str, frozenset[str]] = {k: v for k, v in OBSERVED.items() if v is not None}
_NOTHING: frozenset[str] = frozenset()
_NEVER: set[int] = set()


class Seam:
    """Compares or writes. ``journal`` is ``None`` in a replay: then nothing can be written.

    ``run`` is the run that the loop is in: what people said before it, or after its end, is not
    about it. Only a replay notes what it has ``visited``: what it leaves out is a mismatch.
    """

    __slots__ = (
        "_order",
        "_ordinals",
        "abandoned",
        "covered",
        "journal",
        "record",
        "run",
        "visited",
    )

    def __init__(self, record: Record, journal: Journal | None) -> None:
        self.record = record
        self.journal = journal
        self.run: Run | None = None
        self.abandoned = False
        self.visited: set[int] = set() if journal is None else _NEVER
        self.covered: tuple[str, ...] = ()
        self._ordinals: dict[tuple[str, str], int] = {}
        self._order: dict[str, int] = {}

    @property
    def replaying(self) -> bool:
        """Whether this is a replay: no model, no tool, no event."""
        return self.journal is None

    @property
    def writer(self) -> Journal:
        """The journal of a loop that may write."""
        if self.journal is None:
            raise AssertionError("a replay writes nothing")
        return self.journal

    @property
    def until(self) -> float:
        """The seq of the end of the run where the record has it, else infinity."""
        return self.run.until if self.run else float("inf")

    def abandon(self) -> None:
        """Whoever still comes to this seam is not waited for any more: nothing is written."""
        self.abandoned = True

    def _check_wanted(self) -> None:
        if self.abandoned:
            raise Moved

    def peek(self, scope: str, event_type: str) -> Event | None:
        """The recorded event that the next ``write`` of this type here is compared with."""
        ordinal = self._ordinals.get((scope, event_type), 0)
        return self.record.find(scope, event_type, ordinal)

    def upto(self, scope: str, event_type: str) -> float:
        """The seq up to which people's events count for the next event of this type here."""
        recorded = self.peek(scope, event_type)
        return self.until if recorded is None else recorded.seq

    def fence(self, scope: str, event_type: str) -> None:
        """Check what people said before the next intent of this type in this scope.

        Raises:
            Cancelled: a cancel comes first.
            Paused: a pause is on.
        """
        self._check_wanted()
        upto = self.upto(scope, event_type)
        self.check_cancel(upto)
        if self.record.paused_before(upto):
            raise Paused

    def cancelled(self, upto: float) -> Event | None:
        """The cancel that ends this run before ``upto``, if there is one."""
        return self.record.cancel_between(self.run.since if self.run else 0, upto)

    def check_cancel(self, upto: float | None = None) -> None:
        """Stop where a cancel comes before ``upto`` (by default, before the end of the run).

        Raises:
            Cancelled: it does.
        """
        self._check_wanted()
        cancel = self.cancelled(self.until if upto is None else upto)
        if cancel is not None:
            raise Cancelled(cancel.seq)

    def write(self, draft: Draft, *, checkpoint: bytes | None = None) -> Event:
        """Compare the draft with the record, or write it where the record has nothing.

        A secret that is raw in it is taken out before: what is written is what is compared.

        Args:
            checkpoint: the state that goes with it, where the event does not hold it.

        Raises:
            Divergence: the record has something else under this key.
            ReplayViolation: a replay would write what the record does not have.
        """
        self._check_wanted()
        key = (draft.scope or "", draft.event_type)
        ordinal = self._ordinals.get(key, 0)
        recorded = self.record.find(*key, ordinal)
        if recorded is None and self.replaying:
            raise ReplayViolation(
                f"the record has no {draft.event_type} in {draft.scope}",
                scope=draft.scope,
                event_type=draft.event_type,
            )
        self._ordinals[key] = ordinal + 1
        if recorded is not None:
            self._compare(draft, recorded)
            return self.saw(recorded)
        journal = self.writer
        return journal.emit(withheld(draft), checkpoint=checkpoint, derived=True)

    def effect(self, scope: str, kind: str, request: Any) -> Event | None:
        """The recorded effect of that kind that comes next in the scope, marked as seen."""
        recorded = self.peek(scope, "effect")
        if recorded is None:
            return None
        asked = {"kind": kind, "request": request}
        draft = Draft("effect", asked, scope, recorded.cause, sealed=recorded.sealed)
        return self.write(draft)

    def saw(self, event: Event) -> Event:
        """Mark an answer, taken from the record, as used."""
        if self.journal is None:
            self.visited.add(event.seq)
        return event

    def cover(self, scope: str) -> None:
        """A recorded result answers for everything below its call."""
        self.covered += (scope,)

    def generation(self, scope: str) -> int:
        """How many questions this scope asked before the next one, abandoned ones included."""
        return len(self.record.asked(scope, self.upto(scope, "interrupt")))

    def _compare(self, draft: Draft, recorded: Event) -> None:
        if recorded.edited is None:
            fields = _differences(draft, recorded)
            if fields:
                fields = _differences(withheld(draft), recorded)
            if fields and not accepts(self.record, recorded, fields):
                raise _divergence(recorded, fields)
        scope = draft.scope or ""
        last = self._order.get(scope, 0)
        if recorded.seq < last:
            fields = [("order", last, recorded.seq)]
            if not accepts(self.record, recorded, fields):
                raise _divergence(recorded, fields)
        self._order[scope] = recorded.seq


def _differences(draft: Draft, recorded: Event) -> list[Difference]:
    """What the loop would write otherwise: (field, as recorded, as found)."""
    out: list[Difference] = []
    if draft.payload != recorded.payload:
        free = _FREE.get(draft.event_type, _NOTHING)
        for name in sorted(draft.payload.keys() | recorded.payload.keys()):
            ours, theirs = draft.payload.get(name), recorded.payload.get(name)
            if name not in free and ours != theirs and not _says_the_same(name, draft, recorded):
                out.append((name, theirs, ours))
    if draft.cause != recorded.cause:
        out.append(("cause", recorded.cause, draft.cause))
    if (draft.sealed or None) != (recorded.sealed or None):
        out.append(("sealed", recorded.sealed, draft.sealed))
    return out


def _says_the_same(name: str, draft: Draft, recorded: Event) -> bool:
    """Which of two messages that say the same a prompt names is notation: its digest is of what
    all of them say, in their order."""
    ours, theirs = draft.payload, recorded.payload
    return name == "prompt" and all(ours.get(n) == theirs.get(n) for n in ("digest", "n"))


def _divergence(recorded: Event, fields: list[Difference]) -> Divergence:
    field, expected, found = fields[0]
    return Divergence(
        f"event {recorded.seq} ({recorded.event_type}): the loop would write another {field}",
        detail={
            "seq": recorded.seq,
            "event_type": recorded.event_type,
            "scope": recorded.scope,
            "field": field,
            "expected": withhold(expected),
            "found": withhold(found),
        },
        differs=differs(recorded, fields),
    )
