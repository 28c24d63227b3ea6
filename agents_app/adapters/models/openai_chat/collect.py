"""From the chunks of a stream to a whole answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.fields import count_of, text_of
from agents_app.adapters.models.openai_chat.wire import RETURNED_ITEM, from_openai
from agents_app.engine.ports import Delta
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.messages import Message


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
    finish_reason: str | None = None
    refused: bool = False
    model: str | None = None
    id: str | None = None
    _by_index: dict[int, int] = field(default_factory=dict)

    def feed(self, chunk: Any) -> Iterator[Delta]:
        """Take in one ``chat.completion.chunk``; servers leave out what they like."""
        self.id = self.id or text_of(chunk, "id") or None
        self.model = text_of(chunk, "model") or self.model
        if getattr(chunk, "usage", None) is not None:
            self.usage = usage_of(chunk.usage)
        for choice in getattr(chunk, "choices", None) or ():
            if getattr(choice, "delta", None) is not None:
                yield from self._delta(choice.delta)
            self.finish_reason = text_of(choice, "finish_reason") or self.finish_reason

    @property
    def stop_reason(self) -> str | None:
        """Why it ended; a refusal by the model itself is told as one."""
        return "refusal" if self.refused and self.finish_reason == "stop" else self.finish_reason

    def _delta(self, delta: Any) -> Iterator[Delta]:
        if reasoning := text_of(delta, "reasoning_content") or text_of(delta, "reasoning"):
            self.reasoning += reasoning
            yield Delta("reasoning", reasoning)
        self.details += getattr(delta, RETURNED_ITEM, None) or ()
        refusal = text_of(delta, "refusal")
        self.refused = self.refused or bool(refusal)
        if text := text_of(delta, "content") + refusal:
            self.text += text
            yield Delta("text", text)
        for part in getattr(delta, "tool_calls", None) or ():
            yield from self._call(part)

    def _call(self, part: Any) -> Iterator[Delta]:
        place = self._place(part)
        call = self.calls[place]
        call.id = call.id or text_of(part, "id") or None
        function = getattr(part, "function", None)
        name, arguments = text_of(function, "name"), text_of(function, "arguments")
        if name != call.name:
            call.name += name
        if arguments:
            call.arguments += arguments
            yield Delta(f"tool:{place}", arguments)

    def _place(self, part: Any) -> int:
        """Which call a part belongs to: by index, but a server may say 0 for every call."""
        index, part_id = getattr(part, "index", None), text_of(part, "id") or None
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
        """The answer as a message."""
        calls = [
            {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}
            for call in self.calls
        ]
        said = {"content": self.text, "reasoning_content": self.reasoning, "tool_calls": calls}
        return from_openai({**said, RETURNED_ITEM: self.details})


def usage_of(usage: Any) -> Usage:
    """Usage as OpenAI counts it: cached within input, reasoning within output; unknown is None."""
    prompt = getattr(usage, "prompt_tokens_details", None)
    completion = getattr(usage, "completion_tokens_details", None)
    return Usage(
        input=count_of(usage, "prompt_tokens"),
        output=count_of(usage, "completion_tokens"),
        cached=count_of(prompt, "cached_tokens"),
        reasoning=count_of(completion, "reasoning_tokens"),
    )
