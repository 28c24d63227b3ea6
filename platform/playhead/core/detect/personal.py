"""Personal data in a text: e-mail addresses, telephone numbers, payment cards, bank accounts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playhead.core.detect.finding import Finding, merge

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

#: The kinds that can be asked for.
PERSONAL: frozenset[str] = frozenset({"email", "phone", "card", "iban"})

_LOCAL_PART = re.compile(r"(?<![A-Za-z0-9._%+'\-])[A-Za-z0-9._%+'\-]{1,64}\Z", re.ASCII)
_DOMAIN = re.compile(r"@(?:[A-Za-z0-9\-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])", re.ASCII)
#: A run that may hold a telephone number or a card; the patterns below run only there.
_DIGITS = re.compile(r"\d[ ()./\-]{0,3}\d(?:[ ()./\-]{0,3}\d){4,}", re.ASCII)
_DIGIT_GROUP = re.compile(r"\d+", re.ASCII)
_CARD = re.compile(
    r"(?<![A-Za-z0-9])(?:[2-6]\d{3}(?P<by>[ .\-])\d{4}(?P=by)\d{4}(?P=by)\d{1,4}(?:(?P=by)\d{3})?"
    r"|3[47]\d\d(?P<by2>[ .\-])\d{6}(?P=by2)\d{5}|[2-6]\d{12,18})",
    re.ASCII,
)
_CARD_LENGTHS = range(13, 20)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}", re.ASCII)
_WORLD = r"(?<![A-Za-z0-9+])\+\d[\d ()./\-]{5,20}\d"
_GROUPED = (
    r"(?<![A-Za-z0-9(+.\-])(?:1[ .\-])?(?:\(\d{3}\) ?|\d{3}(?P<sep>[ .\-]))"
    r"\d{3}(?(sep)(?P=sep)|[ .\-])\d{4}"
)
_CHINESE = r"(?<![A-Za-z0-9+.\-])1[3-9]\d(?P<gap>[ \-]?)\d{4}(?P=gap)\d{4}"
_CALLED = (
    r"(?<![A-Za-z])(?:phone|mobile|cell|tel|fax|whatsapp|call|电话|手机|联系方式)"
    "(?:\\s?(?:number|no|nr|#))?[\"'\\s:\uff1a=.(是]{0,6}(?:is\\s)?"
)
_PHONE = re.compile(
    rf"(?P<world>{_WORLD})|(?P<group>{_GROUPED})|(?P<china>{_CHINESE})"
    rf"|{_CALLED}(?P<named>[\d(][\d ()./\-]{{4,18}}\d)",
    re.ASCII | re.IGNORECASE,
)
_LONGEST_CALLED = 32
_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
#: How a number begins that the end of another hides, and more than the longest number.
_GLUED, _LONGEST = "+(", 64

#: Digits that may still grow into a number or an account; longer than any of them.
_OPEN = re.compile(r"[+(]?[A-Z]{0,2}\d[0-9A-Z ()./\-]{0,46}\Z", re.ASCII)


def find_personal(text: str, kinds: Collection[str] = PERSONAL, *, hint: str = "") -> list[Finding]:
    """The personal data of a text, in order, without overlap.

    ``hint``: what stands before the text (the name of its field): digits after ``phone`` are one.
    """
    found = _found_in(text, kinds, hint)
    return _with_what_follows(text, found, kinds) if found else found


def _found_in(text: str, kinds: Collection[str], hint: str) -> list[Finding]:
    found: list[Finding] = []
    if "email" in kinds and "@" in text:
        found += _emails(text)
    if "iban" in kinds:
        found += _search(_IBAN, text, _iban, 0, len(text))
    if "card" in kinds or "phone" in kinds:
        for run in _DIGITS.finditer(text):
            if "card" in kinds:
                found += _search(_CARD, text, _card, run.start(), run.end())
            if "phone" in kinds:
                found += _phones(text, hint, run)
    return merge(found) if len(found) > 1 else found


def _with_what_follows(text: str, found: list[Finding], kinds: Collection[str]) -> list[Finding]:
    """Also the numbers right behind a finding, which its end hides from the patterns.

    Walked from end to end, each look of bounded length: a row of numbers takes linear time.
    """
    more: list[Finding] = []
    for place, each in enumerate(found):
        at = each.end
        limit = found[place + 1].start if place + 1 < len(found) else len(text)
        while at < limit and text[at] in _GLUED:
            glued = _first(text[at : min(limit, at + _LONGEST)], kinds)
            if glued is None:
                break
            more.append(Finding(at, at + glued.end, glued.type, at))
            at += glued.end
    return merge([*found, *more]) if more else found


def _first(text: str, kinds: Collection[str]) -> Finding | None:
    """What is personal at the very start of a text."""
    found = _found_in(text, kinds, "")
    return found[0] if found and found[0].start == 0 else None


def _emails(text: str) -> Iterator[Finding]:
    at = text.find("@")
    while at >= 0:
        local = _LOCAL_PART.search(text, max(0, at - 65), at)
        domain = _DOMAIN.match(text, at)
        if local and domain:
            yield Finding(local.start(), domain.end(), "email", local.start())
        at = text.find("@", at + 1)


def personal_open_from(text: str) -> int:
    """Where digits begin that more text could make personal, else the length of the text."""
    match = _OPEN.search(text, max(0, len(text) - 64))
    return match.start() if match else len(text)


def _search(
    pattern: re.Pattern[str],
    text: str,
    check: Callable[[re.Match[str]], Finding | None],
    start: int,
    end: int,
) -> Iterator[Finding]:
    """Matches that pass; behind one that does not, the search goes on at the next group."""
    while match := pattern.search(text, start, end):
        found = check(match)
        if found:
            yield found
            start = found.end
        else:
            start = _behind_digits(match)


def _behind_digits(match: re.Match[str]) -> int:
    group = _DIGIT_GROUP.search(match.string, match.start())
    return group.end() if group else match.end()


def _goes_on(text: str, end: int) -> bool:
    """Whether the word goes on (a Chinese letter may follow a number; it has no spaces)."""
    return text[end : end + 1].isalnum() and text[end : end + 1].isascii()


def _card(match: re.Match[str]) -> Finding | None:
    """The longest run of whole groups with a card's length and check digit (Luhn)."""
    from stdnum import luhn

    text, start = match.string, match.start()
    ends = [group.end() for group in _DIGIT_GROUP.finditer(text, start, match.end())]
    for end in reversed(ends):
        digits = "".join(filter(str.isdigit, text[start:end]))
        if len(digits) not in _CARD_LENGTHS or _goes_on(text, end) or len(set(digits)) == 1:
            continue
        if luhn.is_valid(digits):
            return Finding(start, end, "card", start)
    return None


