"""How long a prompt is, about: the count of tokens is a provider's own, and differs by model."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agents_app.engine.messages import Message

#: Letters of ASCII in a token; any other character is counted as one.
_LETTERS = 4
#: Tokens around a message, and around each call in it.
_FRAME = 4


def tokens_of(message: Message) -> int:
    """About how many tokens a message takes; counted once."""
    known: int = message.once("_tokens", partial(_count, message))
    return known


def _count(message: Message) -> int:
    count = _FRAME + tokens_in(message.content)
    for call in message.calls:
        arguments = call.raw if call.raw is not None else canonical.dumps(call.arguments)
        text = arguments if isinstance(arguments, str) else arguments.decode()
        count += _FRAME + tokens_in(call.name) + tokens_in(text)
    return count


def tokens_in(text: str) -> int:
    """About how many tokens a text takes."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return -(-plain // _LETTERS) + len(text) - plain


def all_tokens(messages: Iterable[Message]) -> int:
    """About how many tokens a prompt takes, without its tools."""
    return sum(map(tokens_of, messages))
