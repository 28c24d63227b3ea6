"""From messages to the input items of a request, and from output items to a message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import arguments_text, parse_arguments
from agents_app.adapters.models.call_ids import CallIds, name_called
from agents_app.adapters.models.placed import laid_out, placed
from agents_app.engine.messages import Message, ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BY = "openai-responses"
_ID = re.compile(r".{1,64}", re.DOTALL)

Item = dict[str, Any]


def to_responses_format(messages: Sequence[Message]) -> list[Item]:
    """Messages as items, in order; what the provider gave comes back where it stood.

    Calls and texts go without the ids of the provider's own items: nothing is stored there.
    """
    ids = CallIds(_ID)
    return [item for message in messages for item in _items(message, ids)]


def from_responses(output: Sequence[Mapping[str, Any]]) -> Message:
    """A message of an answer. What only the provider can use is kept, and where it stood."""
    text = ""
    calls: list[ToolCall] = []
    items: list[dict[str, Any]] = []
    for item in output:
        kind = item.get("type")
        if kind == "message":
            if item.get("phase"):
                value = {"type": "message", "phase": item["phase"]}
                items.append(placed(BY, value, after=text, calls=len(calls)))
            text += "".join(_said(part) for part in item.get("content") or ())
        elif kind == "function_call":
            calls.append(_call(item))
        else:
            value = dict(item)
            shown = _shown(item) if kind == "reasoning" else None
            items.append(placed(BY, value, after=text, calls=len(calls), text=shown))
    return Message("assistant", text, calls or None, items=tuple(items))


def _said(part: Mapping[str, Any]) -> str:
    return str(part.get("text") or part.get("refusal") or "")


def _shown(item: Mapping[str, Any]) -> str:
    """What a reader sees of reasoning: the text where the model gives it, else its summary."""
    parts = item.get("content") or item.get("summary") or ()
    return "\n\n".join(str(part.get("text") or "") for part in parts)


def _call(item: Mapping[str, Any]) -> ToolCall:
    arguments, raw = parse_arguments(str(item.get("arguments") or ""))
    return ToolCall("", str(item.get("name") or ""), arguments, item.get("call_id"), raw)


def _items(message: Message, ids: CallIds) -> list[Item]:
    if message.role == "tool":
        answered = ids.answered(message)
        return [{"type": "function_call_output", "call_id": answered, "output": message.content}]
    if message.role != "assistant":
        return [{"role": message.role, "content": message.content}]
    items: list[Item] = []
    phase: Item = {}
    for kind, part in laid_out(message, ids.ask(message), BY):
        if kind == "text":
            items.append({"role": "assistant", "content": part, **phase})
        elif kind == "call":
            items.append(_asked(*part))
        elif part["value"].get("type") == "message":
            phase = {"type": "message", "phase": part["value"]["phase"]}
        else:
            items.append(dict(part["value"]))
    return items


def _asked(wire_id: str, call: ToolCall) -> Item:
    name, arguments = name_called(call), arguments_text(call)
    return {"type": "function_call", "call_id": wire_id, "name": name, "arguments": arguments}
