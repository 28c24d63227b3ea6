"""Workflows of agents: one after another, side by side, or round and round. No model of their own.

The agents are those that the agent has as tools, in their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.errors import StrategyFailed
from agents_app.engine.messages import Message
from agents_app.engine.strategy import Continue, Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.children import ChildOutcome
    from agents_app.engine.spec import AgentSpec


class InTurn:
    """Each agent gets the answer of the one before it; the last one's is the answer."""

    name = "sequence"

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {"at": 0, "text": task, "task": task}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        agents = _agents(ctx)
        text = _answer(await ctx.run_child(agents[state["at"]], state["text"]))
        if state["at"] + 1 == len(agents):
            return _finish(ctx, text, self.start(state["task"], ()))
        return Continue({**state, "at": state["at"] + 1, "text": text})


class SideBySide:
    """Every agent gets the task; the answers stand under their names, in order."""

    name = "parallel"

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {"task": task}

    async def step(self, state: State, ctx: StepContext) -> Finish:
        agents = _agents(ctx)
        outcomes = await ctx.parallel([(agent, state["task"]) for agent in agents])
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
        return {"text": task}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        text = state["text"]
        for agent in _agents(ctx):
            text = _answer(await ctx.run_child(agent, text))
        if self.until in text:
            return _finish(ctx, text.replace(self.until, "").strip(), {"text": text})
        return Continue({"text": text})


def _agents(ctx: StepContext) -> list[AgentSpec]:
    agents = [tool.agent for tool in ctx.agent.tools if tool.agent is not None]
    if not agents:
        raise StrategyFailed("A workflow needs agents as tools; this one has none.", code="empty")
    return agents


def _answer(outcome: ChildOutcome) -> str:
    if not outcome.finished:
        raise StrategyFailed(outcome.text, code=outcome.code or outcome.kind)
    return outcome.text


def _finish(ctx: StepContext, text: str, again: State) -> Finish:
    """The answer; ``again`` is where a message that came too late for it goes on from."""
    ctx.append(Message("assistant", text))
    return Finish(text, again)
