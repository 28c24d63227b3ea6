"""The model port over Anthropic messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from agents_app.adapters.models.anthropic_messages.body import body_of
from agents_app.adapters.models.anthropic_messages.collect import Collected
from agents_app.adapters.models.clients import client_options
from agents_app.adapters.models.streaming import StreamingModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agents_app.engine.ports import ModelRequest

ANTHROPIC_URL = "https://api.anthropic.com"


class AnthropicMessages(StreamingModel):
    """One model behind messages, of Anthropic or of any server that speaks them.

    Args:
        base_url: without the ``/v1`` of the path.
    """

    provider: ClassVar[str] = "anthropic"
    key_name: ClassVar[str] = "ANTHROPIC_API_KEY"

    def __init__(self, model: str = "claude-sonnet-4-5", **options: Any) -> None:
        super().__init__(model, **options)

    def _sdk(self) -> Any:
        import anthropic

        return anthropic

    def _client(self, key: str) -> Any:
        sdk = self._sdk()
        url = (self.base_url or ANTHROPIC_URL).rstrip("/").removesuffix("/v1")
        # Servers that learnt the protocol earlier look for the key where it was then.
        older = {"X-Api-Key": key} if self.base_url else {}
        return sdk.AsyncAnthropic(
            api_key=key, base_url=url, default_headers=older, **client_options(sdk)
        )

    async def _create(self, client: Any, request: ModelRequest) -> Any:
        return await client.messages.create(**body_of(request, self.model))

    async def _events(self, stream: Any) -> AsyncIterator[Any]:
        """The events as they were sent: pings too, which say that the model is still at work."""
        async for event in stream.raw_events(stream.response):
            if event.data:
                yield event.json()

    def _collected(self) -> Collected:
        return Collected()