def _iban(match: re.Match[str]) -> Finding | None:
    """The longest run of whole groups whose country, length and check digits fit (ISO 13616)."""
    from stdnum import iban

    start, words = match.start(), match.group().split(" ")
    for count in range(len(words), 0, -1):
        candidate = " ".join(words[:count])
        end = start + len(candidate)
        if not _goes_on(match.string, end) and iban.is_valid(candidate):
            return Finding(start, end, "iban", start)
    return None


def _phones(text: str, hint: str, run: re.Match[str]) -> Iterator[Finding]:
    at, end = max(0, run.start() - _LONGEST_CALLED), run.end()
    if hint and run.start() == 0:
        text, shift = f"{hint}: {text}", len(hint) + 2
        end += shift
    else:
        shift = 0
    while match := _PHONE.search(text, at, end):
        group = next(name for name in ("world", "group", "china", "named") if match[name])
        first, last = match.span(group)
        if first >= shift and _is_phone(group, text, first, last):  # none of the hint's own
            yield Finding(first - shift, last - shift, "phone", max(0, match.start() - shift))
            at = last
        else:
            at = first if first > match.start() else _behind_digits(match)


def _is_phone(group: str, text: str, start: int, end: int) -> bool:
    import phonenumbers

    if _goes_on(text, end):
        return False
    number = text[start:end]
    count = sum(map(str.isdigit, number))
    if group == "named":
        return _FEWEST_DIGITS <= count <= _MOST_DIGITS and not re.match(r"\d{4}-\d\d-\d\d", number)
    region = {"world": None, "group": "US", "china": "CN"}[group]
    try:
        parsed = phonenumbers.parse(number, region)
    except phonenumbers.NumberParseException:
        return False
    if group == "world" or (group == "group" and "(" in number):
        return bool(phonenumbers.is_possible_number(parsed))
    return bool(phonenumbers.is_valid_number(parsed))
