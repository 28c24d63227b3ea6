"""Seals a value of a session tree."""

from __future__ import annotations

import json
import re
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from playhead.core.detect import Finding, find_personal, may_hold_secrets, names_a_secret
from playhead.core.detect.field_names import keeps_promise
from playhead.core.detect.finding import MARKER
from playhead.core.immutable import immutable
from playhead.core.seal.book import Book, marker, spreads, type_of
from playhead.core.seal.text import Cover, Looker, are_telling, looks_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: ``[json pointer, start, end, vault id]``. The pointer leads to a string of the sealed value.
#: Start and end -1: the whole value was no string, and the vault holds its JSON text. A pointer
#: that begins with ``#`` means the name of the member that the rest leads to.
SealSpan = list[Any]

_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey)\s+", re.IGNORECASE)
_WHOLE = -1
#: What a tool's schema or its author says to be secret, whatever it looks like.
_DECLARED = "declared"
#: Texts that are shorter hold no secret that has a form.
_SHORTEST_TEXT = 8


@immutable(frozen=True, slots=True)
class Sealed:
    """A value without its secrets; where they stood; the new ones, vault id to type and secret."""

    value: Any
    spans: list[SealSpan] = field(default_factory=list)
    new: dict[str, tuple[str, str]] = field(default_factory=dict)


class Sealer:
    """Seals values with what a session tree knows.

    Args:
        key: the tree's marker key.
        known: vault id to secret, of everything that was sealed in the tree before.
        names: further field names whose values are secret (from the tools' declarations).
        personal: kinds of personal data to seal too, where the agent's owner wants it.
    """

    __slots__ = ("book", "key", "looker")

    def __init__(
        self,
        key: bytes,
        known: Mapping[str, str],
        *,
        names: Iterable[str] = (),
        personal: Iterable[str] = (),
    ) -> None:
        self.key = key
        self.book = Book(key, known)
        self.looker = Looker(names, personal)

    def _walk(self, book: Book, paths: frozenset[str], spans: list[SealSpan]) -> _Walk:
        return _Walk(self.looker, book, paths, spans)

    def seal(
        self, value: Any, *, secret_paths: Iterable[str] = (), spans: Iterable[SealSpan] = ()
    ) -> Sealed:
        """Replace every secret of a JSON value by its marker; a clean value comes back as it is.

        A secret that is found anywhere in the value is sealed everywhere in it. ``secret_paths``
        are JSON pointers to what is secret by declaration, whatever it looks like. ``spans`` say
        what is sealed in the value already; the spans of the result tell where it stands now.
        """
        spans = list(spans)
        paths = frozenset(secret_paths)
        if not spans and not paths and self._is_clean(value):
            return Sealed(value)
        book = self.book.copy()
        while True:
            known = len(book.ids)
            walk = self._walk(book, paths, spans)
            sealed = walk.value(value, _At(None))
            if len(book.ids) == known:
                break
            for form in book.since:
                book.since[form] = 0
        new = {i: (type_of(i), text) for text, i in book.ids.items() if text not in self.book.ids}
        return Sealed(sealed, walk.spans, new)

    def _is_clean(self, value: Any) -> bool:
        """Whether signs alone tell that nothing is to be sealed: nearly every value is clean.

        All texts are searched as one, so that a value costs few searches, however many it has.
        """
        texts: list[str] = []
        if self.looker.personal or not self._gather([value], texts):
            return False
        text = "\n".join(texts)
        if any(form in text for form in self.book.since):
            return False
        return not may_hold_secrets(text, self.looker.names)

    def _gather(self, values: Iterable[Any], texts: list[str]) -> bool:
        """Collect the texts of values; False where the name of a field asks for a closer look."""
        for value in values:
            kind = type(value)
            if kind is str:
                texts.append(value)
            elif kind is dict:
                if self._names_tell(value, texts) or not self._gather(value.values(), texts):
                    return False
            elif kind is list:
                if not self._gather(value, texts):
                    return False
            elif self.book.since and (kind is int or kind is float):
                texts.append(json.dumps(value))
        return True

    def _names_tell(self, names: Iterable[str], texts: list[str]) -> bool:
        if self.book.since:
            texts += names
        return are_telling(tuple(names), self.looker.names)


