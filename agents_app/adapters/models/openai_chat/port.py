"""The model port over OpenAI chat completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from agents_app.adapters.models.openai_account import OpenAIModel
from agents_app.adapters.models.openai_chat.collect import Collected
from agents_app.adapters.models.openai_chat.wire import body_of

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest


class OpenAIChat(OpenAIModel):
    """One model behind chat completions, of OpenAI or of any server that speaks them."""

    provider: ClassVar[str] = "openai"

    async def _create(self, client: Any, request: ModelRequest) -> Any:
        return await client.chat.completions.create(**body_of(request, self.model))

    def _collected(self) -> Collected:
        return Collected()
