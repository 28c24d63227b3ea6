"""Logging: what goes to the model, what comes back, and which tools ran, in one line each."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from agents_app.engine.loop.hooks import current
from playhead.core.ids import new_token
from playhead.core.mask import mask

if TYPE_CHECKING:
    from agents_app.engine.messages import Message, ToolCall, ToolResult

#: Of an answer only the beginning is logged (characters).
SHOWN = 100
#: An address that begins in what is shown ends within so many characters.
_BEYOND = 400


class LoggingMiddleware:
    """Writes a line for each model call and each tool call to the log of the process.

    Args:
        level: of the lines.
        shown: characters of an answer that stand there, with personal data masked.
    """

    name = "logging"

    def __init__(
        self,
        level: Literal["info", "debug"] = "info",
        shown: Annotated[int, Field(ge=0, le=10_000)] = SHOWN,
    ) -> None:
        self._log = logging.getLogger("playhead.agent")
        self._level = logging.INFO if level == "info" else logging.DEBUG
        self._shown = shown
        self._key = new_token().encode()  # nobody can find out by trying what a mark stands for

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        self._say("model call with %d messages", len(messages))
        return messages

    async def after_llm_call(self, response: Message) -> Message:
        if self._wanted():
            text, _ = mask(response.content[: self._shown + _BEYOND], key=self._key)
            self._say("model answered: %s", text[: self._shown])
        return response

    async def before_tool_call(self, tool_call: ToolCall) -> ToolCall:
        self._say("tool call: %s", tool_call.name)
        return tool_call

    async def after_tool_call(self, result: ToolResult) -> ToolResult:
        self._say("tool result: %s", "success" if result.success else "failure")
        return result

    def _wanted(self) -> bool:
        return not current().replaying and self._log.isEnabledFor(self._level)

    def _say(self, text: str, *given: object) -> None:
        if self._wanted():
            here = current()
            where = {"session": here.session, "agent": here.agent, "step": here.step}
            self._log.log(self._level, text, *given, extra=where)
