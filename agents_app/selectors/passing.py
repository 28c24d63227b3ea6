"""Stream text for eyes that do not see personal data: masked piece by piece.

A piece of a text can't be masked alone, so what could still become a telephone number or an address
is held back until it is decided; the last word waits for the event with the whole text.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any

from agents_app.adapters.doors import mask_key
from playhead.core.detect import PERSONAL
from playhead.core.seal import Sealer, StreamGuard

#: Streams of one session that are remembered: more than run at once.
STREAMS = 64
_BOUNDARY = re.compile(r"\s")


class MaskedStreams:
    """The streams of one session, each masked from its beginning or from a word's."""

    def __init__(self) -> None:
        self._streams: OrderedDict[tuple[Any, ...], _Stream] = OrderedDict()

    def take(self, delta: dict[str, Any]) -> dict[str, Any] | None:
        """The delta that may be shown now for one that came, or ``None``."""
        key = (delta["request"], delta["attempt"], delta["part"])
        stream = self._streams.setdefault(key, _Stream())
        self._streams.move_to_end(key)
        while len(self._streams) > STREAMS:
            self._streams.popitem(last=False)
        at, text = stream.take(delta["at"], delta["text"])
        return {**delta, "at": at, "text": text} if text else None


class _Stream:
    """One text. ``at`` counts what was shown, since markers have lengths of their own."""

    def __init__(self) -> None:
        self._guard = StreamGuard(Sealer(mask_key(), {}, personal=PERSONAL))
        self._next: int | None = 0
        self._at = 0

    def take(self, at: int, text: str) -> tuple[int, str]:
        length = len(text)
        if at != self._next:  # came in the middle, or a piece was lost: begin with a whole word
            gap = _BOUNDARY.search(text)
            self._guard = StreamGuard(Sealer(mask_key(), {}, personal=PERSONAL))
            text = text[gap.end() :] if gap else ""
            self._at = max(self._at, at)
            if not gap:
                return self._at, ""
        self._next = at + length
        out, start = self._guard.feed(text), self._at
        self._at += len(out)
        return start, out
