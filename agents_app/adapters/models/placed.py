"""What a provider wants back verbatim (signed thinking, encrypted reasoning), and where it stood.

It is kept in the ``items`` of a message: ``{"type", "text", "by", "at", "value"}``. ``text`` is
for readers, ``value`` for the provider named in ``by``, and ``at`` is how much of the text and how
many calls came before. Another provider never gets it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.messages import Message, ToolCall

Part = tuple[str, Any]


def placed(
    by: str, value: dict[str, Any], *, after: str, calls: int, text: str | None = None
) -> dict[str, Any]:
    """An item that stood behind the text ``after`` and so many calls.

    Args:
        text: what a reader sees of it; ``None`` for what nobody can read.
    """
    shown = {"type": "opaque"} if text is None else {"type": "reasoning", "text": text}
    return {**shown, "by": by, "at": [len(after), calls], "value": value}


def laid_out(message: Message, calls: list[tuple[str, ToolCall]], by: str) -> Iterator[Part]:
    """A message in the order in which the provider gave it.

    Yields ``("text", text)``, ``("item", item)`` and ``("call", (wire id, call))``.
    """
    said = asked = 0
    kept = [item for item in message.items if item.get("by") == by]
    for item in sorted(kept, key=lambda item: tuple(reversed(item["at"]))):
        text_at, calls_at = item["at"]
        upto = len(message.content) if calls_at else text_at
        if message.content[said:upto]:
            yield "text", message.content[said:upto]
        for call in calls[asked:calls_at]:
            yield "call", call
        said, asked = max(said, upto), max(asked, calls_at)
        yield "item", item
    if message.content[said:]:
        yield "text", message.content[said:]
    for call in calls[asked:]:
        yield "call", call
