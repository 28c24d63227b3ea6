"""Parameters in the server's own binary form, each typed by a cast in the statement.

psycopg looks at every value and picks a type by its size: then the same statement is prepared again
and again, and looking costs as much as building the statement.
"""

from __future__ import annotations

import json
import struct
import threading
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.types.numeric import DecimalBinaryDumper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LENGTH = struct.Struct("!i").pack
NULL = LENGTH(-1)
_ARRAY = struct.Struct("!iiIii").pack
_BYTEA = 17
_local = threading.local()
_json = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), check_circular=False, default=datetime.isoformat
).encode


class Wire(bytes):
    """A parameter as it travels."""


class _WireDumper(Dumper):
    """What is bytes already, of the type that the statement says."""

    format = Format.BINARY
    oid = 0

    def dump(self, obj: Wire) -> bytes:
        return obj


def cursor(connection: psycopg.Connection[Any]) -> psycopg.RawCursor[Any]:
    """A cursor for ``$1`` statements that takes ``Wire`` and reads binary; one per thread.

    A raw one: psycopg would parse the long append for its placeholders again at every use.
    """
    known: psycopg.RawCursor[Any] | None = getattr(_local, "cursor", None)
    if known is None or known.connection is not connection:
        known = _local.cursor = psycopg.RawCursor(connection)
        known.format = Format.BINARY
        known.adapters.register_dumper(Wire, _WireDumper)
    return known


_numeric = DecimalBinaryDumper(Decimal).dump

#: By type as a statement names it; text stands for what the server has to read from text.
ENCODE: dict[str, Callable[[Any], bytes]] = {
    "bigint": struct.Struct("!q").pack,
    "int": struct.Struct("!i").pack,
    "smallint": struct.Struct("!h").pack,
    "bool": lambda value: b"\1" if value else b"\0",
    "text": str.encode,
    "bytea": bytes,
    "numeric": lambda value: bytes(_numeric(Decimal(value)) or b""),
    "timestamptz": lambda value: value.isoformat().encode(),
}
#: Where the binary form is not the type's own.
_READ = {"timestamptz": "text::timestamptz"}


def place(number: str, kind: str) -> str:
    """A placeholder of a scalar of this type."""
    return f"{number}::{_READ.get(kind, kind)}"


def scalars(
    encoders: Sequence[Callable[[Any], bytes]], values: Sequence[Any]
) -> list[bytes | None]:
    """Values as parameters of ``place``."""
    return [
        None if value is None else encode(value)
        for encode, value in zip(encoders, values, strict=True)
    ]


def records(values: Any) -> bytes:
    """A parameter of type json."""
    return str(_json(values)).encode()


def octets(values: Sequence[bytes | None]) -> bytes:
    """A parameter of type bytea[]."""
    return array(_BYTEA, values)


def ids(values: Sequence[int]) -> bytes:
    """A parameter of type bigint[], as the text that ``$1::text::bigint[]`` reads."""
    return f"{{{','.join(map(str, values))}}}".encode()


def array(oid: int, values: Sequence[bytes | None]) -> bytes:
    """A parameter of an array type whose items are of the type ``oid``."""
    parts = [_ARRAY(1, 1, oid, len(values), 1)]
    for value in values:
        parts += (NULL,) if value is None else (LENGTH(len(value)), value)
    return b"".join(parts)
