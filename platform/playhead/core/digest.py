"""Digests, each naming its recipe. A recipe is never changed; a new one gets a new name.

``d1`` is sha256 over canonical bytes; a prompt's digest is rolling over its messages' digests.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RECIPE = "d1"
ZERO = bytes(32)


def sha(data: bytes) -> bytes:
    """The raw sha256 of bytes."""
    return hashlib.sha256(data).digest()


def named(raw: bytes) -> str:
    """A raw digest as it is shown and stored: ``d1:<hex>``."""
    return f"{RECIPE}:{raw.hex()}"


def of_value(value: Any) -> str:
    """The named digest of a JSON value."""
    return named(sha(canonical.dumps(value)))


def roll(previous: bytes, messages: Iterable[bytes]) -> list[bytes]:
    """The rolling digests after each message digest, starting from ``previous``."""
    out = []
    sha256 = hashlib.sha256
    for digest in messages:
        previous = sha256(previous + digest).digest()
        out.append(previous)
    return out


def fingerprint(prompt: bytes, tools: bytes, params: bytes) -> str:
    """What a model request is, in one word: digests of prompt, tools and parameters."""
    return named(sha(prompt + tools + params))


def snapshot(state: bytes, transcript: bytes, count: int, names: Sequence[str]) -> str:
    """The digest of an activation's snapshot after a step.

    Args:
        state: canonical bytes of what strategy and middleware keep.
        transcript: the rolling digest of its ``count`` messages.
        names: the strategy and the middlewares, in order.
    """
    about = f"\n{count}\n{'|'.join(names)}\n".encode()
    return named(sha(b"".join((state, about, transcript))))
