"""Events as one array of rows of their own table.

``unnest`` of a dozen arrays costs the server more than all the rest of an append, since each
becomes a function scan with a store of its own; JSON has to be parsed. This is one scan.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from agents_app.adapters.stores.pgwire import ENCODE, LENGTH, NULL, array
from agents_app.adapters.stores.rows import EVENT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

_OTHERS = {
    "session_id": "bigint", "seq": "int", "kind": "smallint", "ts": "bigint", "cause": "int",
    "ms": "int", "tokens_in": "int", "tokens_out": "int", "cost": "numeric", "error": "bool",
    "hash": "bytea", "marks": "bytea", "body": "bytea",
}  # fmt: skip
KINDS = {name: _OTHERS.get(name, "text") for name in EVENT_COLUMNS}

_known: WeakKeyDictionary[psycopg.Connection[Any], Layout] = WeakKeyDictionary()


class Layout:
    """The columns of the table in their order on disk.

    Args:
        oid: the number of the table's row type.
        columns: name and number of the type of each; one that is not ours is sent as null.
    """

    def __init__(self, oid: int, columns: Sequence[tuple[str, int]]) -> None:
        places = {name: at for at, name in enumerate(KINDS)}
        self._oid = oid
        self._begin = LENGTH(len(columns))
        self._fields = [
            (places.get(name), struct.pack("!I", kind), ENCODE[KINDS.get(name, "text")])
            for name, kind in columns
        ]

    def array(self, rows: Sequence[Sequence[Any]]) -> bytes:
        """Rows of ``EVENT_COLUMNS`` as the parameter of ``unnest($1::agents_event[])``."""
        return array(self._oid, [self._row(row) for row in rows])

    def _row(self, row: Sequence[Any]) -> bytes:
        parts = [self._begin]
        for at, oid, encode in self._fields:
            value = None if at is None else row[at]
            if value is None:
                parts += (oid, NULL)
            else:
                data = encode(value)
                parts += (oid, LENGTH(len(data)), data)
        return b"".join(parts)


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
