"""Anthropic messages, and whatever speaks their protocol at another base URL."""

from agents_app.adapters.models.anthropic_messages.port import AnthropicMessages
from agents_app.adapters.models.anthropic_messages.wire import from_anthropic, to_anthropic_format

__all__ = ["AnthropicMessages", "from_anthropic", "to_anthropic_format"]
