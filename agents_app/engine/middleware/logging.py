"""Logging: what goes to the model, what comes back, and which tools ran, in one line each."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents_app.engine.messages import Message, ToolCall, ToolResult

#: Of an answer only the beginning is logged (characters).
SHOWN = 100


class LoggingMiddleware:
    """Writes to the logger ``playhead.agent``; changes nothing."""

    name = "logging"

    def __init__(self) -> None:
        self._log = logging.getLogger("playhead.agent")

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        self._log.info("model call with %d messages", len(messages))
        return messages

    async def after_llm_call(self, response: Message) -> Message:
        self._log.info("model answered: %s", response.content[:SHOWN])
        return response

    async def before_tool_call(self, tool_call: ToolCall) -> ToolCall:
        self._log.info("tool call: %s", tool_call.name)
        return tool_call

    async def after_tool_call(self, result: ToolResult) -> ToolResult:
        self._log.info("tool result: %s", "success" if result.success else "failure")
        return result
