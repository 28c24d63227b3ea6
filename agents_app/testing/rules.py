"""A model for tests whose answers follow from the prompt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import Delta, ModelReply, ModelRequest, OnDelta
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

Response = Message | Exception


class RuleModel:
    """Answers what its rule makes of a request: the same prompt, the same answer.

    Unlike a script it does not care how often it is asked, so it fits a session that crashes.
    ``wait`` is awaited before each answer, so that a test can hold a call in flight.
    """

    def __init__(self, rule: Callable[[ModelRequest], Response]) -> None:
        self._rule = rule
        self.requests: list[ModelRequest] = []
        self.gate: asyncio.Event | None = None

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """What the rule says."""
        self.requests.append(request)
        if self.gate is not None:
            await self.gate.wait()
        await asyncio.sleep(0)
        response = self._rule(request)
        if isinstance(response, Exception):
            raise response
        return reply_to(request, response, on_delta)


def reply_to(request: ModelRequest, message: Message, on_delta: OnDelta) -> ModelReply:
    """A message as the whole answer of a model: streamed, with usage and a stop reason."""
    for word in _words(message.content):
        on_delta(Delta("text", word))
    used = sum(len(each.content) for each in request.messages) // 4
    return ModelReply(
        message,
        stop_reason="tool_calls" if message.calls else "stop",
        usage=Usage(input=used, output=len(message.content) // 4, cached=0, reasoning=0),
        model=request.model,
    )


def says(text: str) -> Message:
    """An assistant's answer."""
    return Message("assistant", text)


def calls(*asked: tuple[str, dict[str, Any]], text: str = "") -> Message:
    """An assistant's message that calls tools: ``calls(("search", {"query": "x"}), …)``."""
    made = [
        ToolCall(f"call_{place}", name, arguments) for place, (name, arguments) in enumerate(asked)
    ]
    return Message("assistant", text, tool_calls=made)


def _words(text: str) -> list[str]:
    return [word + " " for word in text.split(" ")[:-1]] + [text.split(" ")[-1]] if text else []
