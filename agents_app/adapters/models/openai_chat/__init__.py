"""OpenAI chat completions, and whatever speaks their protocol at another base URL."""

from agents_app.adapters.models.openai_chat.port import OpenAIChat

__all__ = ["OpenAIChat"]
