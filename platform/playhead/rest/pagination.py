"""Lists are `{items, next}`: `next` is an opaque cursor, null on the last page."""

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q, QuerySet
from ninja import Schema

from playhead.core.errors import PlayheadError

Item = TypeVar("Item")
Row = TypeVar("Row", bound=Model)
MOST = 200
USUAL = 50


class Page(Schema, Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next: str | None = None


class InvalidCursor(PlayheadError):
    """A cursor that we did not make."""

    code = "invalid_cursor"


def encode(values: Sequence[str | int | None]) -> str:
    """An opaque cursor of these values."""
    data = json.dumps(list(values), separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(cursor: str, *, length: int) -> list[str | int | None]:
    """The values of a cursor.

    Raises:
        InvalidCursor: it was not made here.
    """
    try:
        data = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        values = json.loads(data)
    except (ValueError, binascii.Error, RecursionError):
        raise InvalidCursor("This cursor is none of ours.") from None
    scalars = isinstance(values, list) and all(isinstance(v, str | int | None) for v in values)
    if not scalars or len(values) != length:
        raise InvalidCursor("This cursor is none of ours.")
    return list(values)


def page_of(
    rows: QuerySet[Row], *, newest: str, cursor: str | None, limit: int = USUAL
) -> tuple[list[Row], str | None]:
    """A page of rows, the newest first by a time or number field, ties by primary key.

    Keyset, not offset: rows that come or go meanwhile neither repeat nor hide others.

    Returns:
        The rows and the cursor of the next page, None at the end.
    """
    limit = max(1, min(limit, MOST))
    rows = rows.order_by(f"-{newest}", "-pk")
    if cursor:
        at, pk = decode(cursor, length=2)
        value, last = _read(rows, newest, at), _read(rows, "pk", pk)
        rows = rows.filter(Q(**{f"{newest}__lt": value}) | Q(**{newest: value, "pk__lt": last}))
    found = list(rows[: limit + 1])
    if len(found) <= limit:
        return found, None
    last = found[limit - 1]
    return found[:limit], encode([_write(getattr(last, newest)), last.pk])


def _write(value: Any) -> str | int:
    return value.isoformat() if isinstance(value, datetime) else value


def _read(rows: QuerySet[Row], name: str, value: str | int | None) -> Any:
    meta = rows.model._meta
    field = meta.pk if name == "pk" else meta.get_field(name)
    try:
        read = field.to_python(value) if isinstance(field, Field) else value
    except (ValidationError, ValueError, TypeError):
        raise InvalidCursor("This cursor is none of ours.") from None
    if read is None:
        raise InvalidCursor("This cursor is none of ours.")
    return read
