"""Secrets that are known by the name in front of them: ``password=…``, ``"api_key": "…"``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playhead.core.detect.field_names import ENDINGS, is_meant, keeps_promise
from playhead.core.detect.finding import DELIMITER, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.core.detect.field_names import Promise

_BARE = rf"""[^{DELIMITER}"'`,;<>(){{}}\[\]|\\]"""
_REST = re.compile(_BARE + "*")
_BARE_AT_ONCE = 512

_SIGN = "(?:[:=\uff1a]|=>)"
# A closing quote (maybe escaped: JSON in JSON), then a sign, a verb, or (for --password x) a space.
_BETWEEN = (
    rf"""\\{{0,3}}["'`]?(?:\s{{0,4}}{_SIGN}\s{{0,4}}|\s{{1,4}}(?P<said>is|was)\s{{1,4}}"""
    r"""|(?P<zh>是|为)\s{0,2}|(?P<flag>\s{1,2}))"""
)
# Repeats are possessive or bounded: the time is linear in the text, whatever it holds.
_VALUE = (
    r"""(?:"(?P<dq>(?:\\.|[^"\\\n]){1,1024}+)"|'(?P<sq>(?:\\.|[^'\\\n]){1,1024}+)'"""
    r"""|(?P<esc>\\{1,3}["'])(?P<eq>[^\n]{1,1024}?)(?<!\\)(?P=esc)"""
    rf"""|(?:\\{{0,3}}["'`])?(?P<bare>{_BARE}{{1,{_BARE_AT_ONCE}}}+)(?![(\[]))"""
)
_OPEN_VALUE = (
    r"""(?:"(?:\\.|[^"\\\n]){0,1024}+\\?|'(?:\\.|[^'\\\n]){0,1024}+\\?"""
    r"""|\\{1,3}["'][^\n]{0,1030})\Z"""
)
_TAIL = re.compile(_BETWEEN + _VALUE, re.IGNORECASE | re.ASCII)
_OPEN_TAIL = re.compile(_BETWEEN + _OPEN_VALUE, re.IGNORECASE | re.ASCII)
#: What the endings have in common, so that fewer are searched for.
_ROOTS = ("pass", "pwd", "secret", "key", "token")
_CHINESE = tuple(ending for ending in ENDINGS if not ending.isascii())
_GROUPS = ("dq", "sq", "eq", "bare")
_FLAG = re.compile(rf"(?<![^{DELIMITER}])--?[A-Za-z0-9_\-]{{0,40}}\Z")
_AUTHORIZATION = re.compile(
    rf"""authorization\\{{0,3}}["'`]?\s{{0,4}}{_SIGN}\s{{0,4}}(?:\\{{0,3}}["'`])?"""
    rf"(?:(?:bearer|basic|token|digest|apikey)\s{{1,4}})?(?P<bare>{_BARE}{{1,{_BARE_AT_ONCE}}}+)",
    re.IGNORECASE | re.ASCII,
)


def has_sign(lower: str) -> bool:
    """Whether anything in a text can tie a value to a name: without one no name is looked for."""
    if not lower.isascii() or ("-" in lower and "--" in lower):
        return True
    return ":" in lower or "=" in lower or " is" in lower or " was" in lower


def may_hold_names(lower: str, extra: frozenset[str]) -> bool:
    """Whether a text in lower case holds anything that a secret's name ends with."""
    roots = _ROOTS if lower.isascii() else (*_ROOTS, *_CHINESE)
    return any(root in lower for root in roots) or any(name in lower for name in extra)


def find_named(text: str, lower: str, extra: frozenset[str]) -> Iterator[Finding]:
    """Values after names; ``lower`` is the text in lower case, of the same length.

    A name within a value that was found names nothing.
    """
    done = 0
    for start, ending, promise in _names(lower, extra):
        if start < done:
            continue
        match = _TAIL.match(text, start + len(ending))
        found = match and _value(match, text, promise, start)
        if found:
            yield found
            done = found.end


def _value(match: re.Match[str], text: str, promise: Promise, context: int) -> Finding | None:
    group = next(name for name in _GROUPS if match[name] is not None)
    start, end = match.span(group)
    if group == "bare":
        end = _bare_end(text, start, end)
    if match["flag"] is not None and not _FLAG.search(text[max(0, context - 42) : context]):
        return None
    said = match["said"] is not None or match["zh"] is not None
    if keeps_promise(promise, text[start:end], quoted=group != "bare", said=said):
        return Finding(start, end, promise, context)
    return None


def _names(lower: str, extra: frozenset[str]) -> list[tuple[int, str, Promise]]:
    """Where names end like a secret's: the place and text of the ending, and what it promises."""
    out: list[tuple[int, str, Promise]] = []
    for ending, promise in (*ENDINGS.items(), *((name, "password") for name in extra)):
        at = lower.find(ending)
        while at >= 0:
            if is_meant(ending, lower[max(0, at - 40) : at]):
                out.append((at, ending, promise))
            at = lower.find(ending, at + len(ending))
    return sorted(out)


def _bare_end(text: str, start: int, end: int) -> int:
    """The end of a value without quotes: all of it when it is long, but not the full stop."""
    if end - start == _BARE_AT_ONCE:
        match = _REST.match(text, end)
        end = match.end() if match else end
    return start + max(1, len(text[start:end].rstrip(".:!?")))


def find_authorization(text: str) -> Iterator[Finding]:
    """The value of an ``Authorization`` header, without its scheme."""
    for match in _AUTHORIZATION.finditer(text):
        start, end = match.span("bare")
        end = _bare_end(text, start, end)
        if keeps_promise("authorization", text[start:end], quoted=False):
            yield Finding(start, end, "authorization", match.start())


def named_open_from(text: str, lower: str, extra: frozenset[str]) -> int:
    """Where a name with a quoted value that has not ended begins, else the length of the text."""
    for start, ending, _ in _names(lower, extra):
        if _OPEN_TAIL.match(text, start + len(ending)):
            return start
    return len(text)
