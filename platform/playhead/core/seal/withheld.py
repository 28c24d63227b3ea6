"""For what the loop says by itself: a secret in it is taken out for good.

The message of an exception, a guard's note, a state, a strategy's plan: they are never opened
again, so nothing is put into the vault, and the same value gives the same result wherever it is
computed again, in a replay that has no key too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core.detect import find_secrets
from playhead.core.seal.sealer import Withholder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playhead.core.seal.sealer import SealSpan

_WITHHOLDER = Withholder()


def withhold(value: Any) -> Any:
    """The JSON value with ``[REDACTED:type]`` where a secret stood in it, in a name too.

    What the name of a field says to be secret is one. A clean value comes back as it is.
    """
    if isinstance(value, str):
        return withhold_text(value)
    return withhold_around(list(value) if isinstance(value, tuple) else value, ())[0]


def withhold_around(value: Any, spans: Iterable[SealSpan]) -> tuple[Any, list[SealSpan]]:
    """The same for a value in which ``spans`` are sealed already, and where these stand then."""
    sealed = _WITHHOLDER.seal(value, spans=spans)
    return sealed.value, sealed.spans


def withhold_texts(value: Any) -> Any:
    """The same by the texts alone: in a schema the name of a field says nothing of its value."""
    if isinstance(value, str):
        return withhold_text(value)
    if isinstance(value, dict):
        return {key: withhold_texts(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [withhold_texts(each) for each in value]
    return value


def has_secret(value: Any) -> bool:
    """Whether the JSON value holds a secret."""
    return bool(withhold(value) != (list(value) if isinstance(value, tuple) else value))


def withhold_text(text: str) -> str:
    """The text with ``[REDACTED:type]`` where a secret stood."""
    pieces, at = [], 0
    for found in find_secrets(text):
        pieces += [text[at : found.start], f"[REDACTED:{found.type}]"]
        at = found.end
    return "".join([*pieces, text[at:]]) if pieces else text
