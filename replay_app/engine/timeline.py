"""A timeline: recorded events in order, a playhead, breakpoints, and replacements for a branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from playhead.core.catalogue import EDITABLE
from playhead.core.errors import InvalidInput, NotFound
from playhead.core.events import Event
from replay_app.engine.files import event_from_dict

Recorded = Event | Mapping[str, Any]


class StopOn:
    """A breakpoint: the type is equal, and every filter equals the payload's field of that name."""

    def __init__(self, event_type: str, **filters: Any) -> None:
        self.event_type = event_type
        self.filters = filters

    def matches(self, event: Recorded) -> bool:
        """Whether the player stops before this event."""
        kind, payload = _parts(event)
        if kind != self.event_type:
            return False
        return all(
            name in payload and payload[name] == value for name, value in self.filters.items()
        )


@dataclass(frozen=True, slots=True)
class Replacement:
    """What a branch puts in the place of an event."""

    seq: int
    event_type: str
    payload: dict[str, Any]


class Timeline:
    """Events sorted by ``seq``; reading moves a playhead, nothing is executed."""

    def __init__(self, events: Iterable[Recorded]) -> None:
        given = (event if isinstance(event, Event) else event_from_dict(event) for event in events)
        self.events: tuple[Event, ...] = tuple(sorted(given, key=lambda event: event.seq))
        self.replacement: Replacement | None = None
        self._place = 0

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    @property
    def position(self) -> int:
        """The seq of the last event that was read, 0 at the start."""
        return self.events[self._place - 1].seq if self._place else 0

    def next(self) -> Event | None:
        """The next event, ``None`` at the end."""
        if self._place >= len(self.events):
            return None
        self._place += 1
        return self.events[self._place - 1]

    def seek(self, *, seq: int) -> Timeline:
        """Put the playhead so that ``next`` gives the event ``seq``.

        Raises:
            NotFound: no such event.
        """
        self._place = self._index(seq)
        return self

    def run_until(self, *stops: StopOn) -> Event | None:
        """Read on and stop *before* the first event that matches; ``None`` when none does."""
        while self._place < len(self.events):
            event = self.events[self._place]
            if any(stop.matches(event) for stop in stops):
                return event
            self._place += 1
        return None

    def replace(self, *, seq: int, event_type: str, payload: Mapping[str, Any]) -> Timeline:
        """A timeline for a branch: what came before ``seq``, and another event in its place.

        Raises:
            NotFound: no such event.
            InvalidInput: the type differs, or is nothing that came from outside.
        """
        event = self.events[self._index(seq)]
        if event.event_type != event_type:
            raise InvalidInput(
                f"event {seq} is a {event.event_type}, not a {event_type}",
                detail={"field": "event_type"},
            )
        if event_type not in EDITABLE:
            raise InvalidInput(
                f"{event_type} is written by the loop and can't be edited; "
                f"editable are: {', '.join(sorted(EDITABLE))}",
                detail={"field": "event_type"},
            )
        kept = [each for each in self.events if each.seq < seq]
        branch = Timeline([*kept, replace(event, payload={**event.payload, **payload})])
        branch.replacement = Replacement(seq, event_type, {**event.payload, **payload})
        return branch

    def _index(self, seq: int) -> int:
        for place, event in enumerate(self.events):
            if event.seq == seq:
                return place
        raise NotFound(f"there is no event {seq}", detail={"seq": seq})


def _parts(event: Recorded) -> tuple[str, Mapping[str, Any]]:
    if isinstance(event, Event):
        return event.event_type, event.payload
    return event["event_type"], event.get("payload") or {}
