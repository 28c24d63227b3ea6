"""The steps of one activation, the root's or a child's: the skeleton that all paradigms share."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.blame import note_place
from agents_app.engine.errors import (
    Divergence,
    Failed,
    ReplayViolation,
    StateTooLarge,
    StrategyFailed,
    is_control,
)
from agents_app.engine.loop.activation import STATE_INLINE, Activation
from agents_app.engine.loop.checked import kind
from agents_app.engine.loop.flight import is_stopped_here
from agents_app.engine.loop.grace import cancellable
from agents_app.engine.loop.hooks import stand_still
from agents_app.engine.strategy import Continue, Finish, StepContext
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.messages import Message


@dataclass(frozen=True, slots=True)
class Ended:
    """How the steps of an activation came to their end, without an error."""

    kind: Literal["finished", "limit"]
    text: str


def begin(activation: Activation, message: Message) -> None:
    """Take in what the activation is asked to do.

    Raises:
        Failed: the strategy can't begin with it.
    """
    history = tuple(activation.transcript)
    activation.append([message])
    try:
        state = activation.actor.strategy.start(message.content, history)
        activation.state = _started(state)
    except BaseException as error:
        if is_control(error):
            raise
        raise _strategy_failed(activation, error) from error


async def run_steps(
    loop: Loop, activation: Activation, *, first: int, before_end: Callable[[], None]
) -> Ended:
    """Step until the strategy finishes or the limit is reached; the last step is ended too.

    Args:
        first: the number of the first step that counts for the limit.
        before_end: called before the last step ends; raises where people said something first.
    """
    limit = activation.actor.limits.max_steps
    while activation.step - first < limit:
        turn = await _step(loop, activation)
        finished = isinstance(turn, Finish) and not _unread_steer(loop, activation)
        if finished or activation.step - first + 1 >= limit:
            before_end()
        activation.opened = end_step(loop, activation, turn.state).ts
        if finished and isinstance(turn, Finish):
            return Ended("finished", turn.answer)
    loop.seam.write(
        Draft("limit", {"what": "max_steps", "limit": limit, "used": limit}, activation.scope)
    )
    text = f"Stopped: the run reached the maximum steps ({limit}) without an answer."
    return Ended("limit", text)


def end_step(loop: Loop, activation: Activation, state: dict[str, Any]) -> Event:
    """Write the end of a step with its snapshot; the activation is at its next step then.

    Raises:
        Failed: the state is too large, or no JSON.
    """
    activation.state = state
    known = loop.seam.peek(activation.scope, "step_end")
    try:
        mark, data = activation.snapshot(known.payload["digest"] if known else None)
    except StateTooLarge as error:
        activation.restart()
        raise Failed(error.code, error.message) from error
    except (TypeError, ValueError) as error:
        activation.restart()
        raise Failed("state_not_json", f"{activation.address}: {error}") from error
    scope, step = activation.scope, activation.step
    inline = len(data) <= STATE_INLINE
    payload = {
        "step": step,
        "digest": mark,
        "append": activation.closed(),
        "state": activation.kept if inline else None,
    }
    event = loop.seam.write(Draft("step_end", payload, scope), checkpoint=None if inline else data)
    if not inline:
        loop.snapshots[event.seq] = data
    loop.bus.emit("on_step_complete", step=step)
    return event


async def _step(loop: Loop, activation: Activation) -> Continue | Finish:
    context, activation.stopped = StepContext(loop, activation), None
    try:
        made = activation.actor.strategy.step(activation.state, context)
        turn = await cancellable(loop, _to_await(made))
        stand_still(activation.stopped)
        return _checked(turn)
    except (Divergence, ReplayViolation):
        raise
    except StrategyFailed as error:
        raise Failed(error.code, error.message) from error
    except asyncio.CancelledError as error:
        if is_stopped_here():
            raise
        raise _strategy_failed(activation, error) from error
    except BaseException as error:
        if is_control(error):
            raise
        raise _strategy_failed(activation, error) from error


def _started(state: Any) -> dict[str, Any]:
    if not isinstance(state, dict):
        raise TypeError(f"start gives the state, a dict, not {kind(state)}")
    return state


def _to_await(made: Any) -> Any:
    if not isawaitable(made):
        raise TypeError("step is no coroutine function: write 'async def step'")
    return made


def _checked(turn: Any) -> Continue | Finish:
    """What a strategy gave back, when it is what a step gives back."""
    if not isinstance(turn, (Continue, Finish)) or not isinstance(turn.state, dict):
        raise TypeError(f"a step gives Continue(state) or Finish(answer, state), not {turn!r:.80}")
    if isinstance(turn, Finish) and not isinstance(turn.answer, str):
        raise TypeError(f"an answer is text, not {type(turn.answer).__name__}")
    return turn


def _strategy_failed(activation: Activation, error: BaseException) -> Failed:
    note_place(f"strategy {activation.actor.names[0]}", error)
    text = f"{activation.actor.names[0]}: {type(error).__name__}: {error}"
    return Failed("strategy_error", text)


def _unread_steer(loop: Loop, activation: Activation) -> bool:
    """A message for this activation that came too late for its last request."""
    steers = loop.record.by_type.get("steer", ())
    if not steers:
        return False
    upto = loop.seam.upto(activation.scope, "step_end")
    taken = {m.origin[0] for m in activation.transcript if m.origin}
    return any(
        s.seq < upto and s.seq not in taken and s.payload["to"] == activation.address
        for s in steers
    )
