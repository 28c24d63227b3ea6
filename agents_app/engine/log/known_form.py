"""The sealed form of a value that code makes again: the record has it, and a replay has no key.

A hook that puts a key into the arguments of a call makes the raw key again at every resume and
replay. Where the record has the same value with the key sealed, that is the form to go on with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agents_app.engine.messages import Span

#: A value and what is sealed in it, as pointers into it.
Form = tuple[Any, list["Span"]]


def known_form(value: Any, recorded: Iterable[Form]) -> Form | None:
    """The first recorded form that is this value, raw, with something sealed or taken out."""
    for form, spans in recorded:
        if form == value or form == withhold(value) or _Places(spans).fit(value, form, ""):
            return form, spans
    return None


class _Places:
    """Where something is sealed in a recorded value."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._of: dict[str, list[Span]] = {}
        for span in spans:
            self._of.setdefault(span[0], []).append(span)

    def fit(self, value: Any, form: Any, at: str) -> bool:
        """Whether the recorded form is this value, but for what is sealed in it."""
        sealed = self._of.get(at)
        if sealed and sealed[0][1] < 0:  # a whole value that was no text
            return not isinstance(value, (str, dict, list))
        if isinstance(form, str) and isinstance(value, str):
            return form == value if not sealed else _text_fits(value, form, sealed)
        if isinstance(form, dict) and isinstance(value, dict):
            return len(form) == len(value) and all(
                self._member(value, name, form[name], at) for name in form
            )
        if isinstance(form, list) and isinstance(value, list):
            return len(form) == len(value) and all(
                self.fit(mine, theirs, f"{at}/{i}")
                for i, (mine, theirs) in enumerate(zip(value, form, strict=True))
            )
        return type(form) is type(value) and bool(form == value)

    def _member(self, value: dict[str, Any], name: str, form: Any, at: str) -> bool:
        place = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
        sealed = self._of.get(f"#{place}")
        if not sealed:
            return name in value and self.fit(value[name], form, place)
        return any(
            _text_fits(key, name, sealed) and self.fit(value[key], form, place) for key in value
        )


def _text_fits(text: str, form: str, sealed: Sequence[Span]) -> bool:
    """Whether a text is the recorded one with something in the place of each marker."""
    pieces, done = [], 0
    for _, start, end, _ in sorted(sealed):
        pieces.append(form[done:start])
        done = end
    last = form[done:]
    if not text.startswith(pieces[0]):
        return False
    at = len(pieces[0])
    for piece in pieces[1:]:
        at = text.find(piece, at + 1)
        if at < 0:
            return False
        at += len(piece)
    return len(text) > at + len(last) and text.endswith(last)
