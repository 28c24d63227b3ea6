"""What is private in a message: found in its text and in the arguments of its calls, and changed.

What was sealed before a guard could look stands there as a marker with its span; it counts by the
type that it was sealed as. What a tool declares to be secret is meant to be there and counts not.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from playhead.core.detect import PERSONAL, Finding
from playhead.core.mask import SECRETS, mask
from playhead.core.seal.book import marker, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from agents_app.engine.messages import Message, ToolCall

How = Literal["redact", "mask", "hash"]
_DECLARED = "declared"
#: A part of a datum that tells who it belongs to, and not what it is (characters).
_SHOWN = 4
_HASH = 8


def secrets_in(message: Message) -> list[Finding]:
    """The secrets of a message, by type; where they stand is nobody's business."""
    return _found(message, {SECRETS}, lambda kind: kind not in PERSONAL and kind != _DECLARED)


def personal_in(message: Message, kinds: Collection[str]) -> list[Finding]:
    """The personal data of a message, by type."""
    return _found(message, kinds, lambda kind: kind in kinds)


def _found(
    message: Message, kinds: Collection[str], counts_as: Callable[[str], bool]
) -> list[Finding]:
    types = [type_of(span[3]) for span in message.spans]
    values: list[Any] = [message.content]
    values += [call.arguments if call.raw is None else call.raw for call in message.calls]
    _, counts = mask(values, key=b"", kinds=kinds)
    plain = [kind for kind, count in counts.items() for _ in range(count)]
    return [Finding(0, 0, kind, 0) for kind in [*filter(counts_as, types), *plain]]


class Rewriting:
    """Puts something else where private data stands, in a text and everywhere in arguments.

    Args:
        kinds: what is taken out.
        how: ``redact`` leaves the kind (``[email]``), ``mask`` a part (``a***@example.org``), and
            ``hash`` a name under which the same datum is known again (``<email_hash:…>``).
        key: what makes such a name mean nothing elsewhere.
    """

    def __init__(self, kinds: Collection[str], how: How, key: str) -> None:
        self.kinds, self.how, self.key = frozenset(kinds), how, key.encode()

    def message(self, message: Message) -> Message:
        """The message without what is private, its sealed values of these kinds included."""
        sealed = {
            marker(span[3]): self._mark(type_of(span[3]), marker(span[3]))
            for span in message.spans
            if self._takes(type_of(span[3]))
        }
        calls = tuple(self._call(call, sealed) for call in message.calls)
        content = self._value(message.content, sealed)
        return replace(message, content=content, tool_calls=calls or message.tool_calls)

    def _call(self, call: ToolCall, sealed: dict[str, str]) -> ToolCall:
        raw = None if call.raw is None else self._value(call.raw, sealed)
        return replace(call, arguments=self._value(call.arguments, sealed), raw=raw)

    def _value(self, value: Any, sealed: dict[str, str]) -> Any:
        swapped = _swapped(value, sealed) if sealed else value
        return mask(swapped, key=b"", kinds=self.kinds, write=self._mark)[0]

    def _takes(self, kind: str) -> bool:
        if kind in PERSONAL:
            return kind in self.kinds
        return SECRETS in self.kinds and kind != _DECLARED

    def _mark(self, kind: str, text: str) -> str:
        if self.how == "hash":
            data = text.encode("utf-8", "surrogatepass")
            name = hmac.new(self.key, data, hashlib.sha256).hexdigest()[:_HASH]
            return f"<{kind}_hash:{name}>"
        if self.how == "mask" and kind in PERSONAL and not text.startswith("[REDACTED:"):
            return _partly(kind, text)
        return f"[{kind}]"


def _partly(kind: str, text: str) -> str:
    if kind == "email":
        name, _, domain = text.rpartition("@")
        return f"{name[:1]}***@{domain}"
    return "****" + "".join(filter(str.isalnum, text))[-_SHOWN:]


def _swapped(value: Any, marks: dict[str, str]) -> Any:
    if isinstance(value, str):
        for was, now in marks.items():
            value = value.replace(was, now)
        return value
    if isinstance(value, dict):
        return {_swapped(key, marks): _swapped(each, marks) for key, each in value.items()}
    if isinstance(value, list):
        return [_swapped(each, marks) for each in value]
    return value
