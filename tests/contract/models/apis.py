"""The APIs that the suite runs on: the adapter, and what differs in the provider's own words."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.anthropic_messages import AnthropicMessages
from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.adapters.models.openai_responses import OpenAIResponses
from agents_app.adapters.models.scripted import Reply, Rule, Script
from agents_app.engine.messages import Message
from agents_app.engine.ports import Delta, ModelReply, ModelRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.adapters.models.scripted import View
    from agents_app.adapters.models.streaming import StreamingModel
    from agents_app.testing.model_server import ModelServer

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
TOOLS = (TOOL, {"type": "function", "function": {"name": "pay", "parameters": {"type": "object"}}})


@dataclass(frozen=True)
class Api:
    """One API. ``stops`` are its words for an end by itself, by calls, by length."""

    adapter: type[StreamingModel]
    path: str
    stops: tuple[str, str, str]
    #: Parameters with which a model tells what it thinks.
    thinks: dict[str, Any] = field(default_factory=dict)

    def model(self, server: ModelServer | str, **options: Any) -> StreamingModel:
        """A model at a server."""
        url = server if isinstance(server, str) else server.url
        return self.adapter("some-model", api_key="k", base_url=url, **{"idle": 5, **options})

    async def ask(
        self, server: ModelServer | str, request: ModelRequest | None = None, **options: Any
    ) -> tuple[ModelReply, list[Delta]]:
        """Ask once."""
        deltas: list[Delta] = []
        model = self.model(server, **options)
        try:
            return await model.respond(request or asking(), deltas.append), deltas
        finally:
            await model.aclose()


CHAT = Api(OpenAIChat, "/v1/chat/completions", ("stop", "tool_calls", "length"))
RESPONSES = Api(
    OpenAIResponses,
    "/v1/responses",
    ("completed", "completed", "max_output_tokens"),
    {"reasoning": {"effort": "medium", "summary": "auto"}},
)
MESSAGES = Api(
    AnthropicMessages,
    "/v1/messages",
    ("end_turn", "tool_use", "max_tokens"),
    {"thinking": {"type": "enabled", "budget_tokens": 1024}},
)
APIS = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES}


def asking(*messages: Message, **options: Any) -> ModelRequest:
    """A request with two tools."""
    return ModelRequest(messages or (Message("user", "Hello?"),), TOOLS, **options)


def script(*replies: Reply | Callable[[View], Reply]) -> Script:
    """The replies in order, one a request, whatever is asked; the last one for ever."""
    count = itertools.count()

    def answer(view: View) -> Reply:
        chosen = replies[min(next(count), len(replies) - 1)]
        return chosen(view) if callable(chosen) else chosen

    return Script([Rule(lambda _: True, answer)], pace=0)


def sent(server: ModelServer, place: int = -1) -> Any:
    """A body that the server got."""
    return json.loads(server.bodies[place])
