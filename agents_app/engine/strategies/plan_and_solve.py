"""Plan and solve: one call makes the plan, then one call a step; the last one's is the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.errors import StrategyFailed
from agents_app.engine.filling import fill
from agents_app.engine.messages import Message
from agents_app.engine.strategies.kept import check_plan
from agents_app.engine.strategies.plan_form import read_plan
from agents_app.engine.strategy import Continue, Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAN = "Make a plan for the task: a JSON list of short steps in their order, and nothing else."
REPAIR = "That is no plan that can be read. Write only a JSON list of steps."
SOLVE = """Carry out one step of a plan. The plan:

{plan}

Now do step {number}: {step}
Answer with the result of this step. In the last step, answer the task itself."""


class PlanAndSolve:
    """``n + 1`` model calls for a plan of ``n`` steps, no tools.

    Args:
        steps: how many steps a plan may have at most.
    """

    name = "plan-and-solve"

    def __init__(self, steps: int = 20) -> None:
        self.steps = steps

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {"plan": None, "done": 0}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        if state["plan"] is None:
            return await self._plan(state, ctx)
        plan, done = state["plan"], state["done"]
        lines = "\n".join(f"{n}. {each}" for n, each in enumerate(plan, start=1))
        ask = fill(SOLVE, {"plan": lines, "number": done + 1, "step": plan[done]})
        reply = await ctx.model(ctx.prompt(Message("user", ask)), tools=False)
        ctx.append(reply)
        if done + 1 == len(plan):
            return Finish(reply.content, {"plan": None, "done": 0})
        ctx.emit_plan(plan, done=done + 1)
        return Continue({"plan": plan, "done": done + 1})

    async def _plan(self, state: State, ctx: StepContext) -> Continue:
        reply = await ctx.model(ctx.prompt(also=PLAN), tools=False)
        plan = read_plan(reply.content)
        if not plan and not state.get("repaired"):
            ctx.append(reply, Message("user", REPAIR))
            return Continue({**state, "repaired": True})
        if not plan:
            raise StrategyFailed("The model made no plan that can be read.", code="no_plan")
        if len(plan) > self.steps:
            said = f"The plan has {len(plan)} steps; the limit is {self.steps}."
            raise StrategyFailed(said, code="plan_too_long")
        check_plan(plan)
        ctx.append(reply)
        ctx.emit_plan(plan)
        return Continue({"plan": plan, "done": 0})
