"""``current()``: what a hook or a wrap may ask of the loop."""

from __future__ import annotations

import copy
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import (
    ControlFlow,
    EffectFailed,
    Failed,
    Interrupted,
    ReplayViolation,
    is_control,
)
from agents_app.engine.loop.kept_state import Keeper, KeptDict, kept
from playhead.core import digest
from playhead.core.events import Draft, Event
from playhead.core.ids import derived_random
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence
    from datetime import datetime

    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop, Offer
    from agents_app.engine.messages import Message
    from agents_app.engine.model_calls.sending import Sending
    from agents_app.engine.tools import Tool

#: Events that a middleware may write; all others are the kernel's or a person's.
_EMITTED = frozenset({"guardrail", "plan", "limit"})
_current: ContextVar[Current] = ContextVar("current")


@dataclass(slots=True)
class Asking:
    """The request that ``before_llm_call`` hooks prepare: what it is going to offer."""

    offer: Offer


def current() -> Current:
    """What the running hook may ask of the loop.

    Raises:
        LookupError: called outside a hook.
    """
    return _current.get()


@dataclass(slots=True)
class Current:
    """The place of a hook or a wrap: its session, its step, and its own state.

    ``base`` is the scope that it acts in: the step, or a call of it. A wrap does not run in a
    replay, so it writes nothing and gets a copy of the state; ``seq`` is the event of the intent
    that it wraps.
    """

    loop: Loop
    activation: Activation
    name: str
    base: str
    wrapping: bool = False
    stopped: ControlFlow | None = None
    asking: Asking | None = None
    sending: Sending | None = None
    over: bool = False
    seq: int = 0
    performing: bool = False

    @property
    def scope(self) -> str:
        """The scope of what this middleware does itself."""
        return f"{self.base};mw:{self.name}"

    @property
    def state(self) -> dict[str, Any]:
        """This middleware's state about the session: JSON, saved with the step.

        It changes while a hook runs: a task that the hook leaves behind is refused.
        """
        states = self.activation.middleware
        state = states.setdefault(self.name, {})
        if self.wrapping:
            return copy.deepcopy(state)
        if not isinstance(state, KeptDict):
            keeper = Keeper(self.name, self.activation, _current)
            state = states[self.name] = kept(state, keeper)
        return state

    def end(self) -> None:
        """The hook is over: nothing that it left behind acts or changes its state any more."""
        self.over = True
        state = self.activation.middleware.get(self.name)
        if isinstance(state, KeptDict):
            state.keeper.close()

    @property
    def now(self) -> datetime:
        """The time of the event that opened the step."""
        return self.activation.now

    @property
    def queued(self) -> int | None:
        """The seq of the run's message when it came before the run could begin, else ``None``."""
        run = self.loop.seam.run
        return run.message.seq if run and run.opener is not run.message else None

    def monotonic(self) -> float:
        """Seconds for a duration; only in a wrap, which never runs in a replay."""
        return self.loop.clock.monotonic()

    @property
    def replaying(self) -> bool:
        """Whether nothing happens: what is told outside was told then."""
        return self.loop.seam.replaying

    @property
    def run(self) -> int:
        """The number of the run, from 1."""
        return self.loop.seam.run.number + 1 if self.loop.seam.run else 0

    @property
    def step(self) -> int:
        """The number of the step in its run, from 0."""
        return self.activation.step - self.activation.first

    def chance(self, ordinal: int) -> float:
        """A number from 0 to 1 that follows from the session's seed, the place and ``ordinal``."""
        seed = self.loop.record.events[0].payload.get("seed", "")
        return derived_random(seed, self.scope, ordinal) / 2**64

    def failures(self, model: str) -> tuple[str, ...]:
        """In a wrap of a model call: codes of that model's errors since a person last decided."""
        return () if self.sending is None else self.sending.failures(model)

    def comes_back(self) -> bool:
        """In a wrap of a model call: whether it was held back before, and this is its turn; once.

        What holds a request back raises a ``ModelError`` with the code ``throttled``.
        """
        return self.sending is not None and self.sending.comes_back()

    def time(self) -> datetime:
        """What time it is; only in a wrap, which never runs in a replay."""
        if not self.wrapping:
            raise RuntimeError(f"time() in a hook of {self.name}: hooks run again in a replay")
        return self.loop.clock.now()

    async def sleep(self, seconds: float) -> None:
        """In a wrap: let time pass before another try; the session keeps its worker meanwhile."""
        if not self.wrapping:
            raise RuntimeError(f"sleep() in a hook of {self.name}: hooks run again in a replay")
        if self.sending is not None:
            await self.sending.tell()
        await self.loop.sleep(seconds)

    def tool(self, name: str) -> Tool | None:
        """The agent's tool of that name, with its effect class."""
        return self.loop.agent_of(self.activation).tool(name)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that the request is going to offer; only in ``before_llm_call``."""
        offered = {wire["function"]["name"] for wire in self._asking.offer.tools}
        spec = self.loop.agent_of(self.activation)
        return tuple(tool for tool in spec.tools if tool.name in offered)

    def offer(self, names: Collection[str]) -> None:
        """Offer only these of the tools, in this request; ``llm_request`` says which.

        A call of a tool that was not offered is treated like any: this is no permission.
        """
        self._asking.offer = self._asking.offer.only(names)

    @property
    def _asking(self) -> Asking:
        if self.asking is None:
            raise RuntimeError(f"{self.name}: tools are offered in before_llm_call only")
        return self.asking

    @property
    def agent(self) -> str:
        """The slug of the agent that runs."""
        return self.activation.actor.spec.slug

    @property
    def user(self) -> str | None:
        """The id of who wrote the message that the run answers."""
        return self.loop.seam.run.user if self.loop.seam.run else None

    @property
    def session(self) -> str:
        """The id of the session, for keys of what is written outside: no request may hold it."""
        return self.loop.session_id

    @property
    def is_branch(self) -> bool:
        """Whether what happens here happens after a fork: in a "what if"."""
        return bool(self.loop.record.branches)

    @property
    def seed(self) -> str:
        """A word of this session tree, for names that mean nothing elsewhere."""
        first = self.loop.record.event(1)
        return str(first.payload["seed"]) if first else self.loop.session_id

    def concealed(self, text: str) -> str:
        """The text with a marker where a secret of this session tree stands.

        For what a wrap of a tool call tells outside: what the tool gives back is not sealed yet.
        """
        from agents_app.engine.tool_calls.telling import concealed

        return concealed(self.loop, text)

    def emit(self, event_type: str, *, about: int | None = None, **payload: Any) -> Event:
        """Write a ``guardrail``, ``plan`` or ``limit`` event of this middleware.

        Args:
            about: the seq of the event that this one takes back or lets through: its cause.
        """
        self._only_in_hooks("emit")
        if event_type not in _EMITTED:
            known = ", ".join(sorted(_EMITTED))
            raise ValueError(f"a middleware emits {known}, and no {event_type}")
        said = withhold(sanitise(payload)[0])
        return self.loop.seam.write(Draft(event_type, said, self.scope, about))

    async def effect(self, kind: str, request: Any, do: Callable[[], Awaitable[Any]]) -> Any:
        """Something from outside, once: performed and recorded, or answered from the record.

        It must be harmless to perform again: a crash before its answer is durable does so. One at
        a time: the record finds them by their order.

        Raises:
            EffectFailed: ``do`` raised; that is an answer too, and is raised again by the record.
        """
        self._only_in_hooks("effect")
        if self.performing:
            raise RuntimeError(f"{self.name} has another effect under way: await one at a time")
        seam, request = self.loop.seam, withhold(sanitise(request)[0])
        recorded = seam.effect(self.scope, kind, request)
        if recorded is None:
            seam.check_cancel()
            if seam.replaying:
                said = f"the record has no {kind} in {self.scope}"
                raise ReplayViolation(said, scope=self.scope, event_type="effect")
            sealed = self.loop.seals.seal(await self._performed(do))
            payload = {"kind": kind, "request": request, **sealed.value}
            draft = Draft("effect", payload, self.scope, sealed=sealed.spans or None)
            recorded = seam.write(draft)
        if recorded.payload.get("error") is not None:
            raise EffectFailed(recorded.payload["error"])
        return recorded.payload["answer"]

    async def _performed(self, do: Callable[[], Awaitable[Any]]) -> dict[str, Any]:
        self.performing = True
        try:
            return {"answer": sanitise(await do())[0]}
        except BaseException as error:
            if is_control(error):
                raise
            said = f"{type(error).__name__}: {error}"
            return {"answer": None, "error": sanitise(said)[0]}
        finally:
            self.performing = False

    async def model(self, messages: Sequence[Message], *, model: str | None = None) -> Message:
        """Ask a model something of one's own; the request is marked internal.

        Its answer is recorded like any, and its tools are none.

        Args:
            model: ``provider:name``; by default the agent's, with the agent's parameters.

        Raises:
            Interrupted, Paused, Cancelled, WaitUntil, Failed: the run can't go on now, or at all.
        """
        return await self._ask_beside(messages, model, must=True)

    async def try_model(
        self, messages: Sequence[Message], *, model: str | None = None
    ) -> Message | None:
        """The same, for what the run can do without: ``None`` when no answer comes.

        Nobody is asked whether to try again; a rate limit is waited for like any.
        """
        try:
            return await self._ask_beside(messages, model, must=False)
        except Failed:
            return None

    async def _ask_beside(
        self, messages: Sequence[Message], model: str | None, *, must: bool
    ) -> Message:
        from agents_app.engine.model_calls.asking import ask_beside

        self._only_in_hooks("model")
        try:
            return await ask_beside(
                self.loop, self.activation, self.scope, list(messages), model=model, must=must
            )
        except Failed:
            raise
        except ControlFlow as stop:
            self.stopped = stop  # it stands, whatever the hook catches
            raise

    def ask(
        self, *, kind: str, info: Any, allowed: list[str], consequence: str | None = None
    ) -> Event:
        """Ask a person; returns the decision when there is one.

        Raises:
            Interrupted: there is none yet.
        """
        self._only_in_hooks("ask")
        info = withhold(sanitise(info)[0])
        seam, scope = self.loop.seam, self.scope
        if seam.peek(scope, "interrupt") is None:
            seam.check_cancel()
        generation = seam.generation(scope)
        payload = {
            "id": self.loop.question_id(scope, generation),
            "kind": kind,
            "address": self.activation.address,
            "generation": generation,
            "parents": [],
            "digest": digest.of_value([scope, generation, info]),
            "info": info,
            "consequence": consequence,
            "allowed": allowed,
            "required_role": "approver",
            "expires_at": None,
            "on_expiry": None,
        }
        question = seam.write(Draft("interrupt", payload, scope))
        decision = self.loop.record.decision(question.payload["id"])
        if decision is None:
            self.stopped = Interrupted([question.payload])
            raise self.stopped
        return decision

    def _only_in_hooks(self, what: str) -> None:
        if self.stopped is not None:  # it was told so, and went on
            raise self.stopped
        if self.over:
            raise RuntimeError(f"{what}() of {self.name} after its hook had ended")
        if self.wrapping:
            raise RuntimeError(f"{what}() in a wrap of {self.name}: wraps do not run in a replay")
