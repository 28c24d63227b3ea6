"""Canonical JSON: the one byte form of a value, over which everything is hashed.

Sorted keys, UTF-8 unescaped, no insignificant space, Python's number repr. Values are
sanitised before they come here, so NaN, infinities and lone surrogates are errors.
"""

from __future__ import annotations

import json
from typing import Any

_encode = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
).encode


def dumps(value: Any) -> bytes:
    """The canonical bytes of a JSON value.

    Raises:
        ValueError: NaN or an infinity; a lone surrogate.
        TypeError: a value that is not JSON.
    """
    return _encode(value).encode("utf-8")


def loads(data: bytes | str) -> Any:
    """The value of canonical (or any other) JSON bytes."""
    return json.loads(data)
