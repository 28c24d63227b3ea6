"""What comes back from somebody who was shown a masked form of a value, changed in part.

A mark that stands where it stood becomes again what it stands for; a mark that was moved is
nothing that could be written: whoever sees a mark does not know what it would say elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from playhead.core.detect.finding import MARKER
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Span = list[Any]
Members = dict[str, Any]


class _Mark(NamedTuple):
    """A mark as it was shown, and what goes in its place; ``seal`` is its vault id."""

    shown: str
    text: str
    seal: str | None


def unmask(
    given: Any,
    *,
    shown: Any,
    real: Any,
    marks: Mapping[str, str],
    spans: Iterable[Span] = (),
    field: str = "",
) -> tuple[Any, list[Span]]:
    """The value that is meant, and the sealed values that stand in it.

    Args:
        given: what came back.
        shown: the form of ``real`` that was shown (``mask``), with the ``marks`` it put in.
        spans: the sealed values of ``real``, whose markers are shown to everybody.
        field: what the value is called where it is given, with dots.

    Raises:
        InvalidInput: a mark stands where it did not stand; ``detail["field"]`` names the place.
    """
    walk = _Walk(marks, spans)
    value = walk.value(given, shown, real, "", field)
    return value, walk.kept


class _Walk:
    def __init__(self, marks: Mapping[str, str], spans: Iterable[Span]) -> None:
        self.marks = marks
        self.spans: dict[str, list[Span]] = {}
        for span in spans:
            self.spans.setdefault(span[0], []).append(span)
        self.sealed = {_marker_of(str(span[3])) for span in spans}
        self.kept: list[Span] = []

    def value(self, given: Any, shown: Any, real: Any, at: str, field: str) -> Any:
        if isinstance(given, dict):
            known = isinstance(shown, dict) and isinstance(real, dict)
            return self._members(given, shown if known else {}, real if known else {}, at, field)
        if isinstance(given, list):
            old = list(zip(shown, real, strict=True)) if _lists(shown, real) else []
            old += [(None, None)] * (len(given) - len(old))
            return [
                self.value(item, *old[i], f"{at}/{i}", f"{field}.{i}")
                for i, item in enumerate(given)
            ]
        return self._leaf(given, shown, real, at, field) if isinstance(given, str) else given

    def _leaf(self, given: str, shown: Any, real: Any, at: str, field: str) -> Any:
        if given == shown:
            self.kept += [list(span) for span in self.spans.get(at, ())]
            return real
        if isinstance(shown, str) and isinstance(real, str):
            return self._text(given, shown, real, at, field)
        self._check(given, field)
        return given

    def _members(
        self, given: Members, shown: Members, real: Members, at: str, field: str
    ) -> Members:
        """Members by the names that were shown; a name is masked too."""
        pairs = zip(shown.items(), real.items(), strict=True)
        known = {name: (value, own, was) for (name, value), (own, was) in pairs}
        out = {}
        for name, item in given.items():
            value, own, was = known.get(name, (None, name, None))
            if name not in known:
                self._check(name, f"{field}.{name}")
            place = f"{at}/{own.replace('~', '~0').replace('/', '~1')}"
            self.kept += [list(span) for span in self.spans.get(f"#{place}", ())]
            out[own] = self.value(item, value, was, place, f"{field}.{own}")
        return out

    def _text(self, given: str, shown: str, real: str, at: str, field: str) -> str:
        """A text that was changed: the marks left in it, in their order, stand where they stood."""
        stood = self._marks(shown, real, at)
        out: list[str] = []
        done = length = 0
        for match in MARKER.finditer(given):
            if not self._is_mark(match[0]):
                continue
            mark = next((mark for mark in stood if mark.shown == match[0]), None)
            if mark is None:
                _refuse(field)
            start = length + match.start() - done
            out += [given[done : match.start()], mark.text]
            length, done = start + len(mark.text), match.end()
            if mark.seal is not None:
                self.kept.append([at, start, length, mark.seal])
        return "".join([*out, given[done:]])

    def _marks(self, shown: str, real: str, at: str) -> Iterator[_Mark]:
        """The marks of a text that was shown: what was masked, and what is sealed there."""
        spans = {span[1]: span for span in self.spans.get(at, ())}
        places: dict[str, int] = {}
        for match in MARKER.finditer(shown):
            marker = match[0]
            if marker in self.marks:
                yield _Mark(marker, self._said(marker), None)
                continue
            places[marker] = real.find(marker, places.get(marker, -1) + 1)
            span = spans.get(places[marker])
            if span is not None or marker in self.sealed:
                yield _Mark(marker, marker, span[3] if span else None)

    def _said(self, marker: str) -> str:
        """What a mark stands for: a mark may stand within what another one hides."""
        return MARKER.sub(lambda m: self.marks.get(m[0], m[0]), self.marks[marker])

    def _check(self, text: str, field: str) -> None:
        if any(self._is_mark(match[0]) for match in MARKER.finditer(text)):
            _refuse(field)

    def _is_mark(self, marker: str) -> bool:
        return marker in self.marks or marker in self.sealed


def _refuse(field: str) -> NoReturn:
    field = field.strip(".")
    raise InvalidInput(
        f"{field}: a hidden value can be kept where it stands, or be replaced; its mark can't be "
        "moved.",
        detail={"field": field},
    )


def _marker_of(vault_id: str) -> str:
    _, _, rest = vault_id.partition("_")
    type_, _, digest = rest.rpartition("_")
    return f"[REDACTED:{type_}:{digest}]"


def _lists(shown: Any, real: Any) -> bool:
    return isinstance(shown, list) and isinstance(real, list)
