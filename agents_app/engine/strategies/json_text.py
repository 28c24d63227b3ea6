"""JSON within the text of a model: with prose around it, in a fence, or alone."""

from __future__ import annotations

import json
import re
from typing import Any

from playhead.core.sanitise import sanitise

_decoder = json.JSONDecoder()
_OPENING = re.compile(r"[{\[]")
#: Where a text has so many brackets that begin no JSON, none of them is looked for any more: the
#: model's text must not cost more than its length.
_PLACES = 256
_READINGS = 8


def first_json(text: str, start: int = 0) -> tuple[Any, int] | None:
    """The first object or list in a text, and where it ends; ``None`` when there is none."""
    room = _READINGS * len(text)
    for tried, place in enumerate(_OPENING.finditer(text, start)):
        if tried == _PLACES or room < 0:
            return None
        at = place.start()
        try:
            value, end = _decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            room -= error.pos - at
        except (ValueError, RecursionError):
            room -= len(text) - at
        else:
            return sanitise(value)[0], end
    return None
