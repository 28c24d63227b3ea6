"""Messages, calls and results: immutable values; a wrong role is refused when it is built."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from agents_app.engine.loop.frozen import FrozenDict
from playhead.core import canonical, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

Role = Literal["system", "user", "assistant", "tool"]
ROLES: tuple[str, ...] = get_args(Role)

#: One for all messages that have none.
_NO_METADATA: Mapping[str, Any] = FrozenDict()
#: ``[json pointer, start, end, vault id]``: where a sealed value stands in a text.
Span = list[Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model asked for.

    ``id`` is ours (``c<seq>.<i>``); ``provider_id`` is the provider's, mapped back on the wire;
    ``raw`` is the text of arguments that were no JSON object (``arguments`` is empty then).
    """

    id: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    provider_id: str | None = None
    raw: str | None = None
    spans: tuple[Span, ...] = field(default=(), compare=False)

    def to_log(self) -> dict[str, Any]:
        """The stored form, without our id, which is formed from the place in the log."""
        out: dict[str, Any] = {"name": self.name, "arguments": self.arguments}
        if self.provider_id is not None:
            out["provider_id"] = self.provider_id
        if self.raw is not None:
            out["raw"] = self.raw
        return out


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back; ``success`` is False for an error text that the model can act on."""

    tool_call_id: str
    content: str
    success: bool = True


class _Known:
    """What is made of a message once, when it is asked for."""

    __slots__ = ("_digest", "_key", "_read_only", "_tokens")

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What is kept under one of these names."""
        known = getattr(self, name, None)
        if known is None:
            object.__setattr__(self, name, known := make())
        return known


