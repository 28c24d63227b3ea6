"""What is known to be secret in a session tree, and how it is named."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from playhead.core.detect.finding import DELIMITER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Where a stream of text is cut into what a detector sees as words.
GAP = re.compile(f"[{DELIMITER}]")

_HASH_BYTES = 16
_VAULT_ID = re.compile(r"v_(?P<type>[a-z_]{1,24})_[0-9a-f]{32}")
#: Shorter than this, a known secret is sealed only where it stands as a word of its own, and not
#: within what looks like a marker; no marker holds more letters in a row that are not its hash.
_DISTINCT = 16
_WORDLIKE = 8
_SHORTEST = 4


class Book:
    """The known secrets: vault ids by text; of each form to look for, its type and since where.

    Args:
        key: the root's marker key. Hashes are HMAC-SHA256 under it, cut to 128 bits: the same
            secret has the same marker within a tree and tells nothing elsewhere.
        known: vault id to secret.
    """

    __slots__ = ("ids", "key", "since", "spaced", "types")

    def __init__(self, key: bytes, known: Mapping[str, str]) -> None:
        self.key = key
        self.ids: dict[str, str] = {secret: vault_id for vault_id, secret in known.items()}
        self.since: dict[str, int] = {}
        self.types: dict[str, str] = {}
        self.spaced: tuple[str, ...] = ()
        for secret, vault_id in self.ids.items():
            self._spread(secret, type_of(vault_id), 0)

    def copy(self) -> Book:
        """A book that may learn without this one knowing."""
        other = Book.__new__(Book)
        other.key, other.ids = self.key, dict(self.ids)
        other.since, other.types = dict(self.since), dict(self.types)
        other.spaced = self.spaced
        return other

    def name(self, type_: str, secret: str) -> str:
        """The vault id of a secret; the first type that it was found as stays its type."""
        known = self.ids.get(secret)
        if known is not None:
            return known
        data = secret.encode("utf-8", "surrogatepass")
        digest = hmac.new(self.key, data, hashlib.sha256).digest()[:_HASH_BYTES]
        return f"v_{type_}_{digest.hex()}"

    def learn(self, vault_id: str, secret: str, since: int = 0) -> None:
        """From ``since`` on, seal this secret wherever it appears."""
        self.ids[secret] = vault_id
        self._spread(secret, type_of(vault_id), since)

    def occurrences(
        self, text: str, start: int, shift: int, forms: Iterable[str] | None = None
    ) -> Iterator[tuple[int, int, str]]:
        """Where known secrets stand in ``text`` from ``start`` on: start, end, and the known form.

        ``shift``: the place of ``text[0]`` in the stream, against which ``since`` is counted.
        ``forms``: look for these only, by default for all.
        """
        for form in self.since if forms is None else forms:
            at = text.find(form, max(start, self.since[form] - shift))
            while at >= 0:
                end = at + len(form)
                if _stands_alone(text, at, end, form):
                    yield at, end, form
                    at = text.find(form, end)
                else:
                    at = text.find(form, at + 1)

    def open_from(self, text: str, start: int) -> int:
        """Where a known secret with white space in it may have begun, else the text's length."""
        at = len(text)
        for form in self.spaced:
            for length in range(min(len(form) - 1, len(text) - start), 0, -1):
                if text.endswith(form[:length]):
                    at = min(at, len(text) - length)
                    break
        return at

    def _spread(self, secret: str, type_: str, since: int) -> None:
        """Take in the forms under which a secret turns up in other texts."""
        if not spreads(secret):
            return
        escaped = json.dumps(secret, ensure_ascii=False)[1:-1]
        forms = (
            secret,
            escaped,
            json.dumps(secret)[1:-1],
            quote(secret, safe="", errors="replace"),
        )
        for form in forms:
            if form not in self.since and GAP.search(form):
                self.spaced += (form,)
            self.since.setdefault(form, since)
            self.types.setdefault(form, type_)


def type_of(vault_id: str) -> str:
    """The type that a vault id names."""
    match = _VAULT_ID.fullmatch(vault_id)
    return match["type"] if match else "secret"


def marker(vault_id: str) -> str:
    """What stands in place of the secret with this id."""
    return f"[REDACTED:{type_of(vault_id)}:{vault_id[-2 * _HASH_BYTES :]}]"


def spreads(secret: str) -> bool:
    """Whether a secret is sealed wherever it appears: a short word of every text is not."""
    if len(secret.strip()) < _SHORTEST:
        return False
    return len(secret) >= 6 or not secret.isalpha()


def is_short(secret: str) -> bool:
    """Whether a known secret is so short that a marker's own letters could hold it."""
    return len(secret) < _DISTINCT


def _stands_alone(text: str, start: int, end: int, form: str) -> bool:
    """Whether it is no part of a longer word, where a short or a plain word is looked for."""
    if len(form) >= _WORDLIKE and not form.isalpha():
        return True
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return not (_joins(before, form[0]) or _joins(form[-1], after))


def _joins(left: str, right: str) -> bool:
    return left.isascii() and left.isalnum() and right.isascii() and right.isalnum()
