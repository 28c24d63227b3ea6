"""One sink behind its queue, in a thread of its own: whatever it does, nobody waits for it."""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from playhead.core.clock import stamp
from playhead.core.events import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agents_app.engine.ports import EventSink
    from playhead.core.clock import Clock

logger = logging.getLogger(__name__)

#: Events that wait for a sink; what comes after them is dropped and counted.
ROOM = 2000
#: Events that a sink is given at once.
BATCH = 200


class SinkQueue:
    """Hands events to a sink, in order; what it can't take is dropped, counted, and told.

    ``dropped`` counts since the process began. When the sink takes events again, the first one it
    is given is ``sink.dropped`` with the number of those that it missed.
    """

    def __init__(self, name: str, sink: EventSink, *, clock: Clock, room: int = ROOM) -> None:
        self.name = name
        self.dropped = 0
        self._sink, self._clock, self._room = sink, clock, room
        self._waiting: deque[Event | Mapping[str, Any]] = deque()
        self._missed = 0
        self._busy = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def put(self, events: Iterable[Event | Mapping[str, Any]]) -> None:
        """Queue events. Never blocks, never raises."""
        with self._changed:
            for event in events:
                if len(self._waiting) < self._room:
                    self._waiting.append(event)
                else:
                    self._drop(1)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name=f"sink-{self.name}", daemon=True
                )
                self._thread.start()
            self._changed.notify_all()

    def drain(self, seconds: float) -> None:
        """Wait until the sink has been given everything; what is left after that is dropped."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._waiting or self._busy), seconds)
            left = len(self._waiting)
            if left:
                self._waiting.clear()
                self._drop(left)

    def _drop(self, count: int) -> None:
        if not self._missed:
            logger.warning("Event sink %s does not keep up: events are dropped", self.name)
        self._missed += count
        self.dropped += count

    def _work(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting)
                self._busy = True
                count = min(len(self._waiting), BATCH)
                batch = [self._waiting.popleft() for _ in range(count)]
                missed, self._missed = self._missed, 0
            self._give(batch, missed)

    def _give(self, batch: list[Event | Mapping[str, Any]], missed: int) -> None:
        lines = [event.to_dict() if isinstance(event, Event) else dict(event) for event in batch]
        if missed:
            logger.warning("Event sink %s missed %d events", self.name, missed)
            told = {"event_type": "sink.dropped", "payload": {"count": missed}}
            lines.insert(0, {**told, "ts": stamp(self._clock.now())})
        try:
            self._sink.write(lines)
        except BaseException as error:  # an exit in a sink ends its call, not its thread
            logger.warning("Event sink %s failed: %r", self.name, error)
            with self._changed:
                self._missed += missed + len(batch)
                self.dropped += len(batch)
