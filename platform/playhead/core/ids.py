"""Ids: random ones for what is created, derived ones for what a replay must find again."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def _base32(number: int, digits: int) -> str:
    out = []
    for _ in range(digits):
        number, rest = divmod(number, 32)
        out.append(_ALPHABET[rest])
    return "".join(reversed(out))


def new_id(prefix: str) -> str:
    """A new id, ordered by creation: ``<prefix>_`` and 26 characters (48 bits ms, 80 random)."""
    millis = time.time_ns() // 1_000_000
    return f"{prefix}_{_base32((millis << 80) | secrets.randbits(80), 26)}"


def new_token(nbytes: int = 32) -> str:
    """A bearer secret of ``nbytes`` random bytes, url-safe."""
    return secrets.token_urlsafe(nbytes)


def new_seed() -> str:
    """The seed of a session: 128 bits, hexadecimal."""
    return secrets.token_hex(16)


def derived_id(prefix: str, *parts: object) -> str:
    """An id that follows from its parts alone, so that a replay arrives at the same one."""
    text = "\x1f".join(str(part) for part in parts)
    return f"{prefix}_{hashlib.sha256(text.encode()).hexdigest()[:24]}"


def derived_random(seed: str, scope: str, ordinal: int) -> int:
    """64 random bits that follow from (seed, scope, ordinal)."""
    message = f"{scope}\x1f{ordinal}".encode()
    return int.from_bytes(hmac.digest(seed.encode(), message, "sha256")[:8], "big")
