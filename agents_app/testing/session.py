"""A session in memory, run as a worker runs it, with everything that can happen to one.

A test can crash it at any commit, let people write between any two, resume it in another
process, and look at its log.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agents_app.engine.actor import Actor
from agents_app.engine.facade import start_payload
from agents_app.engine.log.donor import Donor, taken
from agents_app.engine.log.record import Record
from agents_app.engine.log.recovery import open_questions
from agents_app.engine.nulls import NoSeals
from agents_app.engine.parts import BUILT_IN, Parts
from agents_app.testing.log import MemoryLog
from agents_app.testing.process import Crashed, Process
from playhead.core.clock import FrozenClock
from playhead.core.errors import Conflict
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agents_app.engine.errors import Divergence
    from agents_app.engine.loop.shared import Price
    from agents_app.engine.memory import Memories
    from agents_app.engine.ports import ModelPort, ResponseCache, Seals
    from agents_app.engine.spec import AgentSpec, Outcome
    from agents_app.engine.strategy import Strategy

ANA = {"kind": "user", "id": "user_ana", "name": "Ana"}
START = datetime(2026, 11, 30, 10, 0, 0, tzinfo=UTC)
_SEED = "5eed" * 8


class Session:
    """One session of an agent.

    Args:
        spec: the agent.
        model: answers every request, whatever the model's name.
        middlewares: by default those that the spec names.
        before_commit: called before each commit with (this session, its number from 1, its events);
            what it writes moves the head; it may raise ``Crashed``.
        after_commit: the same, when the commit is durable.
    """

    def __init__(
        self,
        spec: AgentSpec,
        model: ModelPort,
        *,
        session_id: str = "sess_test",
        middlewares: Callable[[], Sequence[Any]] | None = None,
        strategy: Strategy | None = None,
        seals: Seals | None = None,
        cache: ResponseCache | None = None,
        memories: Memories | None = None,
        limits: Mapping[str, Any] | None = None,
        parts: Parts = BUILT_IN,
    ) -> None:
        self.spec = spec
        self.model = model
        self.clock = FrozenClock(START)
        self.log = MemoryLog(session_id, self.clock)
        self.seals = seals or NoSeals()
        self.limits = spec.limits.merged(limits)
        given = {"cache": cache, "memories": memories}
        self.parts = parts.with_given(**{k: v for k, v in given.items() if v is not None})
        self.strategy = strategy or self.parts.strategy(spec)
        self.make_middlewares = middlewares or (lambda: self.parts.chain(spec.middleware))
        self.versions: Mapping[int, AgentSpec] = {}
        self.parent: Session | None = None
        self.before_commit: Callable[[Session, int, Sequence[Event]], None] | None = None
        self.after_commit: Callable[[Session, int, Sequence[Event]], None] | None = None
        self.commits = 0
        self.epoch = 0
        self.deltas: list[str] = []
        self.watched = True
        self.price: Price = lambda _model, _usage: (None, None)
        self.slept: list[float] = []
        self.mismatches: list[Divergence] = []
        self.process: Process | None = None

    def actor(self) -> Actor:
        """The session's agent, as a process that takes the session up makes it."""
        return Actor(self.spec, self.strategy, self.limits, self.make_middlewares())

    @property
    def events(self) -> list[Event]:
        """Everything that is durable."""
        return list(self.log.events)

    @property
    def id(self) -> str:
        """The id of the session."""
        return self.log.session_id

    def start(self, text: str) -> Session:
        """Begin the session with a user message."""
        payload = start_payload(self.spec, version=1, seed=_SEED)
        payload["limits"] = self.limits.to_definition()
        self.log.write(Draft("session_start", payload))
        self.say(text)
        return self

    def say(self, text: str) -> Event:
        """A user message: it opens the next run, at once or after the present one."""
        opening = len(self.of("user_message")) == len(self.of("session_end"))
        message = {"role": "user", "content": text}
        policy = "start" if opening else "enqueue"
        return self._person("user_message", message=message, policy=policy)

    def steer(self, text: str) -> Event:
        """A message for the run that is under way."""
        return self._person("steer", message={"role": "user", "content": text})

    def pause(self) -> Event:
        """Let nothing start."""
        return self._person("pause", on=True)

    def unpause(self) -> Event:
        """Let it go on."""
        return self._person("pause", on=False)

    def cancel(self) -> Event:
        """End the run that is under way."""
        return self._person("cancel", after="now")

    def questions(self) -> list[Event]:
        """Open questions, in order."""
        return open_questions(Record(self.log.events))

    def decide(self, question: Event, decision: str, **said: Any) -> Event:
        """Answer a question.

        Raises:
            Conflict: it has been answered.
        """
        asked = question.payload
        taken = [e for e in self.of("decision") if e.payload["interrupt"] == asked["id"]]
        if taken:
            raise Conflict(f"{asked['id']} is decided: {taken[0].payload['decision']}")
        return self._person(
            "decision",
            **{"interrupt": asked["id"], "of": question.seq, "digest": asked["digest"]},
            decision=decision,
            **said,
        )

    def decide_all(self, decision: str, **said: Any) -> None:
        """Answer every open question in the same way."""
        for question in self.questions():
            self.decide(question, decision, **said)

    def _person(self, event_type: str, **payload: Any) -> Event:
        said = {**payload, "by": ANA, "to": f"agent:{self.spec.slug}"}
        (event,) = self.log.write(Draft(event_type, said))
        if self.process is not None:
            self.process.poke()
        return event

    async def run(self) -> Outcome:
        """Advance until the session rests, in this process or, after a crash, in a new one.

        Raises:
            Crashed: a commit hook said so; ``resume`` goes on in another process.
        """
        if self.process is None:
            self.process = Process(self)
        try:
            outcome = await self.process.advance()
        except Crashed:
            self.process = None
            raise
        self.process = None
        return outcome

    async def resume(self) -> Outcome:
        """Another worker takes over what a crash left: its first event is ``lease``."""
        self.epoch += 1
        self.process = Process(self, recovers=True)
        return await self.run()

    async def finish(self) -> Outcome:
        """Run, and resume after every crash, until the session rests."""
        try:
            return await self.run()
        except Crashed:
            pass
        while True:
            try:
                return await self.resume()
            except Crashed:
                continue

    def of(self, event_type: str) -> list[Event]:
        """The durable events of a type, in order."""
        return [event for event in self.log.events if event.event_type == event_type]

    def types(self) -> list[str]:
        """The durable events' types, in order."""
        return [event.event_type for event in self.log.events]

    def donor(self) -> Donor:
        """What a branch may take from its parent, less what it has taken already."""
        fork = self.log.inherited + 1
        if self.parent is None:
            return Donor()
        theirs = self.parent.log.events
        at = theirs[fork - 1].scope if fork <= len(theirs) else None
        used, elders, elder = taken(self.log.events, fork), [], self.parent
        while elder.parent is not None:
            elders.append((elder.parent.log.events, elder.log.inherited))
            elder = elder.parent
        return Donor(theirs, fork=fork, used=used, at=at, elders=elders)

    def states(self) -> dict[int, dict[str, Any]]:
        """Checkpoints by the seq of their ``step_end``."""
        return {seq: json.loads(data) for seq, data in self.log.checkpoints.items()}

    async def sleep(self, seconds: float) -> None:
        """Time between two tries of a model: the clock jumps."""
        self.slept.append(seconds)
        self.clock.advance(seconds)
        await asyncio.sleep(0)

    async def until(self, holds: Callable[[], bool], turns: int = 2000) -> None:
        """Let the loop turn until something holds.

        Raises:
            TimeoutError: it does not come to hold.
        """
        for _ in range(turns):
            if holds():
                return
            await asyncio.sleep(0)
        raise TimeoutError("it does not come to hold")
