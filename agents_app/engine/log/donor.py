"""What a branch may take from its parent: results the parent has after the fork, each once."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from playhead.core.events import Event

Answer = tuple[dict[str, Any], list[list[Any]]]


class Donor:
    """The parent's results by call digest, in order, and by intent that was open at the fork.

    Args:
        events: calls and results of the parent, those after the fork too.
        fork: the seq at which the branch begins.
        used: digests of the calls that the branch has taken a result for already.
        at: the scope of the parent's event at the fork.
        elders: of each further ancestor its calls and results, and the last seq that is inherited
            from it: a call below one that the parent took whole has its result only there.
    """

    __slots__ = ("_at", "_by_digest", "_by_intent", "_claimed")

    def __init__(
        self,
        events: Iterable[Event] = (),
        *,
        fork: int = 0,
        used: Iterable[str] = (),
        at: str | None = None,
        elders: Iterable[tuple[Iterable[Event], int]] = (),
    ) -> None:
        self._at = at or ""
        self._by_digest: dict[str, deque[Answer]] = defaultdict(deque)
        self._by_intent: dict[int, Answer] = {}
        self._claimed: dict[str, tuple[str, Answer]] = {}
        calls: dict[str, Event] = {}
        for event in events:
            if event.event_type == "tool_call" and event.scope:
                calls[event.scope] = event
            elif event.event_type == "tool_result" and event.scope in calls and event.seq >= fork:
                self._give(calls[event.scope], event, fork)
        for digest in used:
            self._next(digest)
        for theirs, upto in elders:
            self._ask_elder(theirs, min(upto, fork - 1))

    def _ask_elder(self, events: Iterable[Event], upto: int) -> None:
        calls: dict[str, int] = {}
        for event in events:
            if event.event_type == "tool_call" and event.scope and event.seq <= upto:
                calls[event.scope] = event.seq
            elif event.event_type == "tool_result" and event.scope in calls and event.seq > upto:
                answer = (event.payload, list(event.sealed or ()))
                self._by_intent.setdefault(calls[event.scope], answer)

    def _give(self, call: Event, result: Event, fork: int) -> None:
        answer = (result.payload, list(result.sealed or ()))
        if call.seq < fork:
            self._by_intent[call.seq] = answer
        elif result.payload.get("source") != "synthetic":
            self._by_digest[call.payload["digest"]].append(answer)

    def _next(self, digest: str) -> Answer | None:
        queue = self._by_digest.get(digest)
        return queue.popleft() if queue else None

    def claim(self, digest: str, scope: str) -> bool:
        """Set the next unused result for exactly this call aside for the call of that scope."""
        if scope not in self._claimed:
            answer = self._next(digest)
            if answer is None:
                return False
            self._claimed[scope] = digest, answer
        return True

    def claimed(self, scope: str) -> Answer | None:
        """The result that was set aside for a call."""
        known = self._claimed.get(scope)
        return known[1] if known else None

    def keep(self, stands: Callable[[str], bool]) -> None:
        """Take back what was set aside for calls that never came to stand in the log.

        A response that is chained again behind somebody's event gives its calls other ids.
        """
        for scope, (digest, answer) in reversed(list(self._claimed.items())):
            if not stands(scope):
                del self._claimed[scope]
                self._by_digest[digest].appendleft(answer)

    def is_inside(self, scope: str) -> bool:
        """Whether the fork lies below the call of that scope: then it is entered again."""
        return self._at.startswith(f"{scope};")

    def of_intent(self, seq: int) -> Answer | None:
        """The parent's result of a call that was open at the fork."""
        return self._by_intent.get(seq)


def taken(events: Iterable[Event], fork: int) -> list[str]:
    """Digests of the calls that a branch, whose log this is, has taken a result for."""
    calls: dict[str, str] = {}
    out = []
    for event in events:
        if event.seq < fork or not event.scope:
            continue
        if event.event_type == "tool_call":
            calls[event.scope] = event.payload["digest"]
        elif event.event_type == "tool_result" and event.payload["source"] == "recorded":
            out += [calls[event.scope]] if event.scope in calls else []
    return out
