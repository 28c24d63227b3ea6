"""Messages that code made: a strategy, a hook, the instructions of an agent.

A request or the end of a step carries them inline. What a model is told so holds no secret: it is
taken out for good, the same in a replay, and in a text that the loop composes a marker is text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agents_app.engine.messages import Message, from_log
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agents_app.engine.log.record import Record


def own_words(record: Record, messages: Iterable[Message]) -> list[Message]:
    """Messages as an event may carry them: one that an event does carry stays what it is."""
    return [_checked(record, message) for message in messages]


def _checked(record: Record, message: Message) -> Message:
    if message.origin is None:
        return composed(message)
    kept = record.message(*message.origin)
    if message is kept or message.digest == kept.digest:
        return message
    return composed(replace(message, origin=None))


def composed(message: Message) -> Message:
    """A message that no event carries, in the one form of values and without a secret."""
    form = message.to_log()
    clean = withhold(sanitise(form)[0])
    if clean is not form:
        return from_log(clean)
    return replace(message, spans=()) if message.spans else message
