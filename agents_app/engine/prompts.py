"""Prompts as splices: a request names what it shares with the one before, so cost stays linear."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import Message, from_log
from playhead.core import canonical, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Splice = list[Any]


@dataclass(slots=True)
class Prompt:
    """The messages of one request with their rolling digests; ``seq`` is the request's event.

    ``tools`` is the digest of the tools it offers, ``tools_seq`` the request that holds them,
    ``shared`` how many messages it has in common with the one before, from the first on.
    """

    messages: list[Message] = field(default_factory=list)
    rolled: list[bytes] = field(default_factory=list)
    tools: bytes | None = None
    tools_seq: int | None = None
    seq: int = 0
    shared: int = 0

    @property
    def digest(self) -> bytes:
        """The rolling digest over all messages."""
        return self.rolled[-1] if self.rolled else digest.ZERO


def extend(previous: Prompt, messages: list[Message]) -> Prompt:
    """The next prompt; only what follows the common beginning is hashed."""
    shared = run_length(previous.messages, 0, messages, 0)
    before = previous.rolled[shared - 1] if shared else digest.ZERO
    rolled = previous.rolled[:shared] + digest.roll(before, [m.digest for m in messages[shared:]])
    return Prompt(messages, rolled, previous.tools, previous.tools_seq, shared=shared)


def run_length(a: Sequence[Message], i: int, b: Sequence[Message], j: int) -> int:
    """How many messages are equal from ``a[i]`` and ``b[j]`` on, by halving slices."""
    equal, unequal = 0, min(len(a) - i, len(b) - j)
    if a[i : i + unequal] == b[j : j + unequal]:
        return unequal
    while unequal - equal > 1:
        middle = (equal + unequal) // 2
        if a[i + equal : i + middle] == b[j + equal : j + middle]:
            equal = middle
        else:
            unequal = middle
    return equal


def splice(previous: Prompt, prompt: Prompt) -> list[Splice]:
    """A prompt against the previous request of the same activation."""
    old, messages = previous.messages, prompt.messages
    places: dict[Any, int] | None = None
    at = expected = prompt.shared
    out: list[Splice] = [["c", 0, at]] if at else []
    while at < len(messages):
        message = messages[at]
        place = expected if expected < len(old) and old[expected] == message else None
        if place is None and not _born_after(message, previous.seq):
            places = places if places is not None else {m.key: n for n, m in enumerate(old)}
            place = places.get(message.key)
        if place is None:
            out.append(reference(message))
            at += 1
            continue
        count = run_length(old, place, messages, at)
        out.append(["c", place, count])
        at, expected = at + count, place + count
    return out


def reference(message: Message) -> Splice:
    """How an event refers to a message: by the event that carries it, else inline."""
    return ["m", *message.origin] if message.origin else ["n", message.to_log()]


def resolve(entry: Splice, message_at: Callable[..., Message]) -> Message:
    """The message that ``reference`` wrote."""
    return from_log(entry[1]) if entry[0] == "n" else message_at(*entry[1:])


def unsplice(
    previous: Sequence[Message], entries: Sequence[Splice], message_at: Callable[..., Message]
) -> list[Message]:
    """The messages of a request, given those of the previous request of its activation."""
    out: list[Message] = []
    for entry in entries:
        if entry[0] == "c":
            out.extend(previous[entry[1] : entry[1] + entry[2]])
        else:
            out.append(resolve(entry, message_at))
    return out


def tools_digest(tools: Sequence[dict[str, Any]]) -> bytes:
    """The digest of the tools that are offered."""
    return digest.sha(canonical.dumps(list(tools)))


def params_digest(model: str, params: Any) -> bytes:
    """The digest of the model's name and its parameters."""
    return digest.sha(canonical.dumps({"model": model, "params": dict(params)}))


def _born_after(message: Message, seq: int) -> bool:
    return message.origin is not None and message.origin[0] > seq
