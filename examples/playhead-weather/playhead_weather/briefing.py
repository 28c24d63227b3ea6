"""A strategy: the model names cities, the forecast of each is asked for, the model sums up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents_app.engine import Continue, Finish, Message

ASK = "Name the cities that are asked about, one a line, and nothing else."
SUM_UP = "Sum up these forecasts in one sentence:\n"


class Briefing:
    """Two steps.

    Args:
        cities: how many cities are asked for at most.
    """

    name = "briefing"
    calls_in_text = True  # the cities stand in a text: no tool with secret arguments fits

    def __init__(self, cities: int = 3) -> None:
        self.cities = cities

    def start(self, task: str, history: Sequence[Message]) -> dict[str, Any]:
        return {"asked": False}

    async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
        if state["asked"]:
            answer = await ctx.model(tools=False)
            ctx.append(answer)
            return Finish(answer.content, state)
        named = await ctx.model(ctx.prompt(also=ASK), tools=False)
        cities = [line.strip(" -*") for line in named.content.splitlines() if line.strip(" -*")]
        found = []
        for city in cities[: self.cities]:
            result = await ctx.call(named, "forecast", {"city": city})
            found.append(result.content)
        if ctx.agent.tool("observe"):
            result = await ctx.call(named, "observe", {})
            found.append(result.content)
        ctx.append(named, Message("user", SUM_UP + "\n".join(found)))
        return Continue({"asked": True})