class Withholder(Sealer):
    """Takes secrets out for good: ``[REDACTED:type]`` stands in their place, and no vault has them.

    It needs no key and knows nothing, so the same value gives the same wherever it is computed.
    """

    def __init__(self) -> None:
        super().__init__(b"", {})

    def _walk(self, book: Book, paths: frozenset[str], spans: list[SealSpan]) -> _Walk:
        return _Withholding(self.looker, book, paths, spans)


class _Walk:
    """One pass over a value."""

    #: Whether what is taken out goes into the vault.
    keeps = True

    @staticmethod
    def mark(vault_id: str) -> str:
        """What stands in place of the secret with this id."""
        return marker(vault_id)

    def __init__(
        self, looker: Looker, book: Book, paths: frozenset[str], sealed: list[SealSpan]
    ) -> None:
        self.looker, self.book, self.paths = looker, book, paths
        self.spans: list[SealSpan] = []
        self.sealed: dict[str, list[SealSpan]] = {}
        for span in sealed:
            self.sealed.setdefault(span[0], []).append(span)
        self.shortest = min(map(len, book.since), default=_SHORTEST_TEXT)

    def value(self, value: Any, at: _At, promise: str | None = None) -> Any:
        """``promise``: what the name of the field says that this is."""
        if self.paths and at.was in self.paths:
            promise = _DECLARED
        kind = type(value)
        if kind is str:
            return self.text(value, at, promise)
        if kind is dict:
            return self._members(value, at, promise)
        if kind is list:
            items = [
                self.value(item, _At(at, str(i), str(i)), promise) for i, item in enumerate(value)
            ]
            return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
        if kind is int or kind is float:
            return self._number(value, at, promise)
        return value

    def text(self, value: str, at: _At, promise: str | None = None) -> str:
        already = self.sealed.get(at.was, []) if self.sealed else []
        if already and already[0][1] == _WHOLE:
            self.spans.append([at.now, *already[0][1:]])
            return value
        covers = self.looker.covers(value, self.book, whole=_whole(value, promise))
        if already:
            covers = _around(covers, value, already, self.book)
        if not covers:
            return value
        sealed, spans = self._render(covers, value)
        pointer = at.now
        self.spans += [[pointer, *span] for span in spans]
        return sealed

    def _number(self, value: float, at: _At, promise: str | None) -> Any:
        text = json.dumps(value)
        known = text in self.book.ids and spreads(text)
        if not known and promise not in (_DECLARED, "password"):
            promise = self._personal(text)
            if promise is None:
                return value
        vault_id = self.book.name(promise or "secret", text)
        self.book.learn(vault_id, text)
        if self.keeps:
            self.spans.append([at.now, _WHOLE, _WHOLE, vault_id])
        return self.mark(vault_id)

    def _personal(self, number: str) -> str | None:
        """The kind of personal data that a number is, where the owner wants those sealed."""
        kinds = self.looker.personal
        found = find_personal(number, kinds) if kinds else []
        return found[0].type if found and len(number) == found[0].end - found[0].start else None

    def _members(self, value: dict[str, Any], at: _At, promise: str | None) -> dict[str, Any]:
        # A name speaks of a value or a list of them; a declaration of everything below.
        inherited = promise if promise == _DECLARED else None
        out: dict[str, Any] = {}
        changed = False
        for key, item in value.items():
            name = self._name(key, at, value, out)
            says = names_a_secret(key, self.looker.names)
            out[name] = self.value(item, _At(at, key, name), inherited or says)
            changed = changed or name is not key or out[name] is not item
        return out if changed else value

    def _name(self, key: str, at: _At, siblings: dict[str, Any], named: dict[str, Any]) -> str:
        """The name of a member, sealed where it is or holds a secret; no other member's name."""
        own = _At(at, key, key)
        already = self.sealed.get(f"#{own.was}") if self.sealed else None
        if not already and not self._is_told_by(key):
            return key
        covers = self.looker.covers(key, self.book)
        name, spans = self._render(_around(covers, key, already or [], self.book), key)
        if name != key and (name in siblings or name in named):
            vault_id = self.book.name("secret", key)
            self.book.learn(vault_id, key)
            name = self.mark(vault_id)
            while name in siblings or name in named:
                name += "'"
            spans = [(0, len(name), vault_id)] if self.keeps else []
        pointer = f"#{_At(at, key, name).now}"
        self.spans += [[pointer, *span] for span in spans]
        return name

    def _is_told_by(self, key: str) -> bool:
        """Whether a name holds a secret: names are few, so it is asked once of each."""
        if looks_secret(key, self.looker.names, self.looker.personal):
            return True
        return len(key) >= self.shortest and any(form in key for form in self.book.since)

    def _render(self, covers: list[Cover], text: str) -> tuple[str, list[tuple[int, int, str]]]:
        """The text with what is covered replaced, and where that stands now."""
        out: list[str] = []
        spans = []
        done = length = 0
        for cover in covers:
            shown = cover.shown or self.mark(cover.vault_id)
            start = length + cover.start - done
            out += [text[done : cover.start], shown]
            length, done = start + len(shown), cover.end
            if cover.shown or self.keeps:
                spans.append((start, length, cover.vault_id))
        return "".join([*out, text[done:]]), spans


