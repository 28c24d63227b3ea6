"""Function calling: ReAct with native calls. The model asks, tools run, until it just answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from agents_app.engine.errors import StrategyFailed
from agents_app.engine.messages import Message
from agents_app.engine.strategies.chosen import AGAIN, chosen, form, response_format
from agents_app.engine.strategy import Continue, Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence


class FunctionCalling:
    """The default: one model call a step, and the tools that it asked for.

    Args:
        by: ``native`` calls, or, for a model that has none, a choice held to a ``json_schema``.
        look_first: each run begins with a tool; the model may answer after it has used one.
    """

    name = "function-calling"
    __slots__ = ("by", "calls_in_text", "look_first")

    def __init__(
        self, by: Literal["native", "json_schema"] = "native", look_first: bool = False
    ) -> None:
        self.by, self.look_first = by, look_first
        self.calls_in_text = by == "json_schema"

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        if self.by == "json_schema":
            return await self._choose(state, ctx)
        must = self._must_look(state, ctx)
        reply = await ctx.model(params={"tool_choice": "required"} if must else None)
        ctx.append(reply)
        if not reply.calls:
            return Finish(reply.content, state)
        results = await ctx.tools(reply)
        ctx.append(*results)
        answer = ctx.handed_on(reply, results)
        return Continue(self._looked(state)) if answer is None else Finish(answer, state)

    def _must_look(self, state: State, ctx: StepContext) -> bool:
        return self.look_first and bool(ctx.agent.tools) and not state.get("looked")

    def _looked(self, state: State) -> State:
        """The state after a tool was used; it holds nothing where nobody asks."""
        return {**state, "looked": True} if self.look_first else state

    async def _choose(self, state: State, ctx: StepContext) -> Continue | Finish:
        tools, must = ctx.agent.tools, self._must_look(state, ctx)
        held = response_format(tools, answer=not must)
        reply = await ctx.model(ctx.prompt(also=form(tools)), tools=False, params=held)
        ctx.append(reply)
        choice = chosen(reply)
        if isinstance(choice, str) and not must:
            return Finish(choice, {})
        if choice is None or isinstance(choice, str):
            if state.get("unread", 0) >= 2:
                raise StrategyFailed(
                    "The model chose neither a tool nor an answer.", code="no_choice"
                )
            ctx.append(Message("user", AGAIN))
            return Continue({**state, "unread": state.get("unread", 0) + 1})
        result = await ctx.call(reply, *choice)
        ctx.append(Message("user", f"Result of {choice[0]}: {result.content}"))
        return Continue(self._looked({}))
