"""Prompts as splices: a request names what it shares with the one before, so cost stays linear."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import Message, from_log
from playhead.core import canonical, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Splice = list[Any]
Key = tuple[bytes, str | None]


@dataclass(slots=True)
class Prompt:
    """The messages of one request with their rolling digests; ``seq`` is the request's event.

    The list may have grown since, where the history is shown as it is: the request's messages are
    its first ``count``. ``tools`` is the digest of the tools it offers, ``tools_seq`` the request
    that holds them; ``inline`` are the keys of messages that requests up to this one carried
    themselves.
    """

    messages: list[Message] = field(default_factory=list)
    rolled: list[bytes] = field(default_factory=list)
    tools: bytes | None = None
    tools_seq: int | None = None
    seq: int = 0
    inline: set[Key] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many messages the request has."""
        return len(self.rolled)

    @property
    def digest(self) -> bytes:
        """The rolling digest over all messages."""
        return self.rolled[-1] if self.rolled else digest.ZERO


def common(previous: Prompt, messages: Sequence[Message]) -> int:
    """How many messages two prompts have in common from the first on."""
    if messages is previous.messages:
        return previous.count  # it has only grown
    return run_length(previous.messages, 0, messages, 0, previous.count)


def extend(previous: Prompt, messages: list[Message], shared: int) -> Prompt:
    """The next prompt; only what follows the common beginning is hashed.

    It takes over the digests and the inline keys of the one before, which is of no use then.
    """
    rolled, inline, fresh = previous.rolled, previous.inline, messages[shared:]
    del rolled[shared:]
    before = rolled[-1] if rolled else digest.ZERO
    rolled += digest.roll(before, [message.digest for message in fresh])
    inline.update(message.key for message in fresh if message.origin is None)
    return Prompt(messages, rolled, previous.tools, previous.tools_seq, 0, inline)


def run_length(a: Sequence[Message], i: int, b: Sequence[Message], j: int, end: int) -> int:
    """How many messages are equal from ``a[i]`` (up to ``end``) and ``b[j]`` on, halving slices."""
    equal, unequal = 0, min(end - i, len(b) - j)
    if a[i : i + unequal] == b[j : j + unequal]:
        return unequal
    while unequal - equal > 1:
        middle = (equal + unequal) // 2
        if a[i + equal : i + middle] == b[j + equal : j + middle]:
            equal = middle
        else:
            unequal = middle
    return equal


def splice(previous: Prompt, messages: Sequence[Message], shared: int) -> list[Splice]:
    """A prompt against the previous request of the same activation; comes before ``extend``."""
    old, at, expected, fresh = previous.messages, shared, shared, 0
    out: list[Splice] = [["c", 0, at]] if at else []
    places: dict[Key, int] | None = None
    while at < len(messages):
        message = messages[at]
        place = _expected(previous, message, expected, fresh)
        if place is None and _may_be_in(previous, message):
            places = places or {m.key: n for n, m in enumerate(old[: previous.count])}
            place = places.get(message.key)
        if place is None:
            out.append(reference(message))
            at, fresh = at + 1, fresh + 1
            continue
        count = run_length(old, place, messages, at, previous.count)
        out.append(["c", place, count])
        at, expected, fresh = at + count, place + count, 0
    return out


def _expected(previous: Prompt, message: Message, at: int, fresh: int) -> int | None:
    """Where a message stands if what is new took the place of as many old ones, or of none."""
    for place in (at + fresh, at):
        if place < previous.count and previous.messages[place] == message:
            return place
    return None


def reference(message: Message) -> Splice:
    """How an event refers to a message: by the event that carries it, else inline."""
    origin = message.origin
    if not origin:
        return ["n", message.to_log()]
    # Written out, the list has no room to spare: a log holds many of them.
    return ["m", origin[0]] if len(origin) == 1 else ["m", *origin]


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


def _may_be_in(previous: Prompt, message: Message) -> bool:
    """Whether a message can stand somewhere in the request before: was it there already then?"""
    if message.origin is None:
        return message.key in previous.inline
    return message.origin[0] <= previous.seq
