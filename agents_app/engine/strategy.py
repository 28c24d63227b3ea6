"""The strategy: the loop *body*. The loop itself is never a plug-in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from agents_app.engine.errors import ControlFlow
from agents_app.engine.log.own_words import own_words
from agents_app.engine.loop.checked import message_fault
from agents_app.engine.loop.settling import settle_all
from agents_app.engine.messages import Message
from agents_app.engine.model_calls import asking
from agents_app.engine.tool_calls import calling
from agents_app.engine.tool_calls.gate import call_scope
from agents_app.engine.written import written_call
from playhead.core.events import Draft
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine, Mapping, Sequence
    from datetime import datetime

    from agents_app.engine.children.child import ChildOutcome
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.spec import AgentSpec

State = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Continue:
    """Another step; ``state`` is JSON and refers to messages, it does not copy them."""

    state: State = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finish:
    """The run's answer."""

    answer: str
    state: State = field(default_factory=dict)


class Strategy(Protocol):
    """A paradigm: how a task starts, and what one step does."""

    name: str

    def start(self, task: str, history: Sequence[Message]) -> State:
        """The state before the first step of a run."""
        ...

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        """One step. Everything from outside goes through ``ctx``."""
        ...


class StepContext:
    """What a step may do: ask the model, run tools, keep history."""

    __slots__ = ("_activation", "_counts", "_heard", "_loop")

    def __init__(self, loop: Loop, activation: Activation) -> None:
        self._loop = loop
        self._activation = activation
        #: How often an agent was entered, by its slug; calls that an answer wrote, by its place.
        self._counts: dict[str | tuple[int, ...] | None, int] = {}
        self._heard: tuple[Message, ...] = ()

    @property
    def step(self) -> int:
        """The number of this step, counted by the activation from 0."""
        return self._activation.step

    @property
    def history(self) -> tuple[Message, ...]:
        """What the strategy has appended so far, oldest first."""
        return tuple(self._activation.transcript)

    def now(self) -> datetime:
        """The time of the event that opened the step: the same live and in a replay."""
        return self._activation.now

    def append(self, *messages: Message) -> None:
        """Keep messages in the history."""
        for message in messages:
            fault = message_fault(message)
            if fault is not None:
                raise TypeError(f"a history holds messages: append was given {fault}")
        self._activation.append(own_words(self._loop.record, messages))

    async def _standing(self, work: Awaitable[T]) -> T:
        """What stops the session stops this step, whatever the strategy makes of its raising."""
        try:
            return await work
        except ControlFlow as stop:
            self._activation.stopped = stop
            raise

    def model(
        self,
        messages: list[Message] | None = None,
        *,
        tools: bool = True,
        params: Mapping[str, Any] | None = None,
    ) -> Coroutine[Any, Any, Message]:
        """Ask the model; by default with the instructions and the whole (windowed) history.

        Args:
            tools: whether the agent's tools are offered.
            params: parameters of this request besides the agent's own.
        """
        return asking.ask(
            self._loop, self._activation, messages=messages, offer_tools=tools, params=params
        )

    def prompt(self, *more: Message, also: str = "") -> list[Message]:
        """The instructions, with a strategy's own behind them, the windowed history, and more."""
        said = "\n\n".join(text for text in (self.agent.instructions, also) if text)
        system = (Message("system", said),) if said else ()
        return [*self._activation.view(system, self._activation.actor.limits.window), *more]

    def said(self, seq: int) -> Message:
        """The message that an event carries: a state refers to messages and holds none."""
        return self._loop.record.message(seq)

    def emit_plan(self, steps: Sequence[str], *, done: int = 0, why: str | None = None) -> None:
        """Write the plan as it stands, for those who watch."""
        payload = {"steps": list(steps), "done": done, "why": why}
        said = withhold(sanitise(payload)[0])
        self._loop.seam.write(Draft("plan", said, self._activation.scope))

    async def call(self, reply: Message, name: str, arguments: Mapping[str, Any]) -> Message:
        """Run a call that was written as text: gate, intent and result are those of any call.

        A strategy that does so has ``calls_in_text = True``: an agent whose tools have arguments
        that are secret is refused it, since nobody can tell where they stand in a text.

        Args:
            reply: the answer that asks for it, as ``model`` returned it; one may ask for several,
                one after the other.
        """
        place = self._counts.get(reply.origin, 0)
        self._counts[reply.origin] = place + 1
        wanted = written_call(reply, name, arguments, place)
        [result] = await self.tools(replace(reply, tool_calls=(wanted,)))
        return result

    @property
    def agent(self) -> AgentSpec:
        """The agent that is running, with what a branch says instead."""
        return self._loop.agent_of(self._activation)

    async def run_child(self, spec: AgentSpec, task: str) -> ChildOutcome:
        """Run another agent below this step until it ends; a question in it suspends both.

        What people said to this agent meanwhile is read here, and told to the child.

        Raises:
            Interrupted, Paused, WaitUntil, Cancelled: the whole session stands still, or ends.
        """
        from agents_app.engine.children.child import run_child  # a child makes contexts in its turn

        number = self._counts[spec.slug] = self._counts.get(spec.slug, 0) + 1
        base = f"{self._activation.scope};agent:{spec.slug}" + (f"#{number}" if number > 1 else "")
        upto = self._loop.seam.upto(base, "child_start")
        self._heard += tuple(asking.take_steers(self._loop, self._activation, upto))
        task = "\n\n".join([task, *(message.content for message in self._heard)])
        child = run_child(self._loop, self._activation, base, spec, task)
        return await self._standing(child)

    def outcome(self, seq: int) -> ChildOutcome:
        """The outcome of a child that ended earlier, by the seq that it had."""
        from agents_app.engine.children.child import outcome_of

        ended = self._loop.record.event(seq)
        if ended is None:
            raise KeyError(f"no child ended at {seq}")
        return outcome_of(ended)

    async def parallel(self, children: Sequence[tuple[AgentSpec, str]]) -> list[ChildOutcome]:
        """Run several agents at once; their outcomes come in the order given.

        Every one runs until it ends or stands still; then the step stands still, if any does.
        """
        running = [self.run_child(spec, task) for spec, task in children]
        return await self._standing(settle_all(self._loop, running))

    def handed_on(self, reply: Message, results: Sequence[Message]) -> str | None:
        """What the agent answered to which one of the calls handed the conversation on."""
        if not any(tool.handoff for tool in self.agent.tools):
            return None
        for call, result in zip(reply.calls, results, strict=True):
            tool = self.agent.tool(call.name)
            recorded = self._loop.record.result(call_scope(self._activation, call))
            if tool and tool.handoff and recorded and recorded.payload["success"]:
                return result.content
        return None

    async def tools(self, reply: Message) -> list[Message]:
        """Run the calls of a reply and return their results in its order."""
        return await self._standing(calling.call_tools(self._loop, self._activation, reply))
