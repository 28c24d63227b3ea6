"""JSON within the text of a model: with prose around it, in a fence, or alone."""

from __future__ import annotations

import json
from typing import Any

_decoder = json.JSONDecoder()


def first_json(text: str, start: int = 0) -> tuple[Any, int] | None:
    """The first object or list in a text, and where it ends; ``None`` when there is none."""
    for place in range(start, len(text)):
        if text[place] in "{[":
            try:
                value, end = _decoder.raw_decode(text, place)
            except (ValueError, RecursionError):
                continue
            return value, end
    return None