class _Withholding(_Walk):
    """A pass that keeps nothing of what it takes out."""

    keeps = False

    @staticmethod
    def mark(vault_id: str) -> str:
        return f"[REDACTED:{type_of(vault_id)}]"


class _At(NamedTuple):
    """Where the walk is: the names on the way, as they came and as they go out.

    Pointers are written only for what is sealed, which is hardly anything.
    """

    above: _At | None
    name: str = ""
    renamed: str = ""

    @property
    def was(self) -> str:
        """The JSON pointer into the value as it came."""
        return "" if self.above is None else f"{self.above.was}/{_escaped(self.name)}"

    @property
    def now(self) -> str:
        """The JSON pointer into the value as it goes out."""
        return "" if self.above is None else f"{self.above.now}/{_escaped(self.renamed)}"


def _around(covers: list[Cover], text: str, sealed: list[SealSpan], book: Book) -> list[Cover]:
    """What was found, less what is sealed already; that stays as it stands."""
    fixed = [Cover(s, e, vault_id, s, "", text[s:e]) for _, s, e, vault_id in sorted(sealed)]
    out = list(fixed)
    for cover in covers:
        at = cover.start
        for start, end in [*((f.start, f.end) for f in fixed), (cover.end, cover.end)]:
            if at < min(start, cover.end):
                secret = text[at : min(start, cover.end)]
                vault_id = book.name(type_of(cover.vault_id), secret)
                book.learn(vault_id, secret)
                out.append(Cover(at, at + len(secret), vault_id, at, secret))
            at = max(at, end)
    return sorted(out)


def _escaped(key: str) -> str:
    """A member's name in a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def _whole(value: str, promise: str | None) -> Finding | None:
    """The finding that a field's name makes of its value, without the scheme of a header."""
    if promise is None or not value or MARKER.fullmatch(value):
        return None
    if promise == _DECLARED:
        return Finding(0, len(value), promise, 0)
    scheme = _SCHEME.match(value) if promise == "authorization" else None
    start = scheme.end() if scheme else 0
    if not keeps_promise(promise, value[start:], quoted=True):  # type: ignore[arg-type]
        return None
    return Finding(start, len(value), promise, 0)
