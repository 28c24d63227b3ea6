"""One form of a value everywhere: what JSON, two databases and a browser all keep unchanged.

A value is sanitised where it enters, *before* it is dumped: text that merely speaks of ``\\u0000``
(six characters) is legal and stays as it is. What was changed is noted, so that a reader can tell.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping, Set
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

#: Containers within containers; PostgreSQL and browsers cope with more, people do not.
DEEPEST = 100

_INT64 = range(-(2**63), 2**63)
_TEXT = frozenset({str})
_REPLACEMENT = "\ufffd"


class Note(NamedTuple):
    """What was changed (``what``) and where (``path``, a JSON pointer into the result)."""

    path: str
    what: str


def sanitise(value: Any) -> tuple[Any, list[Note]]:
    """The JSON form of any value, and what had to be changed for it.

    NUL and lone surrogates become U+FFFD (in keys too), NaN and infinities their names as text,
    -0.0 becomes 0.0, integers beyond 64 bit text, what lies deeper than ``DEEPEST`` its JSON text.
    Bytes, dates, decimals, sets, dataclasses and pydantic models become what JSON has for them.
    Never raises; idempotent; a value that is clean comes back as the same object.
    """
    if _is_clean(value, DEEPEST):
        return value, []
    notes: list[Note] = []
    return _rebuild(value, "", DEEPEST, notes), notes


def _is_clean(value: Any, room: int) -> bool:
    """Whether nothing has to change; allocates nothing, since nearly every value is clean."""
    kind = type(value)
    if kind is str:
        return "\0" not in value and (value.isascii() or _encodes(value))
    if kind is dict:
        names = {*map(type, value)} <= _TEXT and _are_clean(value, 0)
        return room > 0 and names and _are_clean(value.values(), room - 1)
    if kind is list:
        return room > 0 and _are_clean(value, room - 1)
    if kind is int:
        return value in _INT64
    if kind is float:
        return math.isfinite(value) and (value != 0.0 or math.copysign(1.0, value) > 0)
    return value is None or kind is bool


def _are_clean(values: Iterable[Any], room: int) -> bool:
    for value in values:
        if type(value) is str:  # most are texts: looked at on the spot, without a call
            if "\0" in value or not (value.isascii() or _encodes(value)):
                return False
        elif not _is_clean(value, room):
            return False
    return True


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _rebuild(value: Any, path: str, room: int, notes: list[Note]) -> Any:
    plain, what = _plain(value)
    if what:
        notes.append(Note(path, what))
    if not isinstance(plain, dict | list):
        return plain
    if not room:
        notes.append(Note(path, f"deeper than {DEEPEST} levels: kept as JSON text"))
        return _json_text(plain)
    if isinstance(plain, list):
        return [_rebuild(item, f"{path}/{i}", room - 1, notes) for i, item in enumerate(plain)]
    out: dict[str, Any] = {}
    for key, changed, item in _members(plain):
        place = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
        if changed:
            notes.append(Note(place, changed))
        out[key] = _rebuild(item, place, room - 1, notes)
    return out


def _plain(value: Any) -> tuple[Any, str | None]:
    """One level: a clean leaf, or a list or dict whose items are still as they came."""
    kind = type(value)
    if value is None or kind is bool or kind is list or kind is dict:
        return value, None
    if kind is str:
        return _text(value)
    if kind is int:
        return (value, None) if value in _INT64 else (str(Decimal(value)), "integer beyond 64 bit")
    if kind is float:
        return _number(value)
    if isinstance(value, tuple | list):
        return list(value), None
    return _from_object(value)


def _text(value: str) -> tuple[str, str | None]:
    if _is_clean(value, 0):
        return value, None
    # Through UTF-16, so that two halves of one character that stand together become it.
    units = value.replace("\0", _REPLACEMENT).encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "replace"), "NUL or lone surrogate replaced"


def _number(value: float) -> tuple[Any, str | None]:
    if math.isnan(value):
        return "NaN", "not a number"
    if math.isinf(value):
        return ("Infinity" if value > 0 else "-Infinity"), "infinite"
    if value == 0.0 and math.copysign(1.0, value) < 0:
        return 0.0, "negative zero"
    return value, None


def _from_object(value: Any) -> tuple[Any, str | None]:
    """What JSON has for a Python object; the name of its type is the note."""
    what = type(value).__name__
    try:
        plain, _ = _plain(_stand_in(value))
    except Exception:
        plain = f"<{what}>"
    return plain, what


def _stand_in(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return str.__str__(value)
    for base in (int, float):
        if isinstance(value, base):
            return base(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes(bytes(value))
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, date | time):
        return value.isoformat()
    return _fields(value)


def _fields(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Set):
        return sorted(value, key=lambda item: _json_text([item]))
    if isinstance(value, type):
        return value.__qualname__
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if hasattr(value, "model_dump"):
        return dict(value.model_dump())
    return str(value)


def _bytes(value: bytes) -> str:
    """Text when it is UTF-8, else a data URI: what a tool reads from a file is mostly text."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        import base64

        return "data:application/octet-stream;base64," + base64.b64encode(value).decode()


def _members(value: dict[Any, Any]) -> list[tuple[str, str | None, Any]]:
    """Items with text keys; a key that had to change gives way to one that had not."""
    taken = {key for key in value if type(key) is str and _is_clean(key, 0)}
    out: list[tuple[str, str | None, Any]] = []
    for key, item in value.items():
        if type(key) is str and key in taken:
            out.append((key, None, item))
            continue
        plain, what = _plain(key)
        name = plain if isinstance(plain, str) else _json_text(plain)
        unique, n = name, 1
        while unique in taken:
            n += 1
            unique = f"{name} ({n})"
        taken.add(unique)
        out.append((unique, f"key: {what or type(key).__name__}", item))
    return out


class _Done(NamedTuple):
    """A piece of finished JSON text on the stack; ``leave`` is the container that ends with it."""

    text: str
    leave: int = 0


def _json_text(value: Any) -> str:
    """The JSON text of a value of any depth, sanitised; a circle is named, not followed."""
    out: list[str] = []
    inside: set[int] = set()
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if type(item) is _Done:
            out.append(item.text)
            inside.discard(item.leave)
            continue
        plain, _ = _plain(item)
        if not isinstance(plain, dict | list):
            out.append(json.dumps(plain, ensure_ascii=False))
        elif id(item) in inside:
            out.append('"(circular)"')
        else:
            inside.add(id(item))
            stack.extend(reversed(_pieces(plain, id(item))))
    return "".join(out)


def _pieces(value: dict[Any, Any] | list[Any], of: int) -> list[Any]:
    if isinstance(value, list):
        pieces: list[Any] = [_Done("[")]
        for item in value:
            pieces += [item, _Done(",")]
        closing = "]"
    else:
        pieces = [_Done("{")]
        for key, _, item in _members(value):
            pieces += [_Done(json.dumps(key, ensure_ascii=False) + ":"), item, _Done(",")]
        closing = "}"
    if len(pieces) > 1:
        pieces.pop()
    return [*pieces, _Done(closing, leave=of)]
