"""OpenAI chat completions, and whatever speaks their protocol at another base URL."""

from agents_app.adapters.models.openai_chat.port import OpenAIChat
from agents_app.adapters.models.openai_chat.wire import from_openai, to_openai_format

__all__ = ["OpenAIChat", "from_openai", "to_openai_format"]
