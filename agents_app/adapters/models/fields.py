"""Fields of what a provider sent: servers leave out what they like, and send what they like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def field_of(source: Any, name: str) -> Any:
    """A field of an SDK's object or of raw JSON, ``None`` where there is none."""
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


def text_of(source: Any, name: str) -> str:
    """A field that is text, else the empty text."""
    value = field_of(source, name)
    return value if isinstance(value, str) else ""


def count_of(source: Any, name: str) -> int | None:
    """A field that counts something; unknown is ``None``."""
    value = field_of(source, name)
    return value if isinstance(value, int) and value >= 0 else None
