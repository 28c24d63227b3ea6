"""What both APIs of OpenAI have in common: the SDK, the account and the address."""

from __future__ import annotations

from typing import Any, ClassVar

from agents_app.adapters.models.clients import client_options
from agents_app.adapters.models.streaming import StreamingModel


class OpenAIModel(StreamingModel):
    """One model of OpenAI, or of any server that speaks its protocols."""

    key_name: ClassVar[str] = "OPENAI_API_KEY"

    def __init__(self, model: str = "gpt-4o", **options: Any) -> None:
        super().__init__(model, **options)

    def _sdk(self) -> Any:
        import openai

        return openai

    def _client(self, key: str) -> Any:
        sdk = self._sdk()
        return sdk.AsyncOpenAI(api_key=key, base_url=self.base_url, **client_options(sdk))
