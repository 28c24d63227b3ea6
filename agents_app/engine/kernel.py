"""The kernel: runs, steps and ends of one session. Never a plug-in.

It is entered at a claim and after every event of a person; what the log has is compared, what it
lacks is written, and it leaves with an ``Outcome``. Nothing that suspends a run is an exception
outside of here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agents_app.engine import hooks
from agents_app.engine.activation import STATE_INLINE, Activation, restore
from agents_app.engine.closing import close_step
from agents_app.engine.errors import (
    Cancelled,
    Divergence,
    Failed,
    Interrupted,
    Paused,
    StateTooLarge,
    WaitUntil,
)
from agents_app.engine.mismatch import last_decision, version_question
from agents_app.engine.spec import Outcome
from agents_app.engine.strategy import Continue, Finish, StepContext
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from agents_app.engine.loop import Loop
    from agents_app.engine.messages import Message

States = Mapping[int, dict[str, Any]]


class Kernel:
    """One entry into a session.

    Args:
        loop: what the parts share.
        states: states of checkpoints by the seq of their ``step_end``, where the event has none.
        from_start: run the record again from its first event (a replay) instead of from the
            last step of the current run.
    """

    def __init__(
        self, loop: Loop, *, states: States | None = None, from_start: bool = False
    ) -> None:
        self.loop = loop
        self.states = dict(states or {})
        self.from_start = from_start
        self._root: Activation | None = None
        self._first = 0
        self.snapshots: dict[int, bytes] = {}

    def begin_with(self, history: Sequence[Message]) -> None:
        """Start a fresh session with what was said before it."""
        self._root = Activation(self.loop.root)
        self._root.append(history)
        self._root.since = len(history)

    @property
    def transcript(self) -> tuple[Message, ...]:
        """The history of the root activation as it stands."""
        return tuple(self._root.transcript) if self._root else ()

    async def run(self) -> Outcome:
        """Advance the session until it ends, waits, or stands still.

        Raises:
            Moved: somebody wrote first: read on and enter again.
            Divergence, ReplayViolation: the code is not the one that wrote the record.
        """
        number = 0 if self.from_start else len(self.loop.record.by_type.get("session_end", ()))
        outcome = self._last_outcome()
        while True:
            opened = self._opening(number)
            if opened is None:
                return outcome
            outcome = await self._run(number, opened)
            if not outcome.ended:
                return outcome
            number += 1

    def _opening(self, number: int) -> Event | None:
        messages = self.loop.record.by_type.get("user_message", ())
        return messages[number] if number < len(messages) else None

    def _last_outcome(self) -> Outcome:
        ends = self.loop.record.by_type.get("session_end", ())
        if not ends:
            return Outcome("waiting")
        return Outcome(ends[-1].payload["outcome"], answer=ends[-1].payload["answer"])

    async def _run(self, number: int, opened: Event) -> Outcome:
        activation = self._activation(opened)
        try:
            self._stand_on_version()
            return await self._steps(number, activation, opened)
        except Interrupted as stop:
            return Outcome("interrupted", points=tuple(stop.points))
        except Paused:
            return Outcome("paused")
        except WaitUntil as stop:
            return Outcome("waiting", due=stop.due)
        except Cancelled:
            return await self._end_early(
                number, activation, "cancelled", "The run was cancelled.", None
            )
        except Failed as stop:
            return await self._end_early(number, activation, "failed", stop.message, stop.code)
        except StateTooLarge as error:
            return await self._end_early(number, activation, "failed", error.message, error.code)

    def _activation(self, opened: Event) -> Activation:
        record, address = self.loop.record, self.loop.root
        if self._root is None:
            self._root = Activation(address) if self.from_start else restore(
                record, address, opened=opened.seq, states=self.states
            )  # fmt: skip
        activation = self._root
        done = [
            e
            for e in record.by_type.get("step_end", ())
            if opened.seq < e.seq and _is_root(e, address)
        ]
        begun = sum(1 for e in done if _step_of(e) < activation.step)
        self._first = activation.step - begun
        if not begun:
            message = record.message(opened.seq)
            activation.state = self.loop.strategy.start(
                message.content, tuple(activation.transcript)
            )
            activation.append([message])
        return activation

    async def _steps(self, number: int, activation: Activation, opened: Event) -> Outcome:
        limit = self.loop.limits.max_steps
        opener = self._opener(activation, opened)
        while activation.step - self._first < limit:
            activation.opened = opener.ts
            turn = await self._step(activation)
            activation.state = turn.state
            finished = isinstance(turn, Finish) and not self._unread_steer(activation)
            if finished:
                self.loop.seam.fence(f"{activation.address}/{activation.step + 1}", "session_end")
            opener = self._end_step(activation)
            if finished and isinstance(turn, Finish):
                return await self._end(number, activation, "finished", turn.answer)
        self.loop.seam.write(
            Draft("limit", {"what": "max_steps", "limit": limit, "used": limit}, activation.scope)
        )
        text = f"Stopped: the run reached the maximum steps ({limit}) without an answer."
        return await self._end(number, activation, "limit", text)

    def _stand_on_version(self) -> None:
        """Code that no longer fits the record goes on only when a person says so."""
        if self.loop.seam.replaying:
            return
        question = version_question(self.loop)
        if question is not None:
            raise Interrupted([question.payload])
        gave_up = last_decision(self.loop, "version", "give_up")
        if gave_up is not None:
            raise Failed("version", "A person gave the run up after the agent's code had changed.")

    async def _step(self, activation: Activation) -> Continue | Finish:
        try:
            context = StepContext(self.loop, activation)
            return await self.loop.strategy.step(activation.state, context)
        except (Divergence, AssertionError, asyncio.CancelledError):
            raise
        except Exception as error:
            name = getattr(self.loop.strategy, "name", type(self.loop.strategy).__name__)
            raise Failed("strategy_error", f"{name}: {type(error).__name__}: {error}") from error

    def _opener(self, activation: Activation, opened: Event) -> Event:
        ends = [
            e
            for e in self.loop.record.by_type.get("step_end", ())
            if _is_root(e, activation.address)
        ]
        before = [e for e in ends if _step_of(e) < activation.step and e.seq > opened.seq]
        return before[-1] if before else opened

    def _unread_steer(self, activation: Activation) -> bool:
        steers = self.loop.record.by_type.get("steer", ())
        if not steers:
            return False
        end = self.loop.seam.peek(activation.scope, "step_end")
        upto = end.seq if end else float("inf")
        taken = {m.origin[0] for m in activation.transcript if m.origin}
        return any(s.seq < upto and s.seq not in taken for s in steers)

    def _end_step(self, activation: Activation) -> Event:
        names = [self.loop.strategy.name, *map(hooks.name_of, self.loop.middlewares)]
        mark, state, data = activation.snapshot(names)
        scope, step = activation.scope, activation.step
        inline = len(data) <= STATE_INLINE
        payload = {
            "step": step,
            "digest": mark,
            "append": activation.closed(),
            "state": state if inline else None,
        }
        event = self.loop.seam.write(
            Draft("step_end", payload, scope), checkpoint=None if inline else data
        )
        if not inline:
            self.snapshots[event.seq] = data
        self.loop.bus.emit("on_step_complete", step=step)
        return event

    async def _end(
        self,
        number: int,
        activation: Activation,
        outcome: Any,
        text: str | None,
        code: str | None = None,
    ) -> Outcome:
        answered = outcome in ("finished", "limit")
        payload: dict[str, Any] = {
            "run": number + 1,
            "outcome": outcome,
            "answer": text if answered else None,
            "steps": activation.step - self._first,
        }
        if not answered:
            payload["reason"] = text
        if code is not None:
            payload["error"] = {"code": code, "message": text}
        self.loop.seam.write(Draft("session_end", payload, activation.scope))
        await self._commit()
        return Outcome(outcome, answer=text, code=code)

    async def _end_early(
        self, number: int, activation: Activation, outcome: Any, reason: str, code: str | None
    ) -> Outcome:
        await close_step(self.loop, activation)
        if activation.fresh:
            self._end_step(activation)
        return await self._end(number, activation, outcome, reason, code)

    async def _commit(self) -> None:
        if not self.loop.seam.replaying:
            await self.loop.writer.commit()


def _is_root(event: Event, address: str) -> bool:
    scope = event.scope or ""
    return scope.startswith(address + "/") and ";" not in scope


def _step_of(event: Event) -> int:
    return int((event.scope or "/0").rsplit("/", 1)[1])
