"""Function calling: ReAct with native calls. The model asks, tools run, until it just answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.strategy import Continue, Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import Message


class FunctionCalling:
    """The default: one model call a step, and the tools that it asked for."""

    name = "function-calling"

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        reply = await ctx.model()
        ctx.append(reply)
        if not reply.calls:
            return Finish(reply.content, state)
        results = await ctx.tools(reply)
        ctx.append(*results)
        answer = ctx.handed_on(reply, results)
        return Continue(state) if answer is None else Finish(answer, state)
