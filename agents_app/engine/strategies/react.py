"""ReAct in text: think, name a tool in words, read what it observed; for models without calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agents_app.engine.errors import StrategyFailed
from agents_app.engine.filling import fill
from agents_app.engine.messages import Message
from agents_app.engine.strategies.text_form import Act, Answer, Malformed, arguments_of, read
from agents_app.engine.strategy import Continue, Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

FORM = """You solve the task step by step, with these tools:

{tools}

Answer in exactly this form, one step at a time:

Thought: what you know and what you need
Action: tool[input]

The input is JSON with the tool's arguments, or plain text for a tool with one. You are then told \
the Observation. When you know the answer:

Thought: why you are done
Action: Finish[the answer]"""
AGAIN = "Observation: your reply could not be read ({why}). Write Thought: and Action: tool[input]."


class React:
    """Args:
    repairs: how many replies in a row that can't be read are answered with how to write them.
    """

    name = "react"
    #: Its calls stand in the text of an answer, where nobody can tell what of it is secret.
    calls_in_text = True

    def __init__(self, repairs: int = 2) -> None:
        self.repairs = repairs

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {"unread": 0}

    async def step(self, state: State, ctx: StepContext) -> Continue | Finish:
        reply = await ctx.model(ctx.prompt(also=_form(ctx)), tools=False)
        found = read(reply.content, [tool.name for tool in ctx.agent.tools])
        if isinstance(found, Answer):
            ctx.append(reply)
            return Finish(found.text, state)
        if isinstance(found, Malformed):
            return self._again(state, ctx, reply, found)
        ctx.append(_first(reply, found))
        tool = ctx.agent.tool(found.tool)
        arguments = arguments_of(found.input, tool.schema if tool else {})
        result = await ctx.call(reply, found.tool, arguments)
        ctx.append(Message("user", f"Observation: {result.content}"))
        return Continue({"unread": 0})

    def _again(self, state: State, ctx: StepContext, reply: Message, found: Malformed) -> Continue:
        if state["unread"] >= self.repairs:
            said = f"The model's replies could not be read: {found.why}."
            raise StrategyFailed(said, code="unreadable_reply")
        ctx.append(reply, Message("user", fill(AGAIN, {"why": found.why})))
        return Continue({"unread": state["unread"] + 1})


def _first(reply: Message, act: Act) -> Message:
    """The reply up to its first act: the model must not read what it invented behind it."""
    if not reply.content[act.end :].strip(" \n`*"):
        return reply
    return Message("assistant", reply.content[: act.end].rstrip())


def _form(ctx: StepContext) -> str:
    lines = [
        f"- {tool.name}: {tool.description} Arguments: "
        + json.dumps(tool.schema.get("properties", {}), ensure_ascii=False, sort_keys=True)
        for tool in ctx.agent.tools
    ]
    return fill(FORM, {"tools": "\n".join(lines) or "(none)"})
