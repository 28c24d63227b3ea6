"""Texts in a state: a short one is kept, of a long one only where it stands (a state has 64 kB)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.errors import StrategyFailed
from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.children.child import ChildOutcome
    from agents_app.engine.messages import Message
    from agents_app.engine.strategy import State, StepContext

_SHORT = 24 * 1024
_PLAN = 48 * 1024


def keep_task(task: str, history: Sequence[Message]) -> State:
    """What a state says of the task of a run."""
    return {"task": task} if _is_short(task) else {"from": len(history)}


def same_task(state: State) -> State:
    """The same, for a state that follows."""
    return {key: state[key] for key in ("task", "from") if key in state}


def task_of(state: State, ctx: StepContext) -> str:
    """The task of the run."""
    if "task" in state:
        return str(state["task"])
    return ctx.history[state["from"]].content


def keep_outcome(outcome: ChildOutcome) -> State:
    """What a state says of the answer of an agent."""
    return {"text": outcome.text} if _is_short(outcome.text) else {"seq": outcome.seq}


def text_of(state: State, ctx: StepContext) -> str:
    """The answer of the agent before, of the first one the task."""
    if "text" in state:
        return str(state["text"])
    return ctx.outcome(state["seq"]).text if "seq" in state else task_of(state, ctx)


def check_plan(plan: Sequence[str], done: Sequence[Sequence[object]] = ()) -> None:
    """Refuse a plan that a state can't hold beside the steps that are done.

    Raises:
        StrategyFailed: it is too long.
    """
    size = len(canonical.dumps([list(plan), list(done)]))
    if size > _PLAN:
        said = f"The plan has {size} bytes; the limit is {_PLAN}."
        raise StrategyFailed(said, code="plan_too_long")


def _is_short(text: str) -> bool:
    return len(canonical.dumps(text)) <= _SHORT
