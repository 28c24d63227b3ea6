"""What a branch may take from its parent: results the parent has after the fork, each once."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playhead.core.events import Event

Answer = tuple[dict[str, Any], list[list[Any]]]


class Donor:
    """The parent's results by call digest, in order, and by intent that was open at the fork."""

    def __init__(
        self, events: Iterable[Event] = (), *, fork: int = 0, used: Iterable[str] = ()
    ) -> None:
        self._by_digest: dict[str, deque[Answer]] = defaultdict(deque)
        self._by_intent: dict[int, Answer] = {}
        calls: dict[str, Event] = {}
        for event in events:
            if event.event_type == "tool_call" and event.scope:
                calls[event.scope] = event
            elif event.event_type == "tool_result" and event.scope in calls and event.seq >= fork:
                self._give(calls[event.scope], event, fork)
        for digest in used:
            self.take(digest)

    def _give(self, call: Event, result: Event, fork: int) -> None:
        answer = (result.payload, list(result.sealed or ()))
        if call.seq < fork:
            self._by_intent[call.seq] = answer
        elif result.payload.get("source") != "synthetic":
            self._by_digest[call.payload["digest"]].append(answer)

    def has(self, digest: str) -> bool:
        """Whether the parent has an unused result for exactly this call."""
        return bool(self._by_digest.get(digest))

    def take(self, digest: str) -> Answer | None:
        """The next unused result for exactly this call."""
        queue = self._by_digest.get(digest)
        return queue.popleft() if queue else None

    def of_intent(self, seq: int) -> Answer | None:
        """The parent's result of a call that was open at the fork."""
        return self._by_intent.get(seq)
