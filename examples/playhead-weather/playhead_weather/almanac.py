"""A model provider: one model, which knows its almanac and costs nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

from agents_app.engine import Message
from agents_app.engine.ports import Delta, ModelReply, ModelRequest
from playhead.core.usage import Usage
from playhead.plugins import PluginMeta

_CITY = re.compile(r"\b(Bonn|Oslo|Lima)\b")


class Almanac:
    """``almanac:farmer``."""

    meta = PluginMeta("weather-almanac", "0.3.0", provides=("llm.almanac",))
    paid = False

    def models(self) -> Collection[str]:
        return ["farmer"]

    def model(self, name: str) -> Almanac:
        return self

    async def respond(self, request: ModelRequest, on_delta: Callable[[Delta], Any]) -> ModelReply:
        text = self._say(request.messages[-1].content)
        on_delta(Delta("text", text))
        used = Usage(input=sum(len(m.content) for m in request.messages), output=len(text))
        return ModelReply(Message("assistant", text), stop_reason="stop", usage=used)

    def _say(self, asked: str) -> str:
        if asked.startswith("Sum up"):
            return "Farmers say: " + "; ".join(asked.splitlines()[1:]) + "."
        return "\n".join(dict.fromkeys(_CITY.findall(asked))) or "Bonn"
