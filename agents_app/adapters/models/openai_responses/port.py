"""The model port over OpenAI responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from agents_app.adapters.models.openai_account import OpenAIModel
from agents_app.adapters.models.openai_responses.body import body_of
from agents_app.adapters.models.openai_responses.collect import Collected

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest


class OpenAIResponses(OpenAIModel):
    """One model behind responses, of OpenAI or of any server that speaks them."""

    provider: ClassVar[str] = "openai-responses"

    async def _create(self, client: Any, request: ModelRequest) -> Any:
        return await client.responses.create(**body_of(request, self.model))

    def _collected(self) -> Collected:
        return Collected()
