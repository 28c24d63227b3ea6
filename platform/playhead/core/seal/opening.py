"""Puts sealed values back, strictly by position."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class SecretGone(PlayheadError):
    """A sealed value is no longer in the vault; ``detail["vault_id"]`` names it."""

    code = "sealed_gone"


def unseal(value: Any, spans: Sequence[Sequence[Any]], reveal: Mapping[str, str]) -> Any:
    """The value with its secrets, where ``spans`` say that they stand and nowhere else.

    Raises:
        SecretGone: ``reveal`` does not have a value.
        ValueError: a span leads to nothing that it could have come from.
    """
    if not spans:
        return value
    texts: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for pointer, start, end, vault_id in spans:
        if vault_id not in reveal:
            raise SecretGone(
                "A sealed value is gone from the vault.", detail={"vault_id": vault_id}
            )
        texts[pointer].append((start, end, reveal[vault_id]))
    opened = _open(value, "", texts)
    if texts:
        raise ValueError(f"sealed values lead nowhere: {sorted(texts)}")
    return opened


def _open(value: Any, path: str, texts: dict[str, list[tuple[int, int, str]]]) -> Any:
    if isinstance(value, str):
        places = texts.pop(path, None)
        return _text(value, places) if places else value
    if isinstance(value, dict):
        out = {}
        for key, item in value.items():
            place = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
            names = texts.pop(f"#{place}", None)
            out[_text(key, names) if names else key] = _open(item, place, texts)
        return out
    if isinstance(value, list):
        return [_open(item, f"{path}/{i}", texts) for i, item in enumerate(value)]
    return value


def _text(value: str, places: list[tuple[int, int, str]]) -> Any:
    if places[0][0] < 0:
        return json.loads(places[0][2])
    out, at = [], 0
    for start, end, secret in sorted(places):
        if not at <= start <= end <= len(value):
            raise ValueError("a sealed value stands outside of its text")
        out += [value[at:start], secret]
        at = end
    return "".join([*out, value[at:]])
