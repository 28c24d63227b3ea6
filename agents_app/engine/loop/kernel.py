"""The kernel: runs, steps and ends of one session. Never a plug-in.

It is entered at a claim and after every event of a person; what the log has is compared, what it
lacks is written, and it leaves with an ``Outcome``. Nothing that suspends a run is an exception
outside of here.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import (
    Cancelled,
    Closed,
    Failed,
    Interrupted,
    LimitReached,
    Paused,
    WaitUntil,
)
from agents_app.engine.log.mismatch import last_decision, version_question
from agents_app.engine.log.recovery import why_stopped
from agents_app.engine.loop.activation import Activation
from agents_app.engine.loop.around import around_run
from agents_app.engine.loop.closing import close_step
from agents_app.engine.loop.restoring import restore, step_ends, step_of
from agents_app.engine.loop.stepping import begin, end_step, run_steps
from agents_app.engine.spec import Outcome, OutcomeKind
from playhead.core.events import Draft
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.engine.log.record import Run
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.messages import Message


class Kernel:
    """One entry into a session.

    Args:
        loop: what the parts share.
        states: states of checkpoints by the seq of their ``step_end``, where the event has none.
        from_start: run the record again from its first event (a replay) instead of from the
            last step of the current run.
    """

    __slots__ = ("_first", "_from_start", "_root", "loop")

    def __init__(
        self,
        loop: Loop,
        *,
        states: Mapping[int, dict[str, Any]] | None = None,
        from_start: bool = False,
    ) -> None:
        self.loop = loop
        if states is not None:
            loop.states = states
        self._from_start = from_start
        self._root: Activation | None = None
        self._first = 0

    def begin_with(self, history: Sequence[Message]) -> None:
        """Start a fresh session with what was said before it."""
        self._root = Activation(self.loop.root, self.loop.actor)
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
        record = self.loop.record
        self.loop.donor.keep(lambda scope: record.last(scope, "tool_call") is not None)
        number = 0 if self._from_start else self._begin()
        outcome: Outcome | None = None
        while (run := record.run(number)) is not None:
            self.loop.seam.run = run
            activation = self._activation(run)
            outcome = await around_run(self.loop, activation, partial(self._run, run, activation))
            if not outcome.ended:
                return outcome
            number += 1
        return outcome or self._last_outcome()

    def _begin(self) -> int:
        """The run to go on with; its activation is as its last step left it."""
        number = len(self.loop.record.by_type.get("session_end", ()))
        run = self.loop.record.run(number)
        if self._root is None and run is not None:
            loop = self.loop
            self._root = restore(
                loop.record, loop.root, loop.actor, since=run.since, states=loop.states
            )
            if self._root is None:
                return 0
        return number

    def _last_outcome(self) -> Outcome:
        ends = self.loop.record.by_type.get("session_end", ())
        if not ends:
            return Outcome("waiting")
        return Outcome(ends[-1].payload["outcome"], answer=ends[-1].payload["answer"])

    async def _run(self, run: Run, activation: Activation) -> Outcome:
        try:
            self._stand_on_version()
            self._open(run, activation)
            ended = await run_steps(
                self.loop, activation, first=self._first, before_end=self._fence_end
            )
            return await self._end(run, activation, ended.kind, ended.text)
        except Interrupted as stop:
            asked = Outcome("interrupted", points=tuple(stop.points), due=stop.due)
            return await self._wait(run, activation, asked)
        except WaitUntil as stop:
            return await self._wait(run, activation, Outcome("waiting", due=stop.due))
        except Paused:
            return Outcome("paused")
        except Cancelled:
            return await self._end_early(run, activation, None)
        except Closed:
            return await self._end_early(run, activation, self._given_up())
        except LimitReached as stop:
            return await self._end_early(run, activation, None, stop)
        except Failed as stop:
            return await self._end_early(run, activation, stop)

    def _activation(self, run: Run) -> Activation:
        """The root activation at its next step of this run."""
        activation = self._root = self._root or Activation(self.loop.root, self.loop.actor)
        done = [e for e in step_ends(self.loop.record, activation.base) if e.seq > run.since]
        begun = [end for end in done if step_of(end) < activation.step]
        self._first = activation.first = activation.step - len(begun)
        activation.opened = begun[-1].ts if begun else run.opener.ts
        return activation

    def _open(self, run: Run, activation: Activation) -> None:
        """At its first step, a run takes its message in."""
        if activation.step > self._first:
            return
        begin(activation, self.loop.record.message(run.message.seq))

    def _fence_end(self) -> None:
        """The end of a run is an intent: its fence stands before the last step is ended."""
        if self._root is not None:
            self.loop.seam.fence(self._root.next_scope, "session_end")

    def _stand_on_version(self) -> None:
        """Code that no longer fits the record goes on only when a person says so."""
        if self.loop.seam.replaying:
            return
        question = version_question(self.loop)
        if question is not None:
            raise Interrupted([question.payload])
        gave_up = self._given_up()
        if gave_up is not None:
            raise gave_up

    def _given_up(self) -> Failed | None:
        if last_decision(self.loop, "version", "give_up") is None:
            return None
        return Failed("version", "A person gave the run up after the agent's code had changed.")

    async def _end(
        self,
        run: Run,
        activation: Activation,
        kind: OutcomeKind,
        text: str,
        code: str | None = None,
    ) -> Outcome:
        """End the run. Its last ``step_end`` and this leave in one append: nothing is awaited."""
        answered = kind in ("finished", "limit")
        text, _ = sanitise(text)  # of a strategy or of an exception: it may be anything
        text = text if answered else withhold(text)
        payload: dict[str, Any] = {
            "run": run.number + 1,
            "outcome": kind,
            "answer": text if answered else None,
            "steps": activation.step - self._first,
        }
        if not answered:
            payload["reason"] = text
        if code is not None:
            payload["error"] = {"code": code, "message": text}
        self.loop.seam.write(Draft("session_end", payload, activation.scope))
        if not self.loop.seam.replaying:
            await self.loop.writer.commit()
        return Outcome(kind, answer=text, code=code)

    async def _wait(self, run: Run, activation: Activation, outcome: Outcome) -> Outcome:
        """Going to wait is an intent: a cancel or a pause comes first."""
        seam = self.loop.seam
        about_code = any(point["kind"] == "version" for point in outcome.points)
        again = about_code and math.isfinite(run.until)  # it ended long ago, by other code
        if not again and seam.cancelled(seam.until) is not None:
            return await self._end_early(run, activation, None)
        return Outcome("paused") if self.loop.record.paused_before(seam.until) else outcome

    async def _end_early(
        self, run: Run, activation: Activation, failure: Failed | None,
        limit: LimitReached | None = None,
    ) -> Outcome:  # fmt: skip
        """End a run that was cancelled, failed or is over its limit; a cancel goes first.

        Its history stays valid.
        """
        seam = self.loop.seam
        upto = seam.upto(activation.next_scope, "session_end")
        cancel = seam.cancelled(upto)
        if cancel is None and self.loop.record.paused_before(upto):
            return Outcome("paused")
        await close_step(self.loop, activation)
        end_step(self.loop, activation, activation.state)
        if cancel is not None:
            failure = why_stopped(cancel)
        elif limit is not None:
            seam.write(Draft("limit", limit.to_log(), activation.scope))
            return await self._end(run, activation, "limit", limit.text)
        if failure is None:
            return await self._end(run, activation, "cancelled", "The run was cancelled.")
        return await self._end(run, activation, "failed", failure.message, failure.code)
