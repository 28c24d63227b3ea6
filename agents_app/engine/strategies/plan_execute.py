"""Plan, execute, replan: a planner writes steps, an executor does the next, a replanner judges.

The three are agents below this one, each under its own address: a question that the executor asks
pauses the whole, and the answer finds it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import PositiveInt  # noqa: TC002 - options are checked by it

from agents_app.engine.errors import StrategyFailed
from agents_app.engine.filling import fill
from agents_app.engine.limits import Limits
from agents_app.engine.messages import Message
from agents_app.engine.strategies.json_text import first_json
from agents_app.engine.strategies.kept import check_plan
from agents_app.engine.strategies.plan_form import read_plan
from agents_app.engine.strategy import Continue, Finish, State, StepContext
from agents_app.engine.tools.function import tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.children.child import ChildOutcome
    from agents_app.engine.spec import AgentSpec

PLANNER = "You are the planner. Make a plan for the task: a JSON list of short, ordered steps."
EXECUTOR = "You are the executor. Do exactly the one step that you are given, with your tools."
REPLANNER = """You are the replanner. You see the task, what was done, and what was left. \
If the task is done, answer {"answer": "…"}. Else answer {"steps": [what is left to do, changed \
where the results say so]}."""
STEP = """Task:
{task}

Done so far:
{done}

Now do this step:
{step}"""
JUDGE = """Task:
{task}

Done so far:
{done}

Steps that were left:
{left}"""


@tool(handoff=True)
def submit_plan(steps: list[str]) -> dict[str, Any]:
    """Give the plan: short steps in their order."""
    return {"steps": steps}


@tool(handoff=True)
def respond(answer: str) -> dict[str, Any]:
    """The task is done: give the answer."""
    return {"answer": answer}


class PlanExecuteReplan:
    """One step plans, and each further one executes and judges; ``max_steps`` bounds the rounds.

    Args:
        by: how planner and replanner answer: in formatted ``text``, or by a ``tool`` call.
        executor_steps: the most steps that the executor may take for one step of the plan; by
            default as many as the agent itself.
    """

    name = "plan-execute-replan"

    def __init__(
        self, by: Literal["text", "tool"] = "text", executor_steps: PositiveInt | None = None
    ) -> None:
        self.by = by
        self.executor_steps = executor_steps

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {"from": len(history), "plan": None, "done": []}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        if state["plan"] is None:
            planner = self._asker(ctx.agent, "planner", PLANNER, (submit_plan,))
            outcome = await ctx.run_child(planner, _task(ctx, state))
            return Continue({**state, "plan": _planned(ctx, _text(outcome), [])})
        current, *left = state["plan"]
        said = {"task": _task(ctx, state), "done": _done(ctx, state["done"]), "step": current}
        executed = await ctx.run_child(self._executor(ctx.agent), fill(STEP, said))
        done = [*state["done"], [current, executed.seq]]
        return await self._judge(ctx, {**state, "done": done}, left)

    async def _judge(self, ctx: StepContext, state: State, left: list[str]) -> Continue | Finish:
        lines = "\n".join(f"- {step}" for step in left) or "(none)"
        said = {"task": _task(ctx, state), "done": _done(ctx, state["done"]), "left": lines}
        replanner = self._asker(ctx.agent, "replanner", REPLANNER, (submit_plan, respond))
        text = _text(await ctx.run_child(replanner, fill(JUDGE, said)))
        answer = _answer(text)
        if answer is not None:
            ctx.append(Message("assistant", answer))
            return Finish(answer, {**state, "plan": None})
        return Continue({**state, "plan": _planned(ctx, text, state["done"])})

    def _asker(
        self, agent: AgentSpec, slug: str, instructions: str, tools: Sequence[Any]
    ) -> AgentSpec:
        by_tool = self.by == "tool"
        return replace(
            agent,
            slug=slug,
            name=slug,
            strategy="function-calling" if by_tool else "simple",
            options={},
            instructions=_under(agent, instructions),
            tools=tuple(tools) if by_tool else (),
            limits=Limits(max_steps=2),
        )

    def _executor(self, agent: AgentSpec) -> AgentSpec:
        steps = self.executor_steps or agent.limits.max_steps
        return replace(
            agent,
            slug="executor",
            name="executor",
            strategy="function-calling",
            options={},
            instructions=_under(agent, EXECUTOR),
            limits=Limits(max_steps=steps, window=agent.limits.window),
        )


def _task(ctx: StepContext, state: State) -> str:
    """What people asked for in this run, and said while it went on."""
    asked = [m.content for m in ctx.history[state["from"] :] if m.role == "user"]
    return "\n\n".join(asked)


def _under(agent: AgentSpec, instructions: str) -> str:
    return "\n\n".join(text for text in (agent.instructions, instructions) if text)


def _planned(ctx: StepContext, text: str, done: Sequence[Sequence[Any]]) -> list[str]:
    plan = read_plan(text)
    if not plan:
        raise StrategyFailed("The model made no plan that can be read.", code="no_plan")
    check_plan(plan, done)
    ctx.emit_plan(plan, done=len(done))
    return plan


def _answer(text: str) -> str | None:
    found = first_json(text)
    value = found[0].get("answer") if found and isinstance(found[0], dict) else None
    if value is None and not read_plan(text):
        return text.strip() or None
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _text(outcome: ChildOutcome) -> str:
    if outcome.kind == "failed":
        raise StrategyFailed(outcome.text, code=outcome.code or "child_failed")
    return outcome.text


def _done(ctx: StepContext, done: Sequence[Sequence[Any]]) -> str:
    lines = [f"- {step}\n  {ctx.outcome(seq).text}" for step, seq in done]
    return "\n".join(lines) or "(nothing)"
