"""Simple: one model call, no tools, no loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.strategy import Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import Message


class Simple:
    """A plain conversation: one answer a run."""

    name = "simple"

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {}

    async def step(self, state: State, ctx: StepContext) -> Finish:
        reply = await ctx.model(tools=False)
        ctx.append(reply)
        return Finish(reply.content, state)
