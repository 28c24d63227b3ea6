"""What a log says, indexed by the keys under which the loop asks for it again.

Answers and everything the loop writes are keyed by (scope, type, ordinal), the ordinal counting
within the scope. What a ``lease`` or ``branch`` calls abandoned counts for nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from agents_app.engine.messages import Message, from_log

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from playhead.core.events import Event

_BY_CAUSE = frozenset({"llm_response", "llm_error", "llm_attempt"})
_RAISED_BY = frozenset({"llm_request", "tool_call", "resume"})


class Record:
    """An index over the events of one session, in order, branches' inherited events included."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events: list[Event] = []
        self._clear()
        for event in events:
            self.add(event)

    def _clear(self) -> None:
        self.abandoned: set[int] = set()
        self._keyed: dict[tuple[str, str], list[Event]] = defaultdict(list)
        self._by_cause: dict[int, list[Event]] = defaultdict(list)
        self._results: dict[str, Event] = {}
        self._decisions: dict[str, Event] = {}
        self._messages: dict[tuple[int, ...], Message] = {}
        self.people: list[Event] = []
        self.branches: list[Event] = []
        self.by_type: dict[str, list[Event]] = defaultdict(list)

    @property
    def seq(self) -> int:
        """The last seq."""
        return self.events[-1].seq if self.events else 0

    def add(self, event: Event) -> None:
        """Index the next event."""
        self.events.append(event)
        dropped = (
            event.payload.get("abandoned") if event.event_type in ("lease", "branch") else None
        )
        if event.event_type == "branch":
            self.branches.append(event)
        if dropped:
            self._rebuild({*self.abandoned, *dropped})
        else:
            self._index(event)

    def truncate(self, seq: int) -> None:
        """Forget everything after ``seq`` (it was never durable)."""
        while self.events and self.events[-1].seq > seq:
            self.events.pop()
        kept = {
            n
            for e in self.events
            if e.event_type in ("lease", "branch")
            for n in e.payload["abandoned"]
        }
        self._rebuild(kept)

    def _rebuild(self, abandoned: set[int]) -> None:
        messages = self._messages
        self._clear()
        self.abandoned = abandoned
        self._messages = {k: v for k, v in messages.items() if k[0] <= self.seq}
        for event in self.events:
            if event.event_type == "branch":
                self.branches.append(event)
            self._index(event)

    def _index(self, event: Event) -> None:
        if event.seq in self.abandoned:
            return
        kind, scope = event.event_type, event.scope
        self.by_type[kind].append(event)
        if scope is None:
            self._index_person(event)
        elif kind in _BY_CAUSE or (kind == "interrupt" and self._was_raised(event)):
            self._by_cause[event.cause or 0].append(event)
        elif kind == "tool_result":
            self._results[scope] = event
        else:
            self._keyed[(scope, kind)].append(event)

    def _index_person(self, event: Event) -> None:
        if event.event_type == "decision":
            self._decisions.setdefault(event.payload["interrupt"], event)
        self.people.append(event)

    def _was_raised(self, event: Event) -> bool:
        cause = self.event(event.cause) if event.cause else None
        return cause is not None and cause.event_type in _RAISED_BY

    def event(self, seq: int) -> Event | None:
        """The event with that seq."""
        first = self.events[0].seq if self.events else 1
        place = seq - first
        return self.events[place] if 0 <= place < len(self.events) else None

    def find(self, scope: str, event_type: str, ordinal: int) -> Event | None:
        """The n-th event of a type that the loop wrote in a scope."""
        found = self._keyed.get((scope, event_type), ())
        return found[ordinal] if ordinal < len(found) else None

    def keyed(self) -> Iterator[Event]:
        """Every event that a replay must write again."""
        for events in self._keyed.values():
            yield from events

    def caused_by(self, seq: int, *types: str) -> list[Event]:
        """Attempts, errors, answers and questions that event ``seq`` caused, in order."""
        return [event for event in self._by_cause.get(seq, ()) if event.event_type in types]

    def answer(self, seq: int) -> Event | None:
        """The answer of a model request: a response, or an error that is final."""
        for event in self._by_cause.get(seq, ()):
            if event.event_type == "llm_response" or event.payload.get("final"):
                return event
        return None

    def result(self, scope: str) -> Event | None:
        """The one result of the call with that scope."""
        return self._results.get(scope)

    def decision(self, interrupt: str) -> Event | None:
        """The decision that an interrupt got, if any."""
        return self._decisions.get(interrupt)

    def cancel_before(self, seq: float) -> Event | None:
        """A cancel with a smaller seq that no ``session_end`` has answered yet."""
        return self._last_open("cancel", seq)

    def paused_before(self, seq: float) -> bool:
        """Whether the last pause with a smaller seq says on."""
        last = [e for e in self.by_type.get("pause", ()) if e.seq < seq]
        return bool(last) and bool(last[-1].payload["on"])

    def _last_open(self, event_type: str, seq: float) -> Event | None:
        ends = [e.seq for e in self.by_type.get("session_end", ()) if e.seq < seq]
        since = ends[-1] if ends else 0
        for event in reversed(self.by_type.get(event_type, ())):
            if since < event.seq < seq:
                return event
        return None

    def message(self, seq: int, place: int | None = None) -> Message:
        """The message that an event carries, call ids formed from its place in the log."""
        key = (seq,) if place is None else (seq, place)
        known = self._messages.get(key)
        if known is None:
            event = self.event(seq)
            if event is None:
                raise KeyError(f"no event {seq} carries a message")
            spans = [[s[0][8:], *s[1:]] for s in event.sealed or () if s[0].startswith("/message/")]
            known = self._messages[key] = from_log(event.payload["message"], *key, spans=spans)
        return known
