"""What a running tool writes into the log beside its result, and finds there again."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import spans_within
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from agents_app.engine.loop.shared import Loop

_KIND = re.compile(r"[a-z][a-z0-9_.-]{0,79}")


class Telling:
    """That of one entry into a call. A tool that is entered again tells nothing twice.

    Its n-th event of a kind is the n-th of that call in the log, where there is one already.
    """

    def __init__(self, loop: Loop, scope: str, entry: Event) -> None:
        self._loop, self._scope, self._entry = loop, scope, entry
        self._told: dict[str, int] = {}
        self._here = asyncio.get_running_loop(), threading.get_ident()

    def now(self) -> datetime:
        """The time by the session's clock, in UTC."""
        return self._loop.clock.now()

    def concealed(self, text: str) -> str:
        """The text with a marker where a secret of this session tree stands."""
        return concealed(self._loop, text)

    def emit(self, kind: str, data: Any) -> None:
        """Write an ``effect`` event of that kind, from the loop or from a thread.

        Raises:
            ValueError: a kind that is no name.
        """
        if not _KIND.fullmatch(kind):
            raise ValueError(f"kind {kind!r}: use lower-case letters, digits, dots, - and _")
        running, thread = self._here
        if threading.get_ident() == thread:
            self._write(kind, data)
        else:
            running.call_soon_threadsafe(self._write, kind, data)

    def _write(self, kind: str, data: Any) -> None:
        self._told[kind] = self._told.get(kind, 0) + 1
        known = sum(event.payload["kind"] == kind for event in told_by(self._loop, self._scope))
        if self._told[kind] <= known or self._loop.record.result(self._scope) is not None:
            return
        payload = {"kind": kind, "request": data, "answer": None}
        self._loop.writer.carry(Draft("effect", sanitise(payload)[0], self._scope, self._entry.seq))

    def emitted(self, kind: str) -> list[Any]:
        """What tools have written of a kind in this session so far, the branch's parents' too."""
        return [
            self._opened(event)
            for event in list(self._loop.record.by_type.get("effect", ()))
            if event.payload["kind"] == kind and _is_of_tool(event)
        ]

    def _opened(self, event: Event) -> Any:
        spans = spans_within("/request", event.sealed or ())
        return self._loop.seals.open(event.payload["request"], spans)


def concealed(loop: Loop, text: str) -> str:
    """The text as the log of a session would show it, for what is kept or told outside of it."""
    guard = loop.seals.guard()
    return guard.feed(text) + guard.finish()


def _is_of_tool(event: Event) -> bool:
    return (event.scope or "").rpartition(";")[2].startswith("tool:")


def told_by(loop: Loop, scope: str) -> Iterator[Event]:
    """What a call has written beside its result."""
    place = 0
    while (event := loop.record.find(scope, "effect", place)) is not None:
        yield event
        place += 1


def saw_told(loop: Loop, scope: str) -> None:
    """Mark what a call has written beside its result: it came from outside, like that."""
    for event in told_by(loop, scope):
        loop.seam.saw(event)
