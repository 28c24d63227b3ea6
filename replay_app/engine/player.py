"""The player: runs kernel, strategy and hooks again, with the log answering the seam.

A replay never calls a model and never runs a tool; where the log has no answer it raises
``ReplayViolation``. What the loop would write is compared, event by event, with what is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.engine.actor import Actor
from agents_app.engine.errors import Divergence
from agents_app.engine.limits import Limits
from agents_app.engine.log.record import Record
from agents_app.engine.loop.kernel import Kernel
from agents_app.engine.loop.shared import Loop
from agents_app.engine.nulls import NobodyWatches, no_model
from agents_app.engine.parts import BUILT_IN, Parts
from playhead.core.clock import FrozenClock, parse_stamp
from playhead.core.errors import LogError
from replay_app.engine.timeline import Recorded, Timeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agents_app.engine.spec import AgentSpec, Outcome
    from playhead.core.events import Event


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replay that held: how the last run stood, and how many events were written again."""

    outcome: Outcome
    compared: int
    snapshots: Mapping[int, bytes] = field(default_factory=dict)


class Player:
    """Replays one session.

    Args:
        events: the whole log, a branch's inherited events included.
        spec: the agent whose code wrote it.
        middlewares: built as at run time; by default those that the spec names.
        strategy: by default the one that the spec names.
        versions: agents that branches of the log name, by version number.
        parts: what definitions name; by default what ships with the engine.
    """

    def __init__(
        self,
        events: Iterable[Recorded] | Timeline,
        spec: AgentSpec,
        *,
        middlewares: Sequence[Any] | None = None,
        strategy: Any = None,
        versions: Mapping[int, AgentSpec] | None = None,
        parts: Parts = BUILT_IN,
    ) -> None:
        self.timeline = events if isinstance(events, Timeline) else Timeline(events)
        if not self.timeline.events or self.timeline.events[0].event_type != "session_start":
            raise LogError("the log does not begin with session_start", code="bad_start")
        self.spec = spec
        self.middlewares = parts.chain(spec.middleware) if middlewares is None else middlewares
        self.strategy = strategy or parts.strategy(spec)
        self.parts = parts
        self.versions = dict(versions or {})
        self.last_loop: Loop | None = None

    async def replay(self) -> Replayed:
        """Run the record again from its first event.

        Raises:
            ReplayViolation: the loop reached something that the log does not answer.
            Divergence: the loop would write something else, or leaves recorded events unwritten.
        """
        loop = self.last_loop = self._loop()
        kernel = Kernel(loop, from_start=True)
        outcome = await kernel.run()
        self._check_all_written(loop)
        return Replayed(outcome, len(loop.seam.visited), loop.snapshots)

    def _loop(self) -> Loop:
        start = self.timeline.events[0]
        limits = Limits().merged(start.payload["limits"])
        return Loop(
            session_id=self.timeline.events[-1].session_id,
            record=Record(self.timeline.events),
            journal=None,
            clock=FrozenClock(parse_stamp(start.ts)),
            model=no_model,
            live=NobodyWatches(),
            actor=Actor(self.spec, self.strategy, limits, self.middlewares),
            parts=self.parts,
            versions=self.versions,
        )

    def _check_all_written(self, loop: Loop) -> None:
        for event in self.timeline.events:
            if (
                event.scope
                and event.seq not in loop.record.abandoned
                and not self.seen(loop, event)
            ):
                raise left_over(event)

    @staticmethod
    def seen(loop: Loop, event: Event) -> bool:
        """Whether the replay wrote the event again, or took it, or one above it, as an answer."""
        if event.seq in loop.seam.visited or (event.cause or 0) in loop.record.abandoned:
            return True
        scope = event.scope or ""
        return any(scope.startswith(f"{call};") for call in loop.seam.covered)


def left_over(event: Event) -> Divergence:
    """The record has a loop event that the loop does not write."""
    return Divergence(
        f"event {event.seq} ({event.event_type}): the loop does not write it",
        detail={
            "seq": event.seq,
            "event_type": event.event_type,
            "scope": event.scope,
            "field": "event",
            "expected": event.event_type,
            "found": None,
        },
    )
