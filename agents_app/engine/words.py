"""Words of a text, for finding it again: letters in lower case, Chinese in pairs of characters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: Writing without spaces between words: Chinese, Japanese, Korean.
_JOINED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE = re.compile(f"[{_JOINED}]+|[^\\W_{_JOINED}]+")
_IS_JOINED = re.compile(f"[{_JOINED}]")
#: Words of every text, that tell nothing about one.
_COMMON = frozenset(
    "a an and are as at be by can do for from has have how i if in is it its me my not of on or "
    "please that the then there this to was we what when where which who will with you your".split()
)
_LONGEST = 64
#: Characters of a text whose words are kept: as many as a memory of one turn, or a tool, has.
_SHORT = 5000


def words_of(text: str) -> list[str]:
    """The words of a text in order, repeated as they stand.

    What is written without spaces gives each pair of neighbours (``退款单`` → ``退款``,
    ``款单``), so that a part of it is found in a longer text. A plural ``s`` is dropped.
    """
    found: list[str] = []
    for match in _PIECE.finditer(unicodedata.normalize("NFKC", text).casefold()):
        piece = match.group()
        if _IS_JOINED.match(piece):
            found += _pairs(piece)
        elif piece not in _COMMON:
            found.append(_singular(piece[:_LONGEST]))
    return found


def word_set(text: str) -> frozenset[str]:
    """The different words of a text; of one that is short they are kept for the next time."""
    return _kept(text) if len(text) <= _SHORT else frozenset(words_of(text))


@lru_cache(maxsize=512)
def _kept(text: str) -> frozenset[str]:
    return frozenset(words_of(text))


def _pairs(piece: str) -> list[str]:
    if len(piece) == 1:
        return [piece]
    return [piece[at : at + 2] for at in range(len(piece) - 1)]


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word
