"""Secrets leave a value where it enters, and come back by position at the ports.

``Sealer.seal`` puts ``[REDACTED:type:hash]`` where a secret stands and says where (``spans``);
``unseal`` puts the values back at these places and nowhere else: a text that merely looks like a
marker is text. ``StreamGuard`` does the same to a text that is still arriving, ``ArgumentsGuard``
to the arguments of a call.
"""

from playhead.core.seal.opening import SecretGone, unseal
from playhead.core.seal.sealer import Sealed, Sealer
from playhead.core.seal.stream import ArgumentsGuard, StreamGuard
from playhead.core.seal.withheld import (
    has_secret,
    withhold,
    withhold_around,
    withhold_texts,
)

__all__ = [
    "ArgumentsGuard",
    "Sealed",
    "Sealer",
    "SecretGone",
    "StreamGuard",
    "has_secret",
    "unseal",
    "withhold",
    "withhold_around",
    "withhold_texts",
]
