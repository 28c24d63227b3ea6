"""Canonical JSON: the one byte form of a value, over which everything is hashed.

Sorted keys, UTF-8 unescaped, no insignificant space, Python's number repr. Values are
sanitised before they come here, so NaN, infinities and lone surrogates are errors.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_encoder = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
)
# Python's encoder builds its C half anew at every call; one that is kept costs a third.
_make = getattr(json.encoder, "c_make_encoder", None)
_kept = _make and _make(
    None, _encoder.default, json.encoder.encode_basestring, None, ":", ",", True, False, False
)

#: The canonical JSON of a text, for bytes that are put together by hand.
text: Callable[[str], str] = json.encoder.encode_basestring


def dumps(value: Any) -> bytes:
    """The canonical bytes of a JSON value.

    Raises:
        ValueError: NaN or an infinity; a lone surrogate.
        TypeError: a value that is not JSON.
    """
    if _kept is None:
        return _encoder.encode(value).encode("utf-8")
    return "".join(_kept(value, 0)).encode("utf-8")


def loads(data: bytes | str) -> Any:
    """The value of canonical (or any other) JSON bytes."""
    return json.loads(data)
