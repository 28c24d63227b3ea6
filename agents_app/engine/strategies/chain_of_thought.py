"""Chain of thought: one call that reasons first; the answer is what stands behind ``Answer:``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agents_app.engine.strategy import Finish, State, StepContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import Message

FORM = "Think step by step. Then write the answer alone on the last line, after Answer:"
_ANSWER = re.compile(
    r"^[ \t>#*_`]*(?:final )?(?:answer|答案)[*_` ]*[:\uff1a][*_` \t]*(?P<said>.+)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


class ChainOfThought:
    """One model call, no tools."""

    name = "chain-of-thought"

    def start(self, task: str, history: Sequence[Message]) -> State:
        return {}

    async def step(self, state: State, ctx: StepContext) -> Finish:
        reply = await ctx.model(ctx.prompt(also=FORM), tools=False)
        ctx.append(reply)
        found = [*_ANSWER.finditer(reply.content)]
        said = found[-1]["said"].strip(" *_`\n") if found else ""
        return Finish(said or reply.content.strip(), state)
