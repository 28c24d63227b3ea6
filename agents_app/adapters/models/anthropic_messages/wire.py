"""From messages to the content blocks of a request, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import parse_arguments
from agents_app.adapters.models.call_ids import CallIds, name_called
from agents_app.adapters.models.placed import laid_out, placed
from agents_app.engine.messages import Message, ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BY = "anthropic"
_ID = re.compile(r"[A-Za-z0-9_-]+")
#: What an input that is no object is wrapped in: the provider takes nothing but objects.
_BROKEN = "INVALID_JSON"
_READABLE = "thinking"
#: What stands in front of an answer that a request begins with: the user has to be first.
_BEFORE = "(The conversation so far is left out.)"

Block = dict[str, Any]


def to_anthropic_format(messages: Sequence[Message]) -> tuple[str, list[dict[str, Any]]]:
    """The system prompt, and turns of user and assistant by turns.

    All results of a turn stand at the head of one user message, before what the user says. A
    block of nothing but space is left out: the provider refuses it. Where the conversation begins
    with an answer, or nothing is left of it, the user's turn that has to be first says so.
    """
    ids = CallIds(_ID)
    system: list[str] = []
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            system.append(message.content)
            continue
        blocks = _blocks(message, ids)
        role = "assistant" if message.role == "assistant" else "user"
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    if not turns or turns[0]["role"] != "user":
        turns.insert(0, {"role": "user", "content": _text(_BEFORE)})
    return "\n\n".join(system), turns


def from_anthropic(blocks: Sequence[Mapping[str, Any]]) -> Message:
    """A message of an answer. What only the provider can use is kept, and where it stood.

    The input of a ``tool_use`` may be the text that was streamed.
    """
    text, calls, items = "", [], []
    for block in blocks:
        kind = block.get("type")
        if kind == "text":
            text += block.get("text") or ""
        elif kind == "tool_use":
            calls.append(_call(block))
        else:
            items.append(_item(block, text, len(calls)))
    return Message("assistant", text, calls or None, items=tuple(items))


def _call(block: Mapping[str, Any]) -> ToolCall:
    said = block.get("input")
    arguments, raw = (said, None) if isinstance(said, dict) else parse_arguments(str(said or ""))
    return ToolCall("", str(block.get("name") or ""), arguments, block.get("id"), raw)


def _item(block: Mapping[str, Any], after: str, calls: int) -> dict[str, Any]:
    """A block kept verbatim; the text of thinking is stored once, where readers find it."""
    readable = block.get("type") == _READABLE
    value = {name: each for name, each in block.items() if not (readable and name == _READABLE)}
    if isinstance(value.get("input"), str):  # as it was streamed
        value["input"] = parse_arguments(value["input"])[0]
    text = str(block.get(_READABLE) or "") if readable else None
    return placed(BY, value, after=after, calls=calls, text=text)


def _blocks(message: Message, ids: CallIds) -> list[Block]:
    if message.role == "tool":
        return [_result(message, ids)]
    if message.role != "assistant":
        return _text(message.content)
    blocks: list[Block] = []
    for kind, part in laid_out(message, ids.ask(message), BY):
        if kind == "text":
            blocks += _text(part)
        elif kind == "call":
            blocks.append(_use(*part))
        else:
            blocks.append(_verbatim(part))
    return blocks


def _text(text: str) -> list[Block]:
    return [{"type": "text", "text": text}] if text.strip() else []


def _result(message: Message, ids: CallIds) -> Block:
    result: Block = {"type": "tool_result", "tool_use_id": ids.answered(message)}
    return {**result, "content": message.content} if message.content.strip() else result


def _use(wire_id: str, call: ToolCall) -> Block:
    asked = call.arguments if call.raw is None else {_BROKEN: call.raw}
    return {"type": "tool_use", "id": wire_id, "name": name_called(call), "input": asked}


def _verbatim(item: Mapping[str, Any]) -> Block:
    value: Block = dict(item["value"])
    if value.get("type") == _READABLE:
        value[_READABLE] = item["text"]
    return value
