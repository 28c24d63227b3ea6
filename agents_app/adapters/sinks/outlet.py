"""``event.sink``: the one thing that plug-ins and the worker tell, for all sinks there are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import playhead
from agents_app.adapters.doors import mask_key
from agents_app.adapters.sinks.queue import SinkQueue
from playhead.core.clock import SystemClock, stamp
from playhead.core.mask import SECRETS, mask
from playhead.core.sanitise import sanitise
from playhead.plugins import PluginError, PluginMeta

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.engine.ports import EventSink
    from playhead.core.events import Event

#: How long sinks may take for what is queued when the process stops (seconds).
GRACE = 5.0


class Outlet:
    """Every sink, each behind a queue of its own. Without sinks nothing is done."""

    meta = PluginMeta("playhead.outlet", playhead.__version__, ("event.sink",))

    def __init__(self) -> None:
        self.queues: list[SinkQueue] = []
        self._clock = SystemClock()

    def serve(self, sinks: Mapping[str, EventSink | None]) -> None:
        """Tell these sinks from now on, by name; one that is switched off is ``None``.

        Raises:
            PluginError: something that is no sink.
        """
        for name, sink in sinks.items():
            if sink is not None and not callable(getattr(sink, "write", None)):
                raise PluginError(f"event.{name} is no sink: it needs write(events)")
        self.queues = [
            SinkQueue(name, sink, clock=self._clock)
            for name, sink in sinks.items()
            if sink is not None
        ]

    def tell(self, events: Sequence[Event]) -> None:
        """Events of a session that are durable. Never blocks, never raises."""
        for queue in self.queues:
            queue.put(events)

    def emit(self, event_type: str, payload: Mapping[str, Any]) -> None:
        """What a plug-in has to tell that is not in the log; what looks like a secret is masked.

        Args:
            event_type: such as ``tool.weather.request``.
            payload: JSON values; others become what JSON has for them.
        """
        if self.queues:
            clean, _ = sanitise(dict(payload))
            masked, _ = mask(clean, key=mask_key(), kinds={SECRETS})
            event = {
                "event_type": event_type,
                "ts": stamp(self._clock.now()),
                "payload": masked,
            }
            for queue in self.queues:
                queue.put([event])

    async def drained(self) -> None:
        """Give the sinks what is queued, within a grace."""
        await asyncio.gather(*(asyncio.to_thread(queue.drain, GRACE) for queue in self.queues))
