"""Requests of Anthropic messages, checked as strictly as the real server does."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import Message, ToolCall
from agents_app.testing.model_protocol import Asked, Unacceptable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Block = dict[str, Any]
Turn = tuple[str, list[Block]]

_KNOWN = frozenset(
    "model messages max_tokens system tools tool_choice stream temperature top_p top_k metadata "
    "stop_sequences thinking output_config service_tier container cache_control".split()
)
_ID = re.compile(r"[A-Za-z0-9_-]+")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
_MOST_MARKERS = 4
_LEAST_BUDGET = 1024
_THINKING = ("thinking", "redacted_thinking")
_KINDS = {"user": ("text", "tool_result"), "assistant": ("text", "tool_use", *_THINKING)}
_SECRET = b"what only the provider knows"


def signature(text: str) -> str:
    """The provider's signature of a text, which shows whether it is still what was sent."""
    return base64.b64encode(hashlib.sha256(_SECRET + text.encode()).digest() * 3).decode()


def sealed(text: str) -> str:
    """A text that only the provider can read."""
    return base64.b64encode(b"%s|%s" % (signature(text)[:44].encode(), text.encode())).decode()


def thinks(body: Mapping[str, Any]) -> bool:
    """Whether a request lets the model think."""
    thinking = body.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") in ("enabled", "adaptive")


def read(headers: Mapping[str, str], body: bytes) -> Asked:
    """Read and check a request.

    Raises:
        Unacceptable: what the real server answers with 400.
    """
    if "anthropic-version" not in headers:
        raise Unacceptable("anthropic-version: header is required")
    try:
        data = json.loads(body)
    except ValueError as error:
        raise Unacceptable(f"The request body is not valid JSON: {error}") from error
    _check_fields(data)
    turns = _turns(data["messages"])
    _check_pairs(turns)
    _check_thinking(data, turns)
    if sum(1 for _ in _markers(data)) > _MOST_MARKERS:
        raise Unacceptable("A maximum of 4 blocks with cache_control may be provided.")
    tools = tuple(tool["name"] for tool in data.get("tools") or ())
    called = any(block["type"] == "tool_use" for _, blocks in turns for block in blocks)
    if called and not tools:
        raise Unacceptable(
            "Requests which include `tool_use` or `tool_result` blocks must define tools"
        )
    offered = () if (data.get("tool_choice") or {}).get("type") == "none" else tools
    messages = tuple(_messages(data.get("system"), turns))
    return Asked(data["model"], messages, offered, bool(data.get("stream")), data)


def _check_fields(data: dict[str, Any]) -> None:
    for name, kind in (("model", str), ("messages", list), ("max_tokens", int)):
        if name not in data:
            raise Unacceptable(f"{name}: Field required")
        if not isinstance(data[name], kind):
            raise Unacceptable(f"{name}: Input should be a valid {kind.__name__}")
    for name in data:
        if name not in _KNOWN:
            raise Unacceptable(f"{name}: Extra inputs are not permitted")
    for place, tool in enumerate(data.get("tools") or ()):
        if not _NAME.fullmatch(tool.get("name") or ""):
            raise Unacceptable(f"tools.{place}.custom.name: String should match pattern")
        if (tool.get("input_schema") or {}).get("type") != "object":
            raise Unacceptable(f"tools.{place}.custom.input_schema.type: Field required")
    budget = (data.get("thinking") or {}).get("budget_tokens")
    if budget is not None and not _LEAST_BUDGET <= budget < data["max_tokens"]:
        raise Unacceptable("`max_tokens` must be greater than `thinking.budget_tokens`")


def _turns(messages: Sequence[Any]) -> list[Turn]:
    """The turns; those of one role that follow each other are one, as the server has it."""
    if not messages:
        raise Unacceptable("messages: at least one message is required")
    turns: list[Turn] = []
    for place, message in enumerate(messages):
        role, content = message.get("role"), message.get("content")
        if role not in ("user", "assistant"):
            raise Unacceptable(f"messages.{place}.role: Input should be 'user' or 'assistant'")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not blocks:
            raise Unacceptable(f"messages.{place}: all messages must have non-empty content")
        for at, block in enumerate(blocks):
            _check_block(f"messages.{place}.content.{at}", role, block)
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        else:
            turns.append((role, list(blocks)))
    if turns[0][0] != "user":
        raise Unacceptable('messages: first message must use the "user" role')
    return turns


