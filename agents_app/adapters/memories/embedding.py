"""Embeddings: a text as numbers. A plug-in brings a model's; the one here needs none."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Awaitable, Callable, Sequence
from operator import mul

from agents_app.engine.words import words_of

#: Texts to vectors, all of one length; it may ask a model.
Embed = Callable[[Sequence[str]], Awaitable[Sequence[Sequence[float]]]]
_DIMENSIONS = 256


async def hashed_words(texts: Sequence[str]) -> list[list[float]]:
    """Vectors that are alike when texts share words or parts of words: no model, no service."""
    return [_hashed(text) for text in texts]


def _hashed(text: str) -> list[float]:
    vector = [0.0] * _DIMENSIONS
    for word in words_of(text):
        padded = f"<{word}>"
        pieces = [padded[at : at + 3] for at in range(max(1, len(padded) - 2))]
        for piece in (padded, *pieces):
            mark = hashlib.blake2b(piece.encode(), digest_size=4).digest()
            sign = 1.0 if mark[3] & 1 else -1.0
            vector[int.from_bytes(mark[:2]) % _DIMENSIONS] += sign
    return vector


def unit(vector: Sequence[float]) -> array[float]:
    """The vector at length 1, so that a product of two is their cosine; of zeros, as it is."""
    length = sum(map(mul, vector, vector)) ** 0.5
    return array("f", [x / length for x in vector] if length else vector)


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """How alike two unit vectors are; 0 for vectors of different lengths, which tell nothing."""
    return sum(map(mul, a, b)) if len(a) == len(b) else 0.0
