"""Rows as parameters whose types do not depend on the values.

psycopg picks int2, int4 or int8 by size: then the same statement is prepared again and again. And
``unnest`` of a dozen arrays costs the server more than all the rest of an append, since each
array becomes a function scan with a store of its own. So the scalars of many rows travel as one
JSON text, and only bytes as arrays.
"""

from __future__ import annotations

import json
import struct
import threading
from datetime import datetime
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_NULL = struct.pack("!i", -1)
_BYTEA, _BYTEA_ARRAY = 17, 1001
_encode = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), check_circular=False, default=datetime.isoformat
).encode
_local = threading.local()


class Octets(list[bytes | None]):
    """A column of bytea."""


class _OctetsDumper(Dumper):
    format = Format.BINARY
    oid = _BYTEA_ARRAY

    def dump(self, obj: Sequence[bytes | None]) -> bytes:
        parts = [struct.pack("!iiIii", 1, 1, _BYTEA, len(obj), 1)]
        for item in obj:
            parts += (_NULL,) if item is None else (struct.pack("!i", len(item)), item)
        return b"".join(parts)


def cursor(connection: psycopg.Connection[Any]) -> psycopg.RawCursor[Any]:
    """A cursor for ``$1`` statements that takes columns and reads binary; one per thread.

    A raw one: psycopg would parse the long append for its placeholders again at every use.
    """
    known: psycopg.RawCursor[Any] | None = getattr(_local, "cursor", None)
    if known is None or known.connection is not connection:
        known = _local.cursor = psycopg.RawCursor(connection)
        known.format = Format.BINARY
        known.adapters.register_dumper(Octets, _OctetsDumper)
    return known


def table(name: str, columns: Mapping[str, str], places: Iterator[str]) -> str:
    """A common table expression of rows that come as the parameters of ``parameters``.

    ``columns`` are names and types; ``hex`` is bytea of few bytes, which travels in the JSON.
    """
    scalars = [f"{name} {_TRAVELS.get(kind, kind)}" for name, kind in _scalars(columns)]
    sources = [f"json_to_recordset({next(places)}::json) AS ({', '.join(scalars)})"]
    octets = [name for name, kind in columns.items() if kind == "bytea"]
    sources += [f"unnest({next(places)}::bytea[])" for _ in octets]
    names = [*(name for name, _ in _scalars(columns)), *octets]
    values = [
        f"decode({name}, 'hex') AS {name}" if columns[name] == "hex" else name for name in names
    ]
    return (
        f"{name} AS (SELECT {', '.join(values)}"
        f" FROM ROWS FROM ({', '.join(sources)}) AS x({', '.join(names)}))"
    )


def parameters(columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Rows, in the order of ``columns``, as the parameters of ``table``."""
    kinds = list(columns.values())
    names = list(columns)
    scalars = [place for place, kind in enumerate(kinds) if kind != "bytea"]
    octets = [place for place, kind in enumerate(kinds) if kind == "bytea"]
    records = [
        {
            names[place]: row[place].hex() if kinds[place] == "hex" else row[place]
            for place in scalars
            if row[place] is not None
        }
        for row in rows
    ]
    return [_encode(records), *(Octets(row[place] for row in rows) for place in octets)]


def ids(values: Sequence[int]) -> str:
    """Whole numbers as the literal of an array that the statement casts."""
    return "{" + ",".join(map(str, values)) + "}"


_TRAVELS = {"hex": "text"}


def _scalars(columns: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, kind) for name, kind in columns.items() if kind != "bytea"]