def _check_block(where: str, role: str, block: Block) -> None:
    kind = block.get("type")
    if kind == "text" and not (block.get("text") or "").strip():
        raise Unacceptable("messages: text content blocks must contain non-whitespace text")
    if kind == "tool_use":
        if not _ID.fullmatch(block.get("id") or "") or not isinstance(block.get("input"), dict):
            raise Unacceptable(f"{where}.tool_use: Input should be a valid dictionary")
        if not _NAME.fullmatch(block.get("name") or ""):
            raise Unacceptable(f"{where}.tool_use.name: String should match pattern")
    if kind not in _KINDS[role]:
        raise Unacceptable(f"{where}: Input tag '{kind}' found using 'type' is not expected")
    if kind == "thinking" and block.get("signature") != signature(block.get("thinking") or ""):
        raise Unacceptable(f"{where}: Invalid `signature` in `thinking` block")
    if kind == "redacted_thinking" and not _is_sealed(block.get("data") or ""):
        raise Unacceptable(f"{where}: Invalid `data` in `redacted_thinking` block")


def _is_sealed(data: str) -> bool:
    try:
        mark, _, text = base64.b64decode(data).decode().partition("|")
    except ValueError:
        return False
    return mark == signature(text)[:44]


def _check_pairs(turns: Sequence[Turn]) -> None:
    """Each use has its result at the head of the next message, and each result its use."""
    seen: set[str] = set()
    waiting: set[str] = set()
    for place, (_, blocks) in enumerate(turns):
        head = 0
        while head < len(blocks) and blocks[head]["type"] == "tool_result":
            waiting = _answered(f"messages.{place}.content.{head}", blocks[head], waiting)
            head += 1
        if waiting:
            raise Unacceptable(
                f"messages.{place - 1}: `tool_use` ids were found without `tool_result` blocks "
                f"immediately after: {', '.join(sorted(waiting))}. Each `tool_use` block must "
                "have a corresponding `tool_result` block in the next message."
            )
        if any(block["type"] == "tool_result" for block in blocks[head:]):
            raise Unacceptable(f"messages.{place}: `tool_result` blocks must come first")
        ids = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if len(set(ids)) < len(ids) or seen & set(ids):
            raise Unacceptable(f"messages.{place}: `tool_use` ids must be unique")
        seen |= set(ids)
        waiting = set(ids)
    if waiting:
        raise Unacceptable(
            f"messages.{len(turns) - 1}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {', '.join(sorted(waiting))}."
        )


def _answered(where: str, block: Block, waiting: set[str]) -> set[str]:
    answered = block.get("tool_use_id")
    if answered not in waiting:
        raise Unacceptable(
            f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {answered}. Each "
            "`tool_result` block must have a corresponding `tool_use` block in the previous "
            "message."
        )
    return waiting - {answered}


def _check_thinking(data: Mapping[str, Any], turns: Sequence[Turn]) -> None:
    """While a model thinks, the turn that called tools has to begin with what it thought."""
    enabled = (data.get("thinking") or {}).get("type") == "enabled"
    within = len(turns) > 1 and turns[-1][1][0]["type"] == "tool_result"
    if enabled and within and turns[-2][1][0]["type"] not in _THINKING:
        found = turns[-2][1][0]["type"]
        raise Unacceptable(
            f"messages.{len(turns) - 2}.content.0.type: Expected `thinking` or "
            f"`redacted_thinking`, but found `{found}`. When `thinking` is enabled, a final "
            "`assistant` message must start with a thinking block."
        )


def _markers(data: Mapping[str, Any]) -> Iterator[Any]:
    """Every cache marker of a request."""
    system = data.get("system")
    blocks = [*(system if isinstance(system, list) else ()), *(data.get("tools") or ())]
    for message in data["messages"]:
        blocks += message["content"] if isinstance(message["content"], list) else ()
    yield from (block["cache_control"] for block in blocks if "cache_control" in block)


def lifetime(data: Mapping[str, Any]) -> str | None:
    """How long what is marked is kept, ``None`` where nothing is."""
    marks = [marker.get("ttl", "5m") for marker in _markers(data)]
    return marks[-1] if marks else None


def _messages(system: Any, turns: Sequence[Turn]) -> Iterator[Message]:
    """The turns as a script reads them."""
    if system:
        text = system if isinstance(system, str) else "".join(each["text"] for each in system)
        yield Message("system", text)
    for role, blocks in turns:
        results = [block for block in blocks if block["type"] == "tool_result"]
        for each in results:
            yield Message("tool", str(each.get("content") or ""), tool_call_id=each["tool_use_id"])
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        calls = [
            ToolCall(block["id"], block["name"], block["input"], block["id"])
            for block in blocks
            if block["type"] == "tool_use"
        ]
        if text or calls or not results:
            yield Message("assistant" if role == "assistant" else "user", text, calls or None)