@dataclass(frozen=True, eq=False, init=False, slots=True)
class Message(_Known):
    """One message of a conversation.

    ``origin`` is the event that carries it (seq and, where it carries several, the place);
    ``spans`` are its sealed values. Neither is part of what the message says.
    """

    role: Role
    content: str = ""
    tool_calls: Sequence[ToolCall] | None = None
    tool_call_id: str | None = None
    name: str | None = None
    items: tuple[dict[str, Any], ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    timestamp: datetime | None = None
    origin: tuple[int, ...] | None = None
    spans: tuple[Span, ...] = ()

    def __init__(
        self,
        role: Role,
        content: str = "",
        tool_calls: Sequence[ToolCall] | None = None,
        tool_call_id: str | None = None,
        name: str | None = None,
        items: tuple[dict[str, Any], ...] = (),
        metadata: Mapping[str, Any] | None = None,
        timestamp: datetime | None = None,
        origin: tuple[int, ...] | None = None,
        spans: tuple[Span, ...] = (),
    ) -> None:
        if role not in ROLES:
            raise ValueError(f"role must be one of {', '.join(ROLES)}, not {role!r}")
        if not isinstance(content, str):
            raise TypeError(f"content must be text, not {type(content).__name__}")
        put = object.__setattr__
        put(self, "role", role)
        put(self, "content", content)
        put(self, "tool_calls", None if tool_calls is None else tuple(tool_calls))
        put(self, "tool_call_id", tool_call_id)
        put(self, "name", name)
        put(self, "items", items)
        put(self, "metadata", metadata or _NO_METADATA)
        put(self, "timestamp", timestamp)
        put(self, "origin", origin)
        put(self, "spans", spans)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls, an empty tuple when there are none."""
        return tuple(self.tool_calls or ())

    @property
    def digest(self) -> bytes:
        """The raw sha256 of the stored form without provider ids; computed once."""
        known: bytes = self.once("_digest", lambda: digest.sha(canonical.dumps(_digested(self))))
        return known

    @property
    def key(self) -> tuple[bytes, str | None]:
        """What makes two messages interchangeable in a prompt: digest, and ids of their calls."""
        known: tuple[bytes, str | None] = self.once("_key", self._make_key)
        return known

    def _make_key(self) -> tuple[bytes, str | None]:
        return self.digest, self.tool_calls[0].id if self.tool_calls else None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Message) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    def to_dict(self) -> dict[str, Any]:
        """The OpenAI form: only fields that the other side knows."""
        out: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            out["tool_calls"] = [_wire_call(call) for call in self.tool_calls]
        if self.tool_call_id is not None:
            out["tool_call_id"] = self.tool_call_id
        return out

    def to_log(self) -> dict[str, Any]:
        """The stored form; calls of a message that no event carries keep their ids."""
        if not self.tool_calls:
            return _form(self)
        calls = [call.to_log() for call in self.tool_calls]
        if self.origin is None:
            calls = [
                {"id": call.id, **form} for call, form in zip(self.tool_calls, calls, strict=True)
            ]
        return _form(self, calls)


def from_log(data: Mapping[str, Any], *origin: int, spans: Sequence[Span] = ()) -> Message:
    """A message from its stored form.

    With the ``origin`` of the event that carries it, call ids are formed from its place in the log
    and a call's arguments take over the spans that stand in them.
    """
    calls = data.get("tool_calls")
    return Message(
        role=data["role"],
        content=data.get("content") or "",
        tool_calls=_calls(calls, origin, spans) if calls else None,
        tool_call_id=data.get("tool_call_id"),
        name=data.get("name"),
        items=tuple(data.get("items") or ()),
        metadata=data.get("metadata") or {},
        origin=origin or None,
        spans=tuple(spans),
    )


def stored(message: Message) -> dict[str, Any]:
    """The form in which an event carries a message: its place in the log gives the call ids."""
    return _form(message, [call.to_log() for call in message.tool_calls or ()])


def _form(message: Message, calls: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """The fields of a message as they are stored, with its calls in that form."""
    out: dict[str, Any] = {"role": message.role, "content": message.content}
    if calls:
        out["tool_calls"] = calls
    if message.tool_call_id is not None:
        out["tool_call_id"] = message.tool_call_id
    if message.name is not None:
        out["name"] = message.name
    if message.items:
        out["items"] = list(message.items)
    if message.metadata:
        out["metadata"] = dict(message.metadata)
    return out


def deep_copy(messages: Sequence[Message]) -> list[Message]:
    """Copies that share nothing mutable with the originals."""
    return [copy.deepcopy(message) for message in messages]


def _calls(
    calls: Sequence[Mapping[str, Any]], origin: tuple[int, ...], spans: Sequence[Span]
) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(
            f"c{origin[0]}.{i}" if origin else call.get("id", ""),
            call["name"],
            call.get("arguments") or {},
            call.get("provider_id"),
            call.get("raw"),
            spans_within(f"/tool_calls/{i}/arguments", spans) if spans else (),
        )
        for i, call in enumerate(calls)
    )


def spans_within(prefix: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The sealed values that stand in a part of a value, as pointers into that part."""
    out = []
    for pointer, *place in spans:
        mark = "#" if pointer[:1] == "#" else ""
        path = pointer[len(mark) :]
        if path == prefix or path.startswith(f"{prefix}/"):
            out.append([f"{mark}{path[len(prefix) :]}", *place])
    return tuple(out)


def spans_under(prefix: str, spans: Sequence[Span]) -> list[Span]:
    """The sealed values of a part, as pointers into the value that has it at ``prefix``."""
    return [
        [f"#{prefix}{pointer[1:]}" if pointer[:1] == "#" else f"{prefix}{pointer}", *place]
        for pointer, *place in spans
    ]


def text_at(value: Any, span: Span) -> str | None:
    """What stands at a sealed span of a value; ``None`` where there is no such text."""
    path, name = str(span[0]), None
    for part in path.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    text = name if path.startswith("#") else value
    return text[span[1] : span[2]] if isinstance(text, str) else None


def _digested(message: Message) -> dict[str, Any]:
    """The stored form as it is hashed: a provider's ids are its own affair."""
    calls = [call.to_log() for call in message.tool_calls or ()]
    for call in calls:
        call.pop("provider_id", None)
    return _form(message, calls)


def _wire_call(call: ToolCall) -> dict[str, Any]:
    arguments = call.raw if call.raw is not None else canonical.dumps(call.arguments).decode()
    function = {"name": call.name, "arguments": arguments}
    return {"id": call.provider_id or call.id, "type": "function", "function": function}
