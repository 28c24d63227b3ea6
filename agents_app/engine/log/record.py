"""What a log says, indexed by the keys under which the loop asks for it again.

Answers and everything the loop writes are keyed by (scope, type, ordinal), the ordinal counting
within the scope. What a ``lease`` or ``branch`` calls abandoned counts for nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from agents_app.engine.messages import Message, from_log, spans_within

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playhead.core.events import Event

_BY_CAUSE = frozenset({"llm_response", "llm_error", "llm_attempt"})
_RAISED_BY = frozenset({"llm_request", "tool_call", "resume"})
_FRAMES = frozenset({"lease", "branch"})
#: What is found by what it answers, and never asked for by its type.
_ANSWERS = frozenset({"llm_response", "tool_result"})
#: Under this word stand the questions of a scope, abandoned ones included.
_ASKED = "asked"
K = TypeVar("K")
_NONE: list[Event] = []
_NO_SEQS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a session: what opened it, and between which events it lies.

    ``message`` is the user message; ``opener`` the event that began the run: the message or, when
    it came while another run was going on, that run's end. ``until`` is the seq of its own end.
    """

    number: int
    message: Event
    opener: Event
    until: float = math.inf

    @property
    def since(self) -> int:
        """The seq after which the events of the run come."""
        return self.opener.seq

    @property
    def user(self) -> str | None:
        """The id of who wrote the message."""
        by: dict[str, str] = self.message.payload.get("by") or {}
        return by.get("id")


class Record:
    """An index over the events of one session, in order, branches' inherited events included.

    ``sealed``: whether any of them has a sealed value.
    """

    __slots__ = (
        "_by_cause",
        "_keyed",
        "_messages",
        "abandoned",
        "by_type",
        "events",
        "sealed",
    )

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events: list[Event] = list(events)
        self._messages: dict[int | tuple[int, int], Message] = {}
        self._rebuild()

    def _clear(self) -> None:
        self._keyed: dict[tuple[str, str], list[Event]] = {}
        self._by_cause: dict[int, list[Event]] = {}
        self.by_type: dict[str, list[Event]] = defaultdict(list)
        self.sealed = False

    @property
    def seq(self) -> int:
        """The last seq."""
        return self.events[-1].seq if self.events else 0

    def add(self, event: Event) -> None:
        """Index the next event."""
        self.events.append(event)
        if event.event_type in _FRAMES and event.payload["abandoned"]:
            self._rebuild()
        else:
            self._index(event)

    def truncate(self, seq: int) -> None:
        """Forget everything after ``seq`` (it was never durable)."""
        while self.events and self.events[-1].seq > seq:
            self.events.pop()
        self._messages = {
            key: message
            for key, message in self._messages.items()
            if (key if isinstance(key, int) else key[0]) <= seq
        }
        self._rebuild()

    def _rebuild(self) -> None:
        self._clear()
        frames = [event for event in self.events if event.event_type in _FRAMES]
        seqs = [seq for frame in frames for seq in frame.payload["abandoned"]]
        self.abandoned = frozenset(seqs) if seqs else _NO_SEQS
        for event in self.events:
            self._index(event)

    def _index(self, event: Event) -> None:
        kind, scope = event.event_type, event.scope
        if event.sealed:
            self.sealed = True
        if kind == "interrupt":
            _add(self._keyed, (scope or "", _ASKED), event)
        if event.seq in self.abandoned:
            return
        if kind not in _ANSWERS:
            _add(self.by_type, kind, event)
        if kind == "decision":
            _add(self._keyed, (event.payload["interrupt"], kind), event)
        elif scope is None:
            return
        elif kind in _BY_CAUSE or (kind == "interrupt" and self._was_raised(event)):
            _add(self._by_cause, event.cause or 0, event)
        else:
            _add(self._keyed, (scope, kind), event)

    def _was_raised(self, event: Event) -> bool:
        cause = self.event(event.cause) if event.cause else None
        return cause is not None and cause.event_type in _RAISED_BY

    @property
    def branches(self) -> list[Event]:
        """The events at which it was forked, those of its ancestors first."""
        return self.by_type.get("branch", _NONE)

    def event(self, seq: int) -> Event | None:
        """The event with that seq."""
        place = seq - self.events[0].seq if self.events else -1
        return self.events[place] if 0 <= place < len(self.events) else None

    def find(self, scope: str, event_type: str, ordinal: int) -> Event | None:
        """The n-th event of a type that the loop wrote in a scope."""
        found = self._keyed.get((scope, event_type))
        return found[ordinal] if found is not None and ordinal < len(found) else None

    def last(self, scope: str, event_type: str) -> Event | None:
        """The last event of a type that the loop wrote in a scope."""
        found = self._keyed.get((scope, event_type))
        return found[-1] if found else None

    def caused_by(self, seq: int) -> list[Event]:
        """Attempts, errors, answers and questions that an intent caused, in order."""
        return self._by_cause.get(seq, _NONE)

    def answer(self, seq: int) -> Event | None:
        """The answer of a model request: a response, or an error that is final."""
        for event in self._by_cause.get(seq, ()):
            if event.event_type == "llm_response" or event.payload.get("final"):
                return event
        return None

    def result(self, scope: str) -> Event | None:
        """The one result of the call with that scope."""
        return self.find(scope, "tool_result", 0)

    def decision(self, interrupt: str) -> Event | None:
        """The decision that an interrupt got, if any; the first one counts."""
        return self.find(interrupt, "decision", 0)

    def asked(self, scope: str, before: float = math.inf) -> list[Event]:
        """Every question of a scope with a smaller seq, abandoned ones included."""
        return [event for event in self._keyed.get((scope, _ASKED), ()) if event.seq < before]

    def run(self, number: int) -> Run | None:
        """The n-th run (from 0), once its user message is there."""
        messages = self.by_type.get("user_message", _NONE)
        ends = self.by_type.get("session_end", _NONE)
        if number >= len(messages):
            return None
        message, opener = messages[number], messages[number]
        if number and number <= len(ends) and ends[number - 1].seq > message.seq:
            opener = ends[number - 1]
        until = float(ends[number].seq) if number < len(ends) else math.inf
        return Run(number, message, opener, until)

    def cancel_between(self, since: float, until: float) -> Event | None:
        """A cancel after one event and before another."""
        for event in reversed(self.by_type.get("cancel", ())):
            if since < event.seq < until:
                return event
        return None

    def paused_before(self, seq: float) -> bool:
        """Whether the last pause with a smaller seq says on."""
        for event in reversed(self.by_type.get("pause", ())):
            if event.seq < seq:
                return bool(event.payload["on"])
        return False

    def message(self, seq: int, place: int | None = None) -> Message:
        """The message that an event carries, call ids formed from its place in the log."""
        key = seq if place is None else (seq, place)
        known = self._messages.get(key)
        if known is None:
            event = self.event(seq)
            if event is None:
                raise KeyError(f"no event {seq} carries a message")
            spans = spans_within("/message", event.sealed) if event.sealed else ()
            known = self._messages[key] = from_log(
                event.payload["message"], seq, *([] if place is None else [place]), spans=spans
            )
        return known


def _add(index: dict[K, list[Event]], key: K, event: Event) -> None:
    """Add to what stands under a key, mostly nothing: a list that has grown has room to spare."""
    known = index.get(key)
    if known is None:
        index[key] = [event]
    else:
        known.append(event)
