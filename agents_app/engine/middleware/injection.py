"""Prompt injection: text that gives orders where it should only inform.

Forms, not understanding: each pattern is a way of speaking to the model over its owner's head, in
English and Chinese. Text is read as a model reads it: without characters that have no width, and
decoded where it is base64. A text that merely speaks of instructions is not found.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from agents_app.engine.middleware.injection_forms import FORMS, HIDDEN, signs_in
from playhead.core.detect import Finding
from playhead.core.detect.finding import merge

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Characters without width that split a word for a reader of patterns and for nobody else.
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\u00ad\u034f\ufeff"))
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{24,8192}={0,2}(?![A-Za-z0-9+/=])")
_LONGEST = 200_000


def find_injection(text: str) -> list[Finding]:
    """Where a text tries to command the model, in order; ``type`` says in which way.

    Types: ``override``, ``role``, ``leak``, ``tools``, ``concealment``, ``hidden``, ``encoded``.
    Places are of ``text`` as it is given; the time is linear in it.
    """
    head = text[:_LONGEST]
    found = [
        Finding(match.start(), match.end(), "hidden", match.start())
        for match in (() if head.isascii() else HIDDEN.finditer(head))
    ]
    found += _encoded(head)
    bare, places = _visible(head)
    for kind, match in _commands(bare):
        start, last = places[match.start()], places[match.end() - 1]
        found.append(Finding(start, last + 1, kind, start))
    return merge(found)


def _commands(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    signs = signs_in(text)
    for form in FORMS:
        if not signs.isdisjoint(form.signs):
            for match in form.pattern.finditer(text):
                yield form.kind, match


def _visible(text: str) -> tuple[str, range | list[int]]:
    """The text without invisible characters, and where each of its characters stands."""
    bare = text if text.isascii() else text.translate(_INVISIBLE)
    if len(bare) == len(text):
        return text, range(len(text))
    return bare, [at for at, char in enumerate(text) if ord(char) not in _INVISIBLE]


def _encoded(text: str) -> Iterator[Finding]:
    """Base64 whose content commands."""
    for match in _BASE64.finditer(text):
        data = match.group()
        try:
            inner = base64.b64decode(data + "=" * (-len(data) % 4), validate=True).decode()
        except (binascii.Error, ValueError):
            continue
        if any(_commands(inner)):
            yield Finding(match.start(), match.end(), "encoded", match.start())
