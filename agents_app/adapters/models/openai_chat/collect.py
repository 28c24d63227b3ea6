"""From the chunks of a stream to a whole answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import parse_arguments
from agents_app.adapters.models.openai_chat.wire import RETURNED_ITEM
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import Delta
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class _Call:
    id: str | None = None
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Collected:
    """What a stream has said so far; ``feed`` takes a chunk in and gives its deltas."""

    text: str = ""
    reasoning: str = ""
    details: list[Any] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    usage: Usage | None = None
    stop_reason: str | None = None
    refused: bool = False
    model: str | None = None
    id: str | None = None
    _by_index: dict[int, int] = field(default_factory=dict)

    def feed(self, chunk: Any) -> Iterator[Delta]:
        """Take in one ``chat.completion.chunk``; servers leave out what they like."""
        self.id = self.id or _text(chunk, "id") or None
        self.model = _text(chunk, "model") or self.model
        if getattr(chunk, "usage", None) is not None:
            self.usage = usage_of(chunk.usage)
        for choice in getattr(chunk, "choices", None) or ():
            if getattr(choice, "delta", None) is not None:
                yield from self._delta(choice.delta)
            self.stop_reason = _text(choice, "finish_reason") or self.stop_reason

    def _delta(self, delta: Any) -> Iterator[Delta]:
        if reasoning := _text(delta, "reasoning_content") or _text(delta, "reasoning"):
            self.reasoning += reasoning
            yield Delta("reasoning", reasoning)
        self.details += getattr(delta, RETURNED_ITEM, None) or ()
        refusal = _text(delta, "refusal")
        self.refused = self.refused or bool(refusal)
        if text := _text(delta, "content") + refusal:
            self.text += text
            yield Delta("text", text)
        for part in getattr(delta, "tool_calls", None) or ():
            yield from self._call(part)

    def _call(self, part: Any) -> Iterator[Delta]:
        place = self._place(part)
        call = self.calls[place]
        call.id = call.id or _text(part, "id") or None
        function = getattr(part, "function", None)
        name, arguments = _text(function, "name"), _text(function, "arguments")
        if name != call.name:
            call.name += name
        if arguments:
            call.arguments += arguments
            yield Delta(f"tool:{place}", arguments)

    def _place(self, part: Any) -> int:
        """Which call a part belongs to: by index, but a server may say 0 for every call."""
        index, part_id = getattr(part, "index", None), _text(part, "id") or None
        known = self._by_index.get(index) if index is not None else len(self.calls) - 1
        fresh = known is None or known < 0
        if not fresh and part_id and self.calls[known or 0].id not in (None, part_id):
            fresh = True
        if not fresh:
            return known or 0
        self.calls.append(_Call())
        if index is not None:
            self._by_index[index] = len(self.calls) - 1
        return len(self.calls) - 1

    def message(self) -> Message:
        """The answer as a message; what a reader or the provider may want again is in its items."""
        items: list[dict[str, Any]] = []
        if self.reasoning:
            items.append({"type": "reasoning", "text": self.reasoning})
        if self.details:
            items.append({"type": RETURNED_ITEM, "value": self.details})
        calls = [self._tool_call(place) for place in range(len(self.calls))]
        return Message("assistant", self.text, calls or None, items=tuple(items))

    def _tool_call(self, place: int) -> ToolCall:
        call = self.calls[place]
        arguments, raw = parse_arguments(call.arguments)
        # An id that is given twice names nothing: then ours is used.
        unique = sum(call.id == other.id for other in self.calls) == 1
        return ToolCall("", call.name, arguments, call.id if unique else None, raw)


def usage_of(usage: Any) -> Usage:
    """Usage as OpenAI counts it: cached within input, reasoning within output; unknown is None."""
    prompt = getattr(usage, "prompt_tokens_details", None)
    completion = getattr(usage, "completion_tokens_details", None)
    return Usage(
        input=_count(usage, "prompt_tokens"),
        output=_count(usage, "completion_tokens"),
        cached=_count(prompt, "cached_tokens"),
        reasoning=_count(completion, "reasoning_tokens"),
    )


def _count(source: Any, name: str) -> int | None:
    value = getattr(source, name, None)
    return value if isinstance(value, int) and value >= 0 else None


def _text(source: Any, name: str) -> str:
    value = getattr(source, name, None)
    return value if isinstance(value, str) else ""
