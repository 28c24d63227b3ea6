"""Columns as PostgreSQL arrays, with types that do not depend on the values.

psycopg picks int2, int4 or int8 by size: then the same statement is prepared again and again.
Texts and bytes go binary, the rest as an array literal that the statement casts.
"""

from __future__ import annotations

import struct
import threading
from datetime import datetime
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

_NULL = struct.pack("!i", -1)
_TEXT, _BYTEA = 25, 17
_TEXT_ARRAY, _BYTEA_ARRAY = 1009, 1001


class Texts(list[str | None]):
    """A column of text."""


class Octets(list[bytes | None]):
    """A column of bytea."""


class _ArrayDumper(Dumper):
    format = Format.BINARY
    element: int

    def dump(self, obj: Sequence[Any]) -> bytes:
        parts = [struct.pack("!iiIii", 1, 1, self.element, len(obj), 1)]
        for item in obj:
            if item is None:
                parts.append(_NULL)
                continue
            data = item.encode() if isinstance(item, str) else item
            parts += (struct.pack("!i", len(data)), data)
        return b"".join(parts)


class _TextsDumper(_ArrayDumper):
    oid = _TEXT_ARRAY
    element = _TEXT


class _OctetsDumper(_ArrayDumper):
    oid = _BYTEA_ARRAY
    element = _BYTEA


_local = threading.local()


def cursor(connection: psycopg.Connection[Any]) -> psycopg.RawCursor[Any]:
    """A cursor for ``$1`` statements that takes arrays and reads binary; one per thread.

    A raw one: psycopg would parse the long append for its placeholders again at every use.
    """
    known: psycopg.RawCursor[Any] | None = getattr(_local, "cursor", None)
    if known is None or known.connection is not connection:
        known = _local.cursor = _cursor(connection)
    return known


def _cursor(connection: psycopg.Connection[Any]) -> psycopg.RawCursor[Any]:
    made = psycopg.RawCursor(connection)
    made.format = Format.BINARY
    made.adapters.register_dumper(Texts, _TextsDumper)
    made.adapters.register_dumper(Octets, _OctetsDumper)
    return made


def column(kind: str, values: Sequence[Any]) -> Any:
    """A column as the parameter of an array type; ``kind`` is the type of its elements."""
    if kind == "text":
        return Texts(values)
    if kind == "bytea":
        return Octets(values)
    return "{" + ",".join(map(_literal, values)) + "}"


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if value is True or value is False:
        return "t" if value else "f"
    if isinstance(value, datetime):
        return f'"{value.isoformat()}"'
    return str(value)
