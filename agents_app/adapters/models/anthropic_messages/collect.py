"""From the events of a stream to a whole answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models import errors
from agents_app.adapters.models.anthropic_messages.wire import Block, from_anthropic
from agents_app.adapters.models.fields import count_of, field_of, text_of
from agents_app.engine.ports import Delta
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.messages import Message

#: The field of a block that a delta adds to, and the part of the answer that is told of it.
_GROWS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "reasoning"),
    "signature_delta": ("signature", None),
}


@dataclass(slots=True)
class Collected:
    """What a stream has said so far; ``feed`` takes an event in and gives its deltas."""

    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    blocks: dict[int, Block] = field(default_factory=dict)
    explanation: str = ""
    _usage: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(b.get("text") or "" for b in self.blocks.values() if b["type"] == "text")

    @property
    def usage(self) -> Usage | None:
        """What was counted last; ``None`` when nothing was."""
        return usage_of(self._usage) if self._usage else None

    def feed(self, event: Any) -> Iterator[Delta]:
        """Take in one event; kinds that are not known are passed over, as the provider asks."""
        kind = text_of(event, "type")
        if kind == "message_start":
            self._began(event.get("message"))
        elif kind == "content_block_start":
            yield from self._block(event)
        elif kind == "content_block_delta":
            yield from self._delta(event)
        elif kind == "message_delta":
            self._ends(event)
        elif kind == "error":
            raise errors.from_stream(event, "the stream broke off", self.text or None)

    def message(self) -> Message:
        """The answer as a message; a refusal without a word says what the provider says of it."""
        blocks = [self.blocks[index] for index in sorted(self.blocks)]
        if self.explanation and not self.text:
            blocks.append({"type": "text", "text": self.explanation})
        return from_anthropic(blocks)

    def _began(self, message: Any) -> None:
        self.id = text_of(message, "id") or None
        self.model = text_of(message, "model") or None
        self._count(field_of(message, "usage"))

    def _block(self, event: dict[str, Any]) -> Iterator[Delta]:
        block = event.get("content_block")
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            return
        self.blocks[_index(event)] = block = dict(block)
        if block["type"] == "tool_use" and not block.get("input"):
            block["input"] = ""
        elif block["type"] == "text" and block.get("text"):
            yield Delta("text", block["text"])

    def _delta(self, event: dict[str, Any]) -> Iterator[Delta]:
        delta, block = event.get("delta"), self.blocks.get(_index(event))
        kind = text_of(delta, "type")
        if block is None:
            return
        if kind == "input_json_delta":
            yield from self._arguments(block, text_of(delta, "partial_json"))
        elif kind in _GROWS:
            name, part = _GROWS[kind]
            said = text_of(delta, name)
            block[name] = (block.get(name) or "") + said
            if part and said:
                yield Delta(part, said)
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or ()), field_of(delta, "citation")]

    def _arguments(self, block: Block, piece: str) -> Iterator[Delta]:
        """A piece of a call's input; the inputs of the provider's own tools are kept with them."""
        if not piece:
            return
        said = block.get("input")
        block["input"] = (said if isinstance(said, str) else "") + piece
        if block["type"] == "tool_use":
            calls = [each for each in self.blocks.values() if each["type"] == "tool_use"]
            yield Delta(f"tool:{next(i for i, c in enumerate(calls) if c is block)}", piece)

    def _ends(self, event: dict[str, Any]) -> None:
        delta = event.get("delta")
        self.stop_reason = text_of(delta, "stop_reason") or self.stop_reason
        self.explanation = text_of(field_of(delta, "stop_details"), "explanation")
        self._count(event.get("usage"))

    def _count(self, usage: Any) -> None:
        """Counts are cumulative: what is said last holds, and what is left out stays."""
        if isinstance(usage, dict):
            self._usage |= {name: value for name, value in usage.items() if value is not None}


def usage_of(usage: dict[str, Any]) -> Usage:
    """Usage as Anthropic counts it: what was read from and written to the cache comes on top.

    A server that tells nothing of a cache has counted everything in its input.
    """
    cached, written = (
        count_of(usage, f"cache_{each}_input_tokens") for each in ("read", "creation")
    )
    apart = cached is not None or written is not None
    return Usage(
        input=count_of(usage, "input_tokens"),
        output=count_of(usage, "output_tokens"),
        cached=(cached or 0) if apart else None,
        reasoning=count_of(usage.get("output_tokens_details"), "thinking_tokens"),
        semantics="cached_apart" if apart else "inclusive",
        written=(written or 0) if apart else None,
        written_1h=count_of(usage.get("cache_creation"), "ephemeral_1h_input_tokens"),
    )


def _index(event: dict[str, Any]) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else 0
