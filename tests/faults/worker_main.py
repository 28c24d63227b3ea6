"""A worker process for one session that kills itself where ``FAULT`` says.

``FAULT`` is ``<place>:<n>``: ``before-commit``, ``after-commit`` (the n-th statement with events),
``after-result`` (the n-th with results), ``in-model`` (after the n-th streamed piece), ``in-tool``
(after the n-th line in the ledger).
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")


def die() -> None:
    """Like a power cut: no handler runs, nothing is flushed."""
    os.kill(os.getpid(), signal.SIGKILL)


class Faulty:
    """A log store that takes its process down around the n-th commit, and counts them."""

    def __init__(self, store: Any, place: str, nth: int) -> None:
        self._store, self._place, self._nth = store, place, nth
        self._count = self._results = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, batch: Any) -> Any:
        self._before(batch)
        results = self._store.append(batch)
        self._after(batch)
        return results

    def lane(self, loop: Any) -> Any:
        lane = self._store.lane(loop)
        return lane and FaultyLane(lane, self._before, self._after)

    def _before(self, batch: Any) -> None:
        if any(append.events for append in batch):
            self._count += 1
            if self._place == "before-commit" and self._count == self._nth:
                die()

    def _after(self, batch: Any) -> None:
        types = {event.event_type for append in batch for event in append.events}
        self._results += "tool_result" in types
        if types and self._place == "after-commit" and self._count == self._nth:
            die()
        if self._place == "after-result" and self._results == self._nth:
            die()


class FaultyLane:
    """The lane of such a store."""

    def __init__(self, lane: Any, before: Any, after: Any) -> None:
        self._lane, self._before, self._after = lane, before, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lane, name)

    def send(self, batch: Any, done: Any) -> Any:
        def heard(moved: Any) -> None:
            self._after(batch)
            done(moved)

        self._before(batch)
        return self._lane.send(batch, heard)


def models(place: str, nth: int) -> Any:
    """The models of a host; one that is ``in-model`` takes the process down while it streams."""
    from agents_app.adapters.models import resolve

    seen = {"pieces": 0}

    def counted(name: str) -> Any:
        port = resolve(name)
        respond = port.respond

        async def respond_then_die(request: Any, on_delta: Any) -> Any:
            def count(delta: Any) -> None:
                seen["pieces"] += 1
                on_delta(delta)
                if seen["pieces"] == nth:
                    die()

            return await respond(request, count)

        port.respond = respond_then_die  # type: ignore[method-assign]
        return port

    return counted if place == "in-model" else resolve


def install(place: str, nth: int) -> None:
    """Arm a fault inside a tool."""
    import fault_agents

    seen = {"lines": 0}
    if place == "in-tool":
        write = fault_agents.note

        def note_then_die(kind: str, **fields: object) -> None:
            write(kind, **fields)
            seen["lines"] += 1
            if seen["lines"] == nth:
                die()

        fault_agents.note = note_then_die  # type: ignore[assignment]


async def main(session: int) -> None:
    from agents_app.adapters.stores import log_store
    from agents_app.worker.host import SessionHost

    place, _, nth = os.environ.get("FAULT", ":0").partition(":")
    install(place, int(nth))
    host = SessionHost(
        concurrency=4,
        store=Faulty(log_store(), place, int(nth)),  # type: ignore[arg-type]
        only=session or None,
        ttl=float(os.environ.get("FAULT_TTL", "3")),
        sweep=0.1,
        models=models(place, int(nth)),
    )
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await host.start()
    print("ready", flush=True)
    await stop.wait()
    await host.stop(grace=2)


if __name__ == "__main__":
    import django

    django.setup()
    asyncio.run(main(int(sys.argv[1])))
