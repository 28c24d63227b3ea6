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


class Columns:
    """The columns of some rows with their types, in the order of the rows' values.

    ``bytea`` columns travel as arrays; ``hex`` is bytea of few bytes, which travels in the JSON.
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.names = tuple(kinds)
        self._kinds = kinds
        places = list(enumerate(kinds.items()))
        self._plain = [(at, name) for at, (name, kind) in places if kind not in ("hex", "bytea")]
        self._hex = [(at, name) for at, (name, kind) in places if kind == "hex"]
        self._octets = [(at, name) for at, (name, kind) in places if kind == "bytea"]

    def table(self, name: str, places: Iterator[str]) -> str:
        """A common table expression of the rows that ``parameters`` lays out."""
        plain = [column for _, column in self._plain]
        hexes = [column for _, column in self._hex]
        octets = [column for _, column in self._octets]
        shape = [f"{column} {self._kinds[column]}" for column in plain]
        shape += [f"{column} text" for column in hexes]
        sources = [f"json_to_recordset({next(places)}::json) AS ({', '.join(shape)})"]
        sources += [f"unnest({next(places)}::bytea[])" for _ in octets]
        values = [*plain, *(f"decode({column}, 'hex') AS {column}" for column in hexes), *octets]
        return (
            f"{name} AS (SELECT {', '.join(values)} FROM ROWS FROM ({', '.join(sources)})"
            f" AS x({', '.join([*plain, *hexes, *octets])}))"
        )

    def parameters(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The parameters of ``table``: JSON first, then the arrays."""
        plain, hexes = self._plain, self._hex
        records = []
        for row in rows:
            record = {name: row[at] for at, name in plain if row[at] is not None}
            for at, name in hexes:
                if row[at] is not None:
                    record[name] = row[at].hex()
            records.append(record)
        return [_encode(records), *(Octets(row[at] for row in rows) for at, _ in self._octets)]


def ids(values: Sequence[int]) -> str:
    """Whole numbers as the literal of an array that the statement casts."""
    return "{" + ",".join(map(str, values)) + "}"
