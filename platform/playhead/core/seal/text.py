"""Where the secrets of one text stand: found by detectors, or known already."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from playhead.core.detect import Finding, find_personal, find_secrets, names_a_secret
from playhead.core.detect.finding import MARKER, merge
from playhead.core.seal.book import is_short, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playhead.core.seal.book import Book

#: No secret with a form or with a name in front of it is shorter.
_SHORTEST_TEXT = 8
#: Values with more fields than these are seldom of one kind, and would fill the memory.
_FEW = 16
_NOTHING: frozenset[str] = frozenset()


class Cover(NamedTuple):
    """``text[start:end]`` is a secret; the text from ``context`` on was needed to tell.

    ``shown`` is what stands in its place, when that is not its own marker.
    """

    start: int
    end: int
    vault_id: str
    context: int
    secret: str
    shown: str = ""


class Looker:
    """Finds what to seal in a text.

    ``names``: further field names whose values are secret; ``personal``: kinds of personal data
    that the owner wants sealed too.
    """

    __slots__ = ("names", "personal")

    def __init__(self, names: Iterable[str] = (), personal: Iterable[str] = ()) -> None:
        self.names = frozenset(name.lower() for name in names) or _NOTHING
        self.personal = frozenset(personal) or _NOTHING

    def covers(
        self, text: str, book: Book, *, shift: int = 0, whole: Finding | None = None
    ) -> list[Cover]:
        """What to seal, in order; ``book`` learns each new secret for the text behind it.

        Read from left to right, so that a text that arrives in pieces gives the same.
        ``shift``: the place of the text in its stream. ``whole``: found by the name of the field.
        """
        spans = self.findings(text, book, shift=shift, whole=whole)
        covers: list[Cover] = []
        for place, span in enumerate(spans):
            secret = text[span.start : span.end]
            vault_id = book.name(span.type, secret)
            cover = Cover(span.start, span.end, vault_id, span.context, secret)
            covers.append(cover)
            if forms := self.learn(book, cover, shift):  # all others were looked for before
                again = _known(text, book, span.end, shift, forms)
                spans[place + 1 :] = merge([*spans[place + 1 :], *again])
        return covers

    def findings(
        self, text: str, book: Book, *, shift: int = 0, whole: Finding | None = None
    ) -> list[Finding]:
        """What the detectors find and what is known already; nothing is learnt."""
        found = _found(text, self.names, self.personal)
        if whole:
            found.append(whole)
        found += _known(text, book, 0, shift)
        return merge(found) if len(found) > 1 else found

    def learn(self, book: Book, cover: Cover, shift: int) -> list[str]:
        """Let a book know a secret; the forms that it brings, which more text may hold."""
        if cover.secret in book.ids:
            return []
        before, since = len(book.since), shift + cover.end
        book.learn(cover.vault_id, cover.secret, since)
        plain = _unescaped(cover.secret)
        if plain is not None and plain not in book.ids:
            book.learn(book.name(type_of(cover.vault_id), plain), plain, since)
        return list(islice(book.since, before, None))


@lru_cache(maxsize=4096)
def looks_secret(name: str, names: frozenset[str], personal: frozenset[str]) -> bool:
    """Whether a name holds a secret that its own letters tell: names come again and again."""
    return bool(_found(name, names, personal))


def are_telling(together: tuple[str, ...], names: frozenset[str]) -> bool:
    """Whether any of the names that the fields of one value have is telling."""
    return (_few_are_telling if len(together) <= _FEW else _any_is_telling)(together, names)


def _any_is_telling(together: tuple[str, ...], names: frozenset[str]) -> bool:
    return any(is_telling(name, names) for name in together)


#: The same few names stand together again and again: in messages, calls, results.
_few_are_telling = lru_cache(maxsize=1024)(_any_is_telling)


@lru_cache(maxsize=4096)
def is_telling(name: str, names: frozenset[str]) -> bool:
    """Whether the name of a field holds a secret, or says that its value does."""
    return names_a_secret(name, names) is not None or looks_secret(name, names, _NOTHING)


def _found(text: str, names: frozenset[str], personal: frozenset[str]) -> list[Finding]:
    if len(text) < _SHORTEST_TEXT:
        return []
    found = find_secrets(text, names)
    if personal:
        found += find_personal(text, personal)
    return found


def _known(
    text: str, book: Book, start: int, shift: int, forms: Iterable[str] | None = None
) -> list[Finding]:
    found = [
        (Finding(at, end, book.types[form], at), form)
        for at, end, form in book.occurrences(text, start, shift, forms)
    ]
    if not found or "[REDACTED:" not in text:
        return [span for span, _ in found]
    markers = [match.span() for match in MARKER.finditer(text)]
    return [
        span
        for span, form in found
        if not is_short(form) or not any(a < span.end and span.start < b for a, b in markers)
    ]


def _unescaped(secret: str) -> str | None:
    """The value that JSON text would give, when that is another one."""
    if "\\" not in secret:
        return None
    try:
        plain = json.loads(f'"{secret}"')
    except ValueError:
        return None
    return plain if isinstance(plain, str) and plain != secret else None
