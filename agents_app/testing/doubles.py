"""Stand-ins for a model, a tool and a store, in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import Message, ToolResult
from agents_app.engine.ports import Delta, ModelReply, ModelRequest, OnDelta
from agents_app.engine.states import MemoryStateStore
from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

InMemoryStateStore = MemoryStateStore


class ScriptExhausted(PlayheadError):
    """The model was asked more often than it has responses."""

    code = "script_exhausted"


class ScriptedModel:
    """Gives its responses in order, one a call, whatever it is asked.

    It is a full ``ModelPort`` and the small ``LLMPort``. ``requests`` holds what it was asked.
    Answers that depend on the prompt are a ``Script``'s (``agents_app.adapters.models.scripted``).

    Raises:
        ScriptExhausted: asked once more than there are responses.
    """

    def __init__(self, responses: Sequence[Message]) -> None:
        self.responses = list(responses)
        self.requests: list[list[Message]] = []

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]] | None = None
    ) -> Message:
        """The next response."""
        place = len(self.requests)
        self.requests.append(list(messages))
        if place >= len(self.responses):
            raise ScriptExhausted(
                f"The scripted model was asked once more than its {len(self.responses)} responses."
            )
        return self.responses[place]

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]] | None = None
    ) -> AsyncIterator[str]:
        """The text of the next response, at once."""
        yield (await self.complete(messages, tools)).content

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """The next response, as a reply. Its usage is unknown."""
        message = await self.complete(request.messages, request.tools)
        if message.content:
            on_delta(Delta("text", message.content))
        return ModelReply(message, stop_reason="tool_calls" if message.calls else "stop")


MockLLMAdapter = ScriptedModel


class MockTool:
    """A tool of this name that answers ``result``; ``calls`` holds the arguments it was given."""

    def __init__(self, name: str, result: str = "ok") -> None:
        self._name, self.result = name, result
        self.calls: list[dict[str, Any]] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def schema(self) -> dict[str, Any]:
        """A function without declared parameters."""
        function = {
            "name": self._name,
            "description": f"Mock tool {self._name}",
            "parameters": {"type": "object", "properties": {}},
        }
        return {"type": "function", "function": function}

    async def execute(self, arguments: dict[str, Any]) -> ToolResult:
        """Note the arguments and answer."""
        self.calls.append(arguments)
        return ToolResult(tool_call_id="", content=self.result, success=True)
