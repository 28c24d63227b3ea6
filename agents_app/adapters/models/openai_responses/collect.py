"""From the events of a stream to a whole answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models import errors
from agents_app.adapters.models.fields import count_of, field_of, text_of
from agents_app.adapters.models.openai_responses.wire import Item, from_responses
from agents_app.engine.ports import Delta
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.messages import Message

_TEXT = ("response.output_text.delta", "response.refusal.delta")
_REASONING = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_ENDS = ("response.completed", "response.incomplete", "response.failed")


@dataclass(slots=True)
class Collected:
    """What a stream has said so far; ``feed`` takes an event in and gives its deltas."""

    text: str = ""
    id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    refused: bool = False
    _done: dict[int, Item] = field(default_factory=dict)
    _calls: dict[int, Item] = field(default_factory=dict)

    def feed(self, event: Any) -> Iterator[Delta]:
        """Take in one event; kinds that are not known are passed over."""
        kind, place = text_of(event, "type"), count_of(event, "output_index") or 0
        if kind in _TEXT:
            self.refused = self.refused or kind == _TEXT[1]
            self.text += text_of(event, "delta")
            yield Delta("text", text_of(event, "delta"))
        elif kind in _REASONING:
            yield Delta("reasoning", text_of(event, "delta"))
        elif kind == "response.reasoning_summary_part.added" and count_of(event, "summary_index"):
            yield Delta("reasoning", "\n\n")
        elif kind == "response.function_call_arguments.delta":
            yield from self._arguments(place, text_of(event, "delta"))
        else:
            self._told(kind, place, event)

    def message(self) -> Message:
        """The answer as a message: the items that ended, and what had begun of the others."""
        done = {place: self._done[place] for place in sorted(self._done)}
        if not done and self.text:
            done[-1] = {"type": "message", "content": [{"text": self.text}]}
        for place, call in self._calls.items():
            done.setdefault(place, call)
        return from_responses(list(done.values()))

    def _arguments(self, place: int, piece: str) -> Iterator[Delta]:
        call = self._calls.setdefault(place, {"type": "function_call"})
        call["arguments"] = (call.get("arguments") or "") + piece
        yield Delta(f"tool:{list(self._calls).index(place)}", piece)

    def _told(self, kind: str, place: int, event: Any) -> None:
        """What an event says that is no delta."""
        if kind == "response.output_item.added":
            item = _plain(field_of(event, "item"))
            if item.get("type") == "function_call":
                self._calls[place] = item
        elif kind == "response.output_item.done":
            self._done[place] = _plain(field_of(event, "item"))
        elif kind == "error":
            raise errors.from_stream(_plain(event), "the stream broke off", self.text or None)
        elif response := field_of(event, "response"):
            self.id = text_of(response, "id") or self.id
            self.model = text_of(response, "model") or self.model
            if kind in _ENDS:
                self._ends(kind.removeprefix("response."), response)

    def _ends(self, status: str, response: Any) -> None:
        usage = field_of(response, "usage")
        self.usage = usage_of(usage) if usage is not None else None
        if status == "failed":
            error = _plain(field_of(response, "error"))
            raise errors.from_stream(error, "the provider failed", self.text or None)
        if not self._done:
            self._done = dict(enumerate(map(_plain, field_of(response, "output") or ())))
        reason = text_of(field_of(response, "incomplete_details"), "reason")
        self.stop_reason = "refusal" if self.refused and not reason else reason or status


def usage_of(usage: Any) -> Usage:
    """Usage as OpenAI counts it: cached within input, reasoning within output; unknown is None."""
    read, made = field_of(usage, "input_tokens_details"), field_of(usage, "output_tokens_details")
    return Usage(
        input=count_of(usage, "input_tokens"),
        output=count_of(usage, "output_tokens"),
        cached=count_of(read, "cached_tokens"),
        reasoning=count_of(made, "reasoning_tokens"),
        written=count_of(read, "cache_write_tokens") or None,
    )


def _plain(value: Any) -> Item:
    """An object of the SDK as it was sent."""
    if isinstance(value, dict):
        return value
    return value.to_dict(mode="json") if hasattr(value, "to_dict") else {}
