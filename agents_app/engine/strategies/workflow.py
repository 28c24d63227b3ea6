"""Workflows of agents: one after another, side by side, or round and round. No model of their own.

The agents are those that the agent has as tools, in their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.errors import StrategyFailed
from agents_app.engine.messages import Message
from agents_app.engine.strategies.kept import (
    keep_outcome,
    keep_task,
    same_task,
    task_of,
    text_of,
)
from agents_app.engine.strategy import Continue, Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.children.child import ChildOutcome
    from agents_app.engine.spec import AgentSpec


class InTurn:
    """Each agent gets the answer of the one before it; the last one's is the answer."""

    name = "sequence"

    def start(self, task: str, history: Sequence[Message]) -> State:
        kept = keep_task(task, history)
        return {"at": 0, **kept, **({"text": task} if "task" in kept else {})}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        agents = _agents(ctx)
        outcome = _answered(await ctx.run_child(agents[state["at"]], text_of(state, ctx)))
        kept = same_task(state)
        if state["at"] + 1 == len(agents):
            first = {"text": state["task"]} if "task" in state else {}
            return _finish(ctx, outcome.text, {"at": 0, **kept, **first})
        return Continue({"at": state["at"] + 1, **kept, **keep_outcome(outcome)})


class SideBySide:
    """Every agent gets the task; the answers stand under their names, in order."""

    name = "parallel"

    def start(self, task: str, history: Sequence[Message]) -> State:
        return keep_task(task, history)

    async def step(self, state: State, ctx: StepContext) -> Finish:
        agents = _agents(ctx)
        task = task_of(state, ctx)
        outcomes = await ctx.parallel([(agent, task) for agent in agents])
        parts = [
            f"## {agent.name or agent.slug}\n{outcome.text}"
            for agent, outcome in zip(agents, outcomes, strict=True)
        ]
        return _finish(ctx, "\n\n".join(parts), state)


class Rounds:
    """The agents one after another, again and again; ``max_steps`` bounds the rounds.

    Args:
        until: a word of the last agent's answer that ends the loop; it is left out of the answer.
    """

    name = "loop"

    def __init__(self, until: str = "DONE") -> None:
        self.until = until

    def start(self, task: str, history: Sequence[Message]) -> State:
        kept = keep_task(task, history)
        return {"text": task} if "task" in kept else kept

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        first, *others = _agents(ctx)
        outcome = _answered(await ctx.run_child(first, text_of(state, ctx)))
        for agent in others:
            outcome = _answered(await ctx.run_child(agent, outcome.text))
        kept = keep_outcome(outcome)
        if self.until in outcome.text:
            return _finish(ctx, outcome.text.replace(self.until, "").strip(), kept)
        return Continue(kept)


def _agents(ctx: StepContext) -> list[AgentSpec]:
    agents = [tool.agent for tool in ctx.agent.tools if tool.agent is not None]
    if not agents:
        raise StrategyFailed("A workflow needs agents as tools; this one has none.", code="empty")
    return agents


def _answered(outcome: ChildOutcome) -> ChildOutcome:
    if not outcome.finished:
        raise StrategyFailed(outcome.text, code=outcome.code or outcome.kind)
    return outcome


def _finish(ctx: StepContext, text: str, again: State) -> Finish:
    """The answer; ``again`` is where a message that came too late for it goes on from."""
    ctx.append(Message("assistant", text))
    return Finish(text, again)
