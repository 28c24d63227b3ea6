"""What of a session is told to the event sinks: all that is durable, in order.

It begins behind the last event that the loop wrote when the session was claimed, so what people
wrote since is told with it. A worker that dies takes what was queued with it; one that follows may
tell an event again: ``session_id`` and ``seq`` say which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.adapters import plugins

if TYPE_CHECKING:
    from agents_app.engine.log.record import Record


class Outflow:
    """The sinks' place in a session's log."""

    __slots__ = ("_id", "_outlet", "_record", "_told")

    def __init__(self, session_id: str, record: Record, seq: int) -> None:
        self._outlet = plugins.current().outlet
        self._id, self._record = session_id, record
        self._told = next(
            (each.seq for each in reversed(record.events) if each.scope and each.seq <= seq), 0
        )

    def durable(self, seq: int) -> None:
        """Everything up to ``seq`` is committed."""
        if not self._outlet.queues or seq <= self._told:
            return
        events = (self._record.event(place) for place in range(self._told + 1, seq + 1))
        self._outlet.tell([each for each in events if each and each.session_id == self._id])
        self._told = seq
