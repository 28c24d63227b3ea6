"""The arguments of a call, which a model writes as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playhead.core import canonical

if TYPE_CHECKING:
    from agents_app.engine.messages import ToolCall


def parse_arguments(text: str) -> tuple[dict[str, Any], str | None]:
    """The arguments of a call, and the text itself where it is no JSON object.

    No text and ``null`` are no arguments. An object that was encoded twice is one. A list, a
    number, truncated or otherwise broken JSON is kept as it came, for an error that the model
    can act on.
    """
    if not text.strip():
        return {}, None
    value: Any = text
    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                return {}, text
    if value is None:
        return {}, None
    return (value, None) if isinstance(value, dict) else ({}, text)


def arguments_text(call: ToolCall) -> str:
    """The arguments of a call as text: what the model wrote where that was no JSON object."""
    return call.raw if call.raw is not None else canonical.dumps(call.arguments).decode()
