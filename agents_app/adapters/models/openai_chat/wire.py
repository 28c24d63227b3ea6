"""From messages to the body of a request. The same messages give the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import Message, ToolCall
    from agents_app.engine.ports import ModelRequest

#: Kept items that the provider wants back verbatim; the rest is for readers.
RETURNED_ITEM = "reasoning_details"
_OURS = frozenset({"model", "messages", "tools", "stream"})


def body_of(request: ModelRequest, model: str) -> dict[str, Any]:
    """The arguments of ``chat.completions.create``; ``params`` pass as they are, last."""
    body: dict[str, Any] = {"model": model, "messages": wire_messages(request.messages)}
    if request.tools:
        body["tools"] = list(request.tools)
    body["stream"] = True
    body["stream_options"] = {"include_usage": True}
    body["extra_body"] = {k: request.params[k] for k in sorted(request.params) if k not in _OURS}
    return body


def wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as the provider knows them: its own call ids where it gave some, ours elsewhere."""
    ids: dict[str, str] = {}
    out: list[dict[str, Any]] = []
    for message in messages:
        ids.update((call.id, _wire_id(call)) for call in message.calls)
        out.append(_wire_message(message, ids))
    return out


def _wire_message(message: Message, ids: dict[str, str]) -> dict[str, Any]:
    if message.role == "tool":
        call_id = message.tool_call_id or ""
        return {
            "role": "tool",
            "tool_call_id": ids.get(call_id, call_id),
            "content": message.content,
        }
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.name is not None:
        wire["name"] = message.name
    if message.calls:
        wire["content"] = message.content or None
        wire["tool_calls"] = [_wire_call(call) for call in message.calls]
    for item in message.items:
        if item.get("type") == RETURNED_ITEM:
            wire[RETURNED_ITEM] = item["value"]
    return wire


def _wire_call(call: ToolCall) -> dict[str, Any]:
    text = call.raw if call.raw is not None else canonical.dumps(call.arguments).decode()
    return {
        "id": _wire_id(call),
        "type": "function",
        "function": {"name": call.name, "arguments": text},
    }


def _wire_id(call: ToolCall) -> str:
    return call.provider_id or call.id
