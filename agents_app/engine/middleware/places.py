"""Places in a prompt that are found again: a state names a message, it keeps no count of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import Message

#: ``[what the message is called, which one of that name]``
Mark = list[Any]


def mark_of(messages: Sequence[Message], place: int) -> Mark:
    """What a state keeps of a message, to find its place in a longer prompt."""
    name = _name(messages[place])
    return [name, sum(_name(message) == name for message in messages[:place])]


def place_of(messages: Sequence[Message], mark: Mark | None) -> int | None:
    """Where the marked message stands, ``None`` when it is not in the prompt."""
    if mark is None:
        return None
    name, nth = mark
    places = [place for place, message in enumerate(messages) if _name(message) == name]
    return places[nth] if nth < len(places) else None


def head_of(messages: Sequence[Message]) -> int:
    """How many messages with instructions a prompt begins with."""
    at = 0
    while at < len(messages) and messages[at].role == "system":
        at += 1
    return at


def safe_cut(messages: Sequence[Message], at: int) -> int:
    """The nearest place before ``at`` that parts no call from its results."""
    at = max(0, min(at, len(messages)))
    while 0 < at < len(messages) and messages[at].role == "tool":
        at -= 1
    return at


def last_from_user(messages: Sequence[Message]) -> int | None:
    """The place of what the user said last."""
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].role == "user":
            return place
    return None


def _name(message: Message) -> str:
    if message.origin:
        return ".".join(map(str, message.origin))
    return message.digest.hex()[:32]
