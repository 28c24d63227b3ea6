"""The strategy: the loop *body*. The loop itself is never a plug-in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from agents_app.engine import asking, calling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop
    from agents_app.engine.messages import Message

State = dict[str, Any]


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

    def __init__(self, loop: Loop, activation: Activation) -> None:
        self._loop = loop
        self._activation = activation

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
        self._activation.append(messages)

    async def model(self, messages: list[Message] | None = None, *, tools: bool = True) -> Message:
        """Ask the model; by default with the instructions and the whole (windowed) history."""
        return await asking.ask(self._loop, self._activation, messages=messages, offer_tools=tools)

    async def tools(self, reply: Message) -> list[Message]:
        """Run the calls of a reply and return their results in its order."""
        return await calling.call_tools(self._loop, self._activation, reply)
