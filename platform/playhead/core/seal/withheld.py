"""For texts of our own that quote what is outside: a secret in them is taken out for good.

The message of an exception, a guard's note, a reason: they are never opened again, so nothing is
put into the vault, and the same text gives the same result wherever it is computed again.
"""

from __future__ import annotations

from typing import Any

from playhead.core.detect import find_secrets


def withhold(value: Any) -> Any:
    """The JSON value with ``[REDACTED:type]`` where a secret stood in a text of it."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {key: withhold(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [withhold(each) for each in value]
    return value


def has_secret(value: Any) -> bool:
    """Whether a text of the JSON value holds a secret."""
    return bool(withhold(value) != (list(value) if isinstance(value, tuple) else value))


def _text(text: str) -> str:
    pieces, at = [], 0
    for found in find_secrets(text):
        pieces += [text[at : found.start], f"[REDACTED:{found.type}]"]
        at = found.end
    return "".join([*pieces, text[at:]]) if pieces else text
