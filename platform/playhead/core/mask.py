"""Personal data leave a value at the doors: shares, exports, readers without ``reveal``.

The owner's log keeps them; what goes out does not. Secrets were sealed long before; a mask looks
for them once more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from playhead.core.detect import PERSONAL, Finding, find_personal, find_secrets
from playhead.core.detect.finding import merge

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

#: Everything that a mask can take out: the personal kinds, and what looks like a secret.
SECRETS = "secrets"
EVERYTHING: frozenset[str] = PERSONAL | {SECRETS}

_HASH_BYTES = 16
_SHORTEST = 6
_PASSES = 4


def mask(
    value: Any,
    *,
    key: bytes,
    kinds: Collection[str] = EVERYTHING,
    marks: dict[str, str] | None = None,
    write: Callable[[str, str], str] | None = None,
) -> tuple[Any, dict[str, int]]:
    """The value with ``[REDACTED:type:hash]`` for what is personal, and how many of each type.

    Walks everything: members' names, numbers that are cards, JSON text inside strings. Within one
    door (``key``: bytes that only it knows) the same datum has the same marker; elsewhere the hash
    tells nothing. A clean value comes back as the same object. ``marks`` takes what each marker
    stands for, for ``unmask``. ``write`` makes another mark of (type, text).
    """
    walk = _Walk(key, frozenset(kinds), {} if marks is None else marks, write)
    masked = walk.value(value, "")
    return masked, dict(walk.counts)


class _Walk:
    def __init__(
        self, key: bytes, kinds: frozenset[str], marks: dict[str, str],
        write: Callable[[str, str], str] | None,
    ) -> None:  # fmt: skip
        self.key, self.kinds, self.marks = key, kinds, marks
        self.write = write or self._sealed_form
        self.counts: Counter[str] = Counter()

    def value(self, value: Any, name: str) -> Any:
        """``name``: the field that the value stands in, which tells a telephone from a number."""
        kind = type(value)
        if kind is str:
            return self.text(value, name)
        if kind is dict:
            return self._members(value)
        if kind is list:
            items = [self.value(item, name) for item in value]
            return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
        if kind is int:
            text = str(value)
            masked = self.text(text, name)
            return value if masked is text else masked
        return value

    def _members(self, value: dict[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        changed = False
        for key, item in value.items():
            name = self._apart(self.text(key, ""), key, value)
            out[name] = self.value(item, key)
            changed = changed or name is not key or out[name] is not item
        return out if changed else value

    def text(self, text: str, name: str) -> str:
        if len(text) < _SHORTEST:
            return text
        # Again while there is something: what stood right behind a secret now stands alone.
        for _ in range(_PASSES):
            found = self._found(text, name)
            if not found:
                break
            out, at = [], 0
            for each in found:
                out += [text[at : each.start], self._marker(each.type, text[each.start : each.end])]
                at = each.end
            text = "".join([*out, text[at:]])
        return self._inside(text) if "\\" in text else text

    def _found(self, text: str, name: str) -> list[Finding]:
        found = find_secrets(text) if SECRETS in self.kinds else []
        return merge([*found, *find_personal(text, self.kinds, hint=name)])

    def _inside(self, text: str) -> str:
        """JSON text whose escapes hide something (``\\u0040``) is masked as its value."""
        if text.lstrip()[:1] not in ("{", "[", '"'):
            return text
        try:
            inner = json.loads(text)
        except (ValueError, RecursionError):
            return text
        masked = self.value(inner, "")
        return text if masked is inner else json.dumps(masked, ensure_ascii=False)

    def _marker(self, type_: str, text: str) -> str:
        self.counts[type_] += 1
        marker = self.write(type_, text)
        self.marks[marker] = text
        return marker

    def _sealed_form(self, type_: str, text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        digest = hmac.new(self.key, data, hashlib.sha256).digest()[:_HASH_BYTES]
        return f"[REDACTED:{type_}:{digest.hex()}]"

    @staticmethod
    def _apart(masked: str, key: str, siblings: dict[str, Any]) -> str:
        """Two members never become one."""
        while masked != key and masked in siblings:
            masked += "'"
        return masked
