"""Holds streamed text back until it can no longer become part of a secret."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from playhead.core.detect import personal_open_from, secrets_open_from
from playhead.core.detect.field_names import needs_word_before
from playhead.core.detect.finding import DELIMITER
from playhead.core.seal.book import GAP, marker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playhead.core.seal.sealer import Sealer
    from playhead.core.seal.text import Cover

_WORD_START = re.compile(f"[{DELIMITER}](?=[^\\t-\\r ])")
#: Released text that is kept: longer than any name, sign and gap in front of a secret.
_CONTEXT = 160


class StreamGuard:
    """The sealed form of a text that arrives in pieces.

    What comes out, joined, is the sealed text of the whole read from left to right; nothing of a
    secret comes out before all of it is seen. Ordinary prose waits for the end of its word.
    (A secret that is told to be one only later has passed by then; the record seals it.)
    """

    def __init__(self, sealer: Sealer) -> None:
        self._looker = sealer.looker
        self._book = sealer.book.copy()
        self._text = ""
        self._more: list[str] = []
        self._released = 0
        self._shift = 0

    def feed(self, chunk: str) -> str:
        """Take a piece in; give out what is decided."""
        self._more.append(chunk)
        if not GAP.search(chunk):
            return ""
        self._text += "".join(self._more)
        self._more.clear()
        covers, until = self._decide()
        out = self._render(covers, until)
        self._released = until
        self._trim(covers)
        return out

    def finish(self) -> str:
        """Give out the rest: nothing more will come."""
        self._text += "".join(self._more)
        self._more.clear()
        covers = self._looker.covers(self._text, self._book, shift=self._shift)
        out = self._render(covers, len(self._text))
        self._text, self._released = "", 0
        return out

    def _decide(self) -> tuple[list[Cover], int]:
        """What to seal, and up to where more text changes nothing."""
        text, book, covers = self._text, self._book, []
        if self._looker.findings(text, book, shift=self._shift):
            book = book.copy()  # it learns from what may turn out to be another secret yet
            covers = self._looker.covers(text, book, shift=self._shift)
        until = min(_last_word(text), secrets_open_from(text, self._looker.names))
        if self._looker.personal:
            until = min(until, personal_open_from(text))
        until = max(self._released, min(until, book.open_from(text, self._released)))
        for cover in covers:
            if self._released <= cover.start < until < cover.end:
                until = cover.start
        for cover in covers:
            if self._released <= cover.start and cover.end <= until:
                self._looker.learn(self._book, cover, self._shift)
        return covers, until

    def _render(self, covers: list[Cover], until: int) -> str:
        out, at = [], self._released
        for cover in covers:
            if at <= cover.start and cover.end <= until:
                out += [self._text[at : cover.start], marker(cover.vault_id)]
                at = cover.end
        return "".join([*out, self._text[at:until]])

    def _trim(self, covers: list[Cover]) -> None:
        """Forget what lies far behind, up to a word that stands on its own."""
        last = self._released - _CONTEXT
        if last <= _CONTEXT:
            return
        for match in reversed([*_WORD_START.finditer(self._text, 0, last)]):
            cut = match.end()
            reached = any(cover.context < cut < cover.end for cover in covers)
            if not reached and not needs_word_before(self._text[max(0, cut - 40) : cut].lower()):
                self._text = self._text[cut:]
                self._released -= cut
                self._shift += cut
                return


class ArgumentsGuard:
    """The sealed form of a call's arguments, of which some are secret by their name.

    They arrive as pieces of JSON text, in which a name may be written in many ways: only the whole
    tells what belongs to it. So all of it waits for the end, and what is no JSON object stays here.
    """

    def __init__(self, sealer: Sealer, names: Iterable[str]) -> None:
        self._sealer, self._names = sealer, frozenset(names)
        self._pieces: list[str] = []

    def feed(self, chunk: str) -> str:
        """Take a piece in; nothing is decided yet."""
        self._pieces.append(chunk)
        return ""

    def finish(self) -> str:
        """The whole, sealed."""
        try:
            value = json.loads("".join(self._pieces))
        except (ValueError, RecursionError):
            return ""
        if not isinstance(value, dict):
            return ""
        escaped = [
            name.replace("~", "~0").replace("/", "~1") for name in self._names if name in value
        ]
        sealed = self._sealer.seal(value, secret_paths=[f"/{name}" for name in escaped])
        return json.dumps(sealed.value, ensure_ascii=False)


def _last_word(text: str) -> int:
    """Where the word begins that may still go on; the text's length when none does."""
    at = len(text)
    while at and not GAP.match(text, at - 1):
        at -= 1
    return at
