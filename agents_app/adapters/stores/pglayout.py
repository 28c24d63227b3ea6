"""Events as one array of rows of their own table.

``unnest`` of a dozen arrays costs the server more than all the rest of an append, since each
becomes a function scan with a store of its own; JSON has to be parsed. This is one scan.
"""

from __future__ import annotations

from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from agents_app.adapters.stores.pgwire import ENCODE, LENGTH, NULL, array
from agents_app.adapters.stores.rows import EVENT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

#: What stands for null in a column of whole numbers that may have none: no event says it.
NONE = -(2**31)
NULLABLE = frozenset({"cause", "ms", "tokens_in", "tokens_out"})

_NUMBERS = {
    "session_id": "q", "ts": "q", "seq": "i", "cause": "i", "ms": "i", "tokens_in": "i",
    "tokens_out": "i", "kind": "h", "error": "?",
}  # fmt: skip
_OTHERS = {"hash": "bytea", "marks": "bytea", "body": "bytea", "cost": "numeric"}
#: Its place in ``EVENT_COLUMNS``, the number of its type, and how it is encoded.
Field = tuple["int | None", bytes, "Callable[[Any], bytes] | None"]

_PLACES = {name: at for at, name in enumerate(EVENT_COLUMNS)}
_HAS_NONE = sorted(_PLACES[name] for name in NULLABLE)

_known: WeakKeyDictionary[psycopg.Connection[Any], Layout] = WeakKeyDictionary()


class Layout:
    """The columns of the table in their order on disk.

    Args:
        oid: the number of the table's row type.
        columns: name and number of the type of each; one that is not ours is sent as null.
    """

    def __init__(self, oid: int, columns: Sequence[tuple[str, int]]) -> None:
        self._oid = oid
        numbers = [(name, kind) for name, kind in columns if name in _NUMBERS]
        if [name for name, _ in columns[: len(numbers)]] != [name for name, _ in numbers]:
            raise ValueError("the columns of whole numbers do not come first")
        # Number of the type, length, value; that of each column stands at a third.
        formats = "".join(f"Ii{_NUMBERS[name]}" for name, _ in numbers)
        sizes = [Struct("!" + _NUMBERS[name]).size for name, _ in numbers]
        self._pack = Struct("!i" + formats).pack
        self._given = [len(columns)]
        for (_, kind), size in zip(numbers, sizes, strict=True):
            self._given += [kind, size, 0]
        self._values = itemgetter(*(_PLACES[name] for name, _ in numbers))
        self._rest: list[Field] = [_field(name, kind) for name, kind in columns[len(numbers) :]]

    def array(self, rows: Sequence[Sequence[Any]]) -> bytes:
        """Rows of ``EVENT_COLUMNS`` as the parameter of ``unnest($1::agents_event[])``."""
        return array(self._oid, [self._row(list(row)) for row in rows])

    def _row(self, row: list[Any]) -> bytes:
        for at in _HAS_NONE:
            if row[at] is None:
                row[at] = NONE
        numbers: list[Any] = self._given.copy()
        numbers[3::3] = self._values(row)
        parts = [self._pack(*numbers)]
        for place, oid, encode in self._rest:
            value = None if place is None else row[place]
            if value is None:
                parts += (oid, NULL)
                continue
            data = encode(value) if encode else value
            parts += (oid, LENGTH(len(data)), data)
        return b"".join(parts)


def _field(name: str, kind: int) -> Field:
    type_name = _OTHERS.get(name, "text")
    encode = None if type_name == "bytea" else ENCODE[type_name]
    return _PLACES.get(name), Struct("!I").pack(kind), encode


def layout_of(connection: psycopg.Connection[Any]) -> Layout:
    """The layout of events, asked of the database once a connection."""
    known = _known.get(connection)
    if known is None:
        columns = connection.execute(
            """SELECT a.attname, a.atttypid::int8, c.reltype::int8
               FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
               WHERE c.oid = 'agents_event'::regclass AND a.attnum > 0 AND NOT a.attisdropped
               ORDER BY a.attnum"""
        ).fetchall()
        known = _known[connection] = Layout(columns[0][2], [column[:2] for column in columns])
    return known


def forget_layouts() -> None:
    """Ask again: the table may have changed under the connections."""
    _known.clear()
