"""Requests of OpenAI responses, checked as strictly as the real server does."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import parse_arguments
from agents_app.engine.messages import Message, ToolCall
from agents_app.testing.model_protocol import Asked, Unacceptable
from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Item = dict[str, Any]

_KNOWN = frozenset(
    "background context_management conversation include input instructions max_output_tokens "
    "max_tool_calls metadata model parallel_tool_calls previous_response_id prompt "
    "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier "
    "service_tier store stream stream_options temperature text tool_choice tools top_logprobs "
    "top_p truncation user".split()
)
_ROLES = ("user", "assistant", "system", "developer")
_LONGEST_ID = 64
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SECRET = b"what only the provider knows"


def encrypted(reasoning_id: str, summary: Any) -> str:
    """What only the provider can read of a reasoning item; it fits no other item."""
    mark = hashlib.sha256(_SECRET + canonical.dumps([reasoning_id, summary])).digest()
    return "gAAAA" + base64.urlsafe_b64encode(mark * 4).decode()


def read(body: bytes) -> Asked:
    """Read and check a request.

    Raises:
        Unacceptable: what the real server answers with 400.
    """
    try:
        data = json.loads(body)
    except ValueError as error:
        raise Unacceptable(f"We could not parse the JSON body of your request: {error}") from error
    for name in data:
        if name not in _KNOWN:
            raise Unacceptable(
                f"Unknown parameter: '{name}'.", param=name, code="unknown_parameter"
            )
    for name in ("model", "input"):
        if not data.get(name):
            raise Unacceptable(
                f"Missing required parameter: '{name}'.", param=name, code="missing_parameter"
            )
    asked = data["input"]
    items = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
    for place, item in enumerate(items):
        _check_item(f"input[{place}]", item, items[place + 1 :])
    _check_pairs(items)
    tools = tuple(_name(place, each) for place, each in enumerate(data.get("tools") or ()))
    messages = tuple(_messages(data.get("instructions"), items))
    return Asked(data["model"], messages, tools, bool(data.get("stream")), data)


def _name(place: int, tool: Item) -> str:
    """A tool's name; it stands at the top here, not below ``function``."""
    if not isinstance(tool.get("name"), str):
        param = f"tools[{place}].name"
        raise Unacceptable(
            f"Missing required parameter: '{param}'.", param=param, code="missing_parameter"
        )
    name: str = tool["name"]
    return name


def _check_item(where: str, item: Item, after: Sequence[Item]) -> None:
    kind = item.get("type") or "message"
    if kind == "message":
        if item.get("role") not in _ROLES or not isinstance(item.get("content"), (str, list)):
            raise Unacceptable(f"Invalid value: '{item.get('role')}'.", param=f"{where}.role")
    elif kind == "function_call":
        if not isinstance(item.get("arguments"), str):
            raise Unacceptable(f"Invalid type for '{where}.arguments'.", param=f"{where}.arguments")
        if not _NAME.fullmatch(str(item.get("name") or "")):
            raise Unacceptable(
                f"Invalid '{where}.name': string does not match pattern. Expected a string that "
                "matches the pattern '^[a-zA-Z0-9_-]+$'.",
                param=f"{where}.name",
            )
    elif kind == "reasoning":
        _check_reasoning(item, after)
    elif kind != "function_call_output":
        raise Unacceptable(f"Invalid value: '{kind}'.", param=f"{where}.type", code="invalid_value")
    if len(item.get("call_id") or "") > _LONGEST_ID:
        raise Unacceptable(
            f"Invalid '{where}.call_id': string too long.", code="string_above_max_length"
        )


def _check_reasoning(item: Item, after: Sequence[Item]) -> None:
    """Reasoning is what was sent, and what came of it follows."""
    name, sealed = item.get("id"), item.get("encrypted_content")
    if not sealed:
        raise Unacceptable(
            f"Item with id '{name}' not found. Items are not persisted when `store` is set to "
            "false. Try again with `store` set to true, or remove this item from your input."
        )
    if sealed != encrypted(str(name), item.get("summary")):
        raise Unacceptable(
            f"The encrypted content {sealed[:4]}...{sealed[-4:]} could not be verified.",
            code="invalid_encrypted_content",
        )
    follows = after[0] if after else {}
    ours = follows.get("role") == "assistant" or follows.get("type") in (
        "function_call",
        "reasoning",
    )
    if not ours:
        raise Unacceptable(
            f"Item '{name}' of type 'reasoning' was provided without its required following item.",
            param="input",
        )


def _check_pairs(items: Sequence[Item]) -> None:
    """Each call has one output after it, and each output its call before it."""
    asked: dict[str, bool] = {}
    for item in items:
        call_id = str(item.get("call_id"))
        if item.get("type") == "function_call":
            asked[call_id] = False
        elif item.get("type") == "function_call_output":
            if asked.get(call_id) is not False:
                raise Unacceptable(
                    f"No tool call found for function call output with call_id {call_id}.",
                    param="input",
                )
            asked[call_id] = True
    for call_id, answered in asked.items():
        if not answered:
            raise Unacceptable(f"No tool output found for function call {call_id}.", param="input")


def _messages(instructions: str | None, items: Sequence[Item]) -> Iterator[Message]:
    """The items as a script reads them; what one answer said is one message again."""
    if instructions:
        yield Message("system", instructions)
    text, calls = "", []
    for item in items:
        kind, role = item.get("type") or "message", item.get("role")
        if kind == "message" and role == "assistant":
            text += _text(item["content"])
        elif kind == "function_call":
            arguments, raw = parse_arguments(item["arguments"])
            calls.append(ToolCall(item["call_id"], item["name"], arguments, item["call_id"], raw))
        elif kind != "reasoning":
            if text or calls:
                yield Message("assistant", text, calls or None)
                text, calls = "", []
            yield _said(item, role)
    if text or calls:
        yield Message("assistant", text, calls or None)


def _said(item: Item, role: Any) -> Message:
    if item.get("type") == "function_call_output":
        return Message("tool", _text(item["output"]), tool_call_id=item["call_id"])
    return Message("system" if role == "developer" else role, _text(item["content"]))


def _text(content: str | Sequence[Mapping[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in content)
