"""The search for secrets in one text, and how much of a growing text is decided."""

from __future__ import annotations

from playhead.core.detect.credentials import (
    find_credentials,
    find_key_blocks,
    key_block_open_from,
    may_hold_credentials,
)
from playhead.core.detect.finding import MARKER, Finding, merge
from playhead.core.detect.named import (
    find_authorization,
    find_named,
    has_sign,
    may_hold_names,
    named_open_from,
)

_KEY_BLOCK_HINT = "-----BEGIN"
NO_NAMES: frozenset[str] = frozenset()
_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def may_hold_secrets(text: str, names: frozenset[str] = NO_NAMES) -> bool:
    """Whether a closer look at a text, or at several joined by line ends, is worth its time.

    Substring searches only; never false for a text in which ``find_secrets`` finds something.
    """
    lower = _lower(text)
    if may_hold_credentials(lower) or _KEY_BLOCK_HINT in text:
        return True
    if not has_sign(lower):
        return False
    return may_hold_names(lower, names) or "authorization" in lower


def find_secrets(text: str, names: frozenset[str] = NO_NAMES) -> list[Finding]:
    """The secrets of a text, in order, without overlap.

    ``names``: further field names (lower case) whose values are secret. The time is linear in the
    text; a text without any sign of a secret costs some substring searches.
    """
    lower = _lower(text)
    found = list(find_credentials(text, lower))
    if has_sign(lower):
        found += find_named(text, lower, names)
        if "authorization" in lower:
            found += find_authorization(text)
    if _KEY_BLOCK_HINT in text:
        found += find_key_blocks(text)
    if found and "[REDACTED:" in text:
        markers = [match.span() for match in MARKER.finditer(text)]
        found = [f for f in found if not any(a <= f.context < b for a, b in markers)]
    return merge(found) if len(found) > 1 else found


def secrets_open_from(text: str, names: frozenset[str] = NO_NAMES) -> int:
    """Where something begins that more text could still make a secret, beyond the last word.

    The last word of a stream is always open; this is about what has white space in it.
    """
    at = len(text)
    if '"' in text or "'" in text:
        at = named_open_from(text, _lower(text), names)
    if _KEY_BLOCK_HINT in text:
        at = min(at, key_block_open_from(text))
    return at


def _lower(text: str) -> str:
    """Lower case of the same length (``İ`` would become two)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.translate(_ASCII_LOWER)
