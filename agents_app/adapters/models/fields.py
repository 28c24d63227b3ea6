"""Fields of what a provider sent: servers leave out what they like, and send what they like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Tokens that one answer may have: what is said to be more is no count, and no column takes it.
MOST = 2**31 - 1


def field_of(source: Any, name: str) -> Any:
    """A field of an SDK's object or of raw JSON, ``None`` where there is none."""
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


def text_of(source: Any, name: str) -> str:
    """A field that is text, else the empty text."""
    value = field_of(source, name)
    return value if isinstance(value, str) else ""


def count_of(source: Any, name: str) -> int | None:
    """A field that counts something; unknown, or beyond all counting, is ``None``."""
    value = field_of(source, name)
    return value if type(value) is int and 0 <= value <= MOST else None
