"""Rows of a query, as many as its limits let through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core import canonical
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable

#: A table that only a database of Playhead has.
OURS = "agents_session"
REFUSED = "this is the database of Playhead itself; set own = true to allow that"

Answer = tuple[list[str], list[list[Any]], bool]


def bounded(
    columns: list[str], rows: Iterable[Iterable[Any]], *, max_rows: int, max_bytes: int
) -> Answer:
    """Columns, rows as JSON, and whether there would be more."""
    kept: list[list[Any]] = []
    size = 0
    for row in rows:
        values = [_value(each) for each in row]
        size += len(canonical.dumps(values))
        if len(kept) >= max_rows or size > max_bytes:
            return columns, kept, True
        kept.append(values)
    return columns, kept, False


def _value(value: Any) -> Any:
    if isinstance(value, (bytes, memoryview, bytearray)):
        return f"<{len(value)} bytes>"
    known = value is None or isinstance(value, (bool, int, float, str, list, dict))
    return sanitise(value if known else str(value))[0]
