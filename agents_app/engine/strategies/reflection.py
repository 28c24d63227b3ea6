"""Reflection: draft, criticise, refine, until the critic finds nothing more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agents_app.engine.filling import fill
from agents_app.engine.messages import Message
from agents_app.engine.strategies.kept import keep_task, same_task, task_of
from agents_app.engine.strategy import Continue, Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

REVIEW = """Review the answer below to the task as a strict critic. Name what is wrong, missing or \
unclear in it. If there is nothing to improve, write exactly: no need for improvement.

Task:
{task}

Answer:
{draft}"""
REFINE = """Improve the answer by the review. Write only the new answer.

Task:
{task}

Answer:
{draft}

Review:
{review}"""
_CONTENT = re.compile(
    r"no (?:need for|further) improvements?|无需改进|no issues? found", re.IGNORECASE
)


class Reflection:
    """At most ``2 * rounds + 1`` model calls, no tools.

    Args:
        rounds: how often a draft is reviewed and refined at most.
    """

    name = "reflection"

    def __init__(self, rounds: int = 3) -> None:
        self.rounds = rounds

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {**keep_task(task, history), "round": 0}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        if "draft" not in state:
            reply = await ctx.model(tools=False)
            return Continue({**state, "draft": _seq(reply)})
        task, draft = task_of(state, ctx), ctx.said(state["draft"]).content
        if "review" not in state:
            if state["round"] >= self.rounds:
                return _finish(state, ctx)
            ask = fill(REVIEW, {"task": task, "draft": draft})
            review = await ctx.model(_alone(ctx, ask), tools=False)
            if _CONTENT.search(review.content) or not review.content.strip():
                return _finish(state, ctx)
            return Continue({**state, "review": _seq(review)})
        said = {"task": task, "draft": draft, "review": ctx.said(state["review"]).content}
        reply = await ctx.model(_alone(ctx, fill(REFINE, said)), tools=False)
        again = {**same_task(state), "round": state["round"] + 1}
        return Continue({**again, "draft": _seq(reply)})


def _finish(state: State, ctx: StepContext) -> Finish:
    """Only the answer is kept in the history: a later run reads no drafts."""
    draft = ctx.said(state["draft"])
    ctx.append(draft)
    return Finish(draft.content, {**same_task(state), "round": 0})


def _alone(ctx: StepContext, text: str) -> list[Message]:
    """The instructions and one message, without the history."""
    system = [Message("system", ctx.agent.instructions)] if ctx.agent.instructions else []
    return [*system, Message("user", text)]


def _seq(reply: Message) -> int:
    return reply.origin[0] if reply.origin else 0
