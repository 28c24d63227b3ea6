"""What code of others gave back, looked at where it comes in: an error names who, what and where.

A value of the wrong kind would fail far away, in code that did nothing wrong.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents_app.engine.messages import Message, ToolCall, ToolResult
from agents_app.engine.ports import ModelReply, ModelRequest
from playhead.core.usage import Usage

SOURCES = ("live", "cache", "recorded", "edited")
Fault = Callable[[Any], str | None]


def kind(value: Any) -> str:
    """A value, as an error calls it."""
    if value is None:
        return "nothing (None)"
    name = value.__name__ if isinstance(value, type) else type(value).__name__
    return f"the class {name}" if isinstance(value, type) else f"a value of type {name}"


def returned(who: str, method: str, value: Any, given: Any = None) -> str | None:
    """What is wrong with the return value of a hook or a wrap, as a sentence; ``None``: nothing.

    Args:
        who: the middleware's name.
        given: what it was given; of a list of messages, those that come back are known.
    """
    if inspect.isawaitable(value):
        return f"{who}.{method} returned something to await: it has an await too few"
    listed = method == "before_llm_call"
    fault = messages_fault(value, given) if listed else _RETURNS[method](value)
    return fault and f"{who}.{method} returned {fault}"


def awaited(who: str, method: str, made: Any) -> str | None:
    """What is wrong with a hook or a wrap that was called and is awaited now."""
    if inspect.isawaitable(made):
        return None
    return f"{who}.{method} is no coroutine function: write 'async def {method}'"


def reply_fault(value: Any) -> str | None:
    """What is wrong with a model's reply, and in which field."""
    if not isinstance(value, ModelReply):
        return f"{kind(value)} and no ModelReply with a message"
    if not isinstance(value.message, Message):
        said = f"a ModelReply whose message is {kind(value.message)}"
        return f"{said}: no ModelReply with a message"
    if value.message.role != "assistant":
        return f"a ModelReply whose message.role is {value.message.role!r}, expected 'assistant'"
    fault = _in_message(value.message, "message.") or next(
        (
            f"{name} is {kind(getattr(value, name))}, expected {said}"
            for name, kinds, said in _REPLY
            if not isinstance(getattr(value, name), kinds)
        ),
        None,
    )
    if fault is None and value.usage is not None:
        fault = _usage_fault(value.usage)
    if fault is None and value.source not in SOURCES:
        fault = f"source is {value.source!r}, expected one of {', '.join(SOURCES)}"
    return fault and f"a ModelReply whose {fault}"


_REPLY: tuple[tuple[str, tuple[type, ...], str], ...] = (
    ("stop_reason", (str, type(None)), "text or None"),
    ("usage", (Usage, type(None)), "a Usage or None"),
    ("model", (str, type(None)), "text or None"),
    ("provider", (Mapping,), "a mapping"),
    ("ttft_ms", (int, type(None)), "milliseconds as int, or None"),
    ("saved", (Mapping, type(None)), "a mapping or None"),
)


def _usage_fault(usage: Usage) -> str | None:
    for name in ("input", "output", "cached", "reasoning", "written", "written_1h"):
        count = getattr(usage, name)
        if not isinstance(count, (int, type(None))):
            return f"usage.{name} is {kind(count)}, expected a number of tokens or None"
    return None


def message_fault(value: Any) -> str | None:
    """What is wrong with a message, and in which field."""
    if not isinstance(value, Message):
        return f"{kind(value)}, expected a Message"
    fault = _in_message(value, "")
    return fault and f"a Message whose {fault}"


def _in_message(message: Message, at: str) -> str | None:
    for place, call in enumerate(message.tool_calls or ()):
        fault = call_fault(call)
        if fault is not None:
            return f"{at}tool_calls[{place}] is {fault}"
    for name in ("tool_call_id", "name"):
        value = getattr(message, name)
        if not isinstance(value, (str, type(None))):
            return f"{at}{name} is {kind(value)}, expected text or None"
    if not isinstance(message.metadata, Mapping):
        return f"{at}metadata is {kind(message.metadata)}, expected a mapping"
    if not isinstance(message.items, (tuple, list)):
        return f"{at}items is {kind(message.items)}, expected a tuple of objects"
    return None


def call_fault(value: Any) -> str | None:
    """What is wrong with a tool call, and in which field."""
    if not isinstance(value, ToolCall):
        return f"{kind(value)}, expected a ToolCall"
    if not isinstance(value.name, str):
        return f"a ToolCall whose name is {kind(value.name)}, expected text"
    if not isinstance(value.arguments, dict):
        return f"a ToolCall whose arguments is {kind(value.arguments)}, expected a dict"
    for name in ("provider_id", "raw"):
        if not isinstance(getattr(value, name), (str, type(None))):
            return f"a ToolCall whose {name} is {kind(getattr(value, name))}, expected text or None"
    return None


def request_fault(value: Any, given: ModelRequest | None) -> str | None:
    """What is wrong with a request that a wrap hands on, where it is not the one it was given."""
    if value is given:
        return None
    if not isinstance(value, ModelRequest):
        return f"{kind(value)}, expected a ModelRequest"
    if not isinstance(value.model, str):
        return f"a ModelRequest whose model is {kind(value.model)}, expected text"
    if not isinstance(value.messages, (tuple, list)):
        return f"a ModelRequest whose messages is {kind(value.messages)}, expected a tuple"
    known = given.messages if given else ()
    if value.messages is not known and (fault := _items_fault(value.messages, known)):
        return f"a ModelRequest with {fault}"
    return None


def messages_fault(value: Any, known: Sequence[Message] | None = ()) -> str | None:
    """What is wrong with a list of messages, and with which of them; not looked at: ``known``."""
    if not isinstance(value, (list, tuple)):
        return f"{kind(value)}, expected a list of Message"
    return _items_fault(value, known or ())


def _items_fault(value: Sequence[Any], known: Sequence[Message]) -> str | None:
    """Only what is new is looked at; of the rest it is asked only whether it is known."""
    seen = set(map(id, known))
    for place, each in enumerate(value):
        if id(each) not in seen and (fault := message_fault(each)):
            return f"a list whose [{place}] is {fault}"
    return None


def _result_fault(value: Any) -> str | None:
    if not isinstance(value, ToolResult):
        return f"{kind(value)}, expected a ToolResult"
    return None


def _text_result_fault(value: Any) -> str | None:
    if _result_fault(value) is None and not isinstance(value.content, str):
        return f"a ToolResult whose content is {kind(value.content)}, expected text"
    return _result_fault(value)


def _permission_fault(value: Any) -> str | None:
    said = ("verdict", "reason", "rule")
    if value is not None and not all(hasattr(value, name) for name in said):
        return f"{kind(value)}, expected a Permission or None"
    return None


_RETURNS: dict[str, Fault] = {
    "after_llm_call": message_fault,
    "before_tool_call": call_fault,
    "after_tool_call": _text_result_fault,
    "permits": _permission_fault,
    "wrap_llm_call": reply_fault,
    "wrap_tool_call": _result_fault,
}
