"""OpenAI responses, and whatever speaks their protocol at another base URL."""

from agents_app.adapters.models.openai_responses.port import OpenAIResponses
from agents_app.adapters.models.openai_responses.wire import from_responses, to_responses_format

__all__ = ["OpenAIResponses", "from_responses", "to_responses_format"]
