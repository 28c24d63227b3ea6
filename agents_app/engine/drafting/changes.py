"""What differs between two definitions, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine.drafting.faults import at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Lists whose items have a name of their own: they are compared by it, wherever they stand.
_NAMED = {"tools": ("name", "agent"), "middleware": ("use",)}


@dataclass(frozen=True, slots=True)
class Change:
    """A field (``tools.pay.approval``) and its values; ``None`` where it is not said."""

    field: str
    before: Any
    after: Any


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Everything that differs, in the order of the fields; another order is a change of its own."""
    return [
        change
        for key in dict.fromkeys([*before, *after])
        for change in _field(key, before.get(key), after.get(key))
    ]


def _field(key: str, before: Any, after: Any) -> Iterator[Change]:
    if key in _NAMED and _all_named(key, before) and _all_named(key, after):
        yield from _named(key, before or [], after or [])
    else:
        yield from _value(key, before, after)


def _value(where: str, before: Any, after: Any) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _value(at(where, key), before.get(key), after.get(key))
    elif before != after or type(before) is not type(after):
        yield Change(where, before, after)


def _named(key: str, before: list[Any], after: list[Any]) -> Iterator[Change]:
    old = {_name(key, each): each for each in before}
    new = {_name(key, each): each for each in after}
    for name in dict.fromkeys([*old, *new]):
        yield from _value(at(key, name), old.get(name), new.get(name))
    kept = [name for name in old if name in new]
    moved = [name for name in new if name in old]
    if kept != moved:
        yield Change(key, kept, moved)


def _all_named(key: str, items: Any) -> bool:
    """Whether every item has a name, and no two the same."""
    if items is None:
        return True
    names = [_name(key, each) for each in items] if isinstance(items, list) else [None]
    return None not in names and len(names) == len(set(names))


def _name(key: str, item: Any) -> str | None:
    said = (item.get(each) for each in _NAMED[key]) if isinstance(item, dict) else ()
    return next((name for name in said if isinstance(name, str)), None)
