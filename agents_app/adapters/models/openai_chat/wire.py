"""From messages to the body of a request, and back. The same messages give the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import arguments_text, parse_arguments
from agents_app.adapters.models.call_ids import CallIds, name_called
from agents_app.engine.messages import Message, ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.engine.ports import ModelRequest

#: Kept items that the provider wants back verbatim; the rest is for readers.
RETURNED_ITEM = "reasoning_details"
_OURS = frozenset({"model", "messages", "tools", "stream"})


def body_of(request: ModelRequest, model: str) -> dict[str, Any]:
    """The arguments of ``chat.completions.create``; ``params`` pass as they are, last."""
    body: dict[str, Any] = {"model": model, "messages": to_openai_format(request.messages)}
    if request.tools:
        body["tools"] = list(request.tools)
    body["stream"] = True
    body["stream_options"] = {"include_usage": True}
    body["extra_body"] = {k: request.params[k] for k in sorted(request.params) if k not in _OURS}
    return body


def to_openai_format(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as the provider knows them: its own call ids where it gave some, ours elsewhere."""
    ids = CallIds()
    return [_wire_message(message, ids) for message in messages]


def from_openai(message: Mapping[str, Any]) -> Message:
    """A message of an answer; what a reader or the provider may want again is in its items."""
    items: list[dict[str, Any]] = []
    if message.get("reasoning_content"):
        items.append({"type": "reasoning", "text": message["reasoning_content"]})
    if message.get(RETURNED_ITEM):
        items.append({"type": RETURNED_ITEM, "value": message[RETURNED_ITEM]})
    asked = message.get("tool_calls") or []
    ids = [each.get("id") for each in asked]
    # An id that is given twice names nothing: then ours is used.
    calls = [_call(each, unique=ids.count(each.get("id")) == 1) for each in asked]
    text = message.get("content") or message.get("refusal") or ""
    return Message("assistant", text, calls or None, items=tuple(items))


def _call(data: Mapping[str, Any], *, unique: bool) -> ToolCall:
    function = data["function"]
    arguments, raw = parse_arguments(function["arguments"])
    return ToolCall("", function["name"], arguments, data.get("id") if unique else None, raw)


def _wire_message(message: Message, ids: CallIds) -> dict[str, Any]:
    if message.role == "tool":
        return {
            "role": "tool",
            "tool_call_id": ids.answered(message),
            "content": message.content,
        }
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.name is not None:
        wire["name"] = message.name
    if message.calls:
        wire["content"] = message.content or None
        wire["tool_calls"] = [_wire_call(wire_id, call) for wire_id, call in ids.ask(message)]
    for item in message.items:
        if item.get("type") == RETURNED_ITEM:
            wire[RETURNED_ITEM] = item["value"]
    return wire


def _wire_call(wire_id: str, call: ToolCall) -> dict[str, Any]:
    function = {"name": name_called(call), "arguments": arguments_text(call)}
    return {"id": wire_id, "type": "function", "function": function}
