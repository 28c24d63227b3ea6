"""The ports of the engine: what a plug-in may stand in for. Interfaces only."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, runtime_checkable

from agents_app.engine.messages import Message, Span, ToolCall, ToolResult
from playhead.core.immutable import immutable

if TYPE_CHECKING:
    from playhead.core.usage import Usage


@immutable(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked: the whole prompt, the tools it may call, and parameters.

    ``internal``: a middleware asks it beside the conversation.
    """

    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    fingerprint: str = ""
    internal: bool = False


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a streamed answer; ``part`` is ``text``, ``reasoning`` or ``tool:<i>``."""

    part: str
    text: str


@immutable(frozen=True, slots=True)
class ModelReply:
    """A whole answer. Unknown is ``None``; times are milliseconds.

    ``notes`` (what was sanitised) is filled in by the seam.
    """

    message: Message
    stop_reason: str | None = None
    usage: Usage | None = None
    model: str | None = None
    provider: Mapping[str, Any] = field(default_factory=dict)
    ttft_ms: int | None = None
    source: str = "live"
    saved: Mapping[str, Any] | None = None
    notes: tuple[Any, ...] = ()


OnDelta = Callable[[Delta], None]


class ModelPort(Protocol):
    """A model. Raises ``ModelError``; never retries by itself."""

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply: ...


class ModelProvider(Protocol):
    """Where models come from; ``paid`` says that using them costs money."""

    paid: bool

    def models(self) -> Collection[str] | None:
        """The names of its models, ``None`` when only the provider knows."""
        ...

    def model(self, name: str) -> ModelPort: ...


@runtime_checkable
class LLMPort(Protocol):
    """The small form of a model, for the façade."""

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]] | None = None
    ) -> Message: ...

    def stream(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]] | None = None
    ) -> AsyncIterator[str]: ...


@runtime_checkable
class ToolPort(Protocol):
    """The small form of a tool, for the façade: a name, a schema, and an execution."""

    @property
    def name(self) -> str: ...

    @property
    def schema(self) -> dict[str, Any]: ...

    async def execute(self, arguments: dict[str, Any]) -> ToolResult: ...


@runtime_checkable
class StatePort(Protocol):
    """Where the façade keeps what it knows of a session."""

    async def load(self, session_id: str) -> dict[str, Any] | None: ...

    async def save(self, session_id: str, state: dict[str, Any]) -> None: ...

    async def delete(self, session_id: str) -> None: ...


class EventSink(Protocol):
    """Where events go besides the log. Called in a thread of its own; nobody waits for it."""

    def write(self, events: Sequence[dict[str, Any]]) -> None: ...


ModelHandler = Callable[[ModelRequest], Awaitable[ModelReply]]
ToolHandler = Callable[[ToolCall], Awaitable[ToolResult]]


class Space(NamedTuple):
    """Where something is remembered: nothing is found in another workspace, or under another name.

    ``name`` says for whom: ``agent:desk``, ``agent:desk;user:user_1``, ``workspace``.
    """

    workspace: str
    name: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """Something that a memory found; ``score`` is 1.0 for a perfect fit and not below 0."""

    key: str
    text: str
    score: float


class MemoryPort(Protocol):
    """A long-term memory. A read may find nothing; a write of the same key happens once."""

    async def write(self, space: Space, key: str, text: str) -> None:
        """Keep a text under a key of at most 200 characters; the same key again replaces it."""
        ...

    async def search(self, space: Space, query: str, *, limit: int) -> list[Remembered]:
        """What fits the query, the best first, of equals the newest; no words: the newest."""
        ...

    async def forget(self, space: Space, key: str) -> bool:
        """Remove what is kept under a key; whether there was anything."""
        ...


@dataclass(frozen=True, slots=True)
class Permission:
    """What a policy says of a call: ``deny`` it, ``ask`` a person, or ``allow`` it.

    ``reason`` is told to the model and to the person; ``rule`` names what decided, for the log.
    """

    verdict: Literal["allow", "deny", "ask"]
    reason: str = ""
    rule: str = ""


class Middleware:
    """The base of a middleware; any subset of these methods on any object will do.

    Hooks run in list order and change what the model *sees*; wraps nest, the first in the list
    outermost, and run only when something is really performed, never in a replay. A middleware may
    also have ``permits(tool, call) -> Permission | None``: the gate asks it of every call that is
    about to run, of one that a person changed again, and takes the strictest word. It follows from
    the call alone: it runs again in a replay. ``wrap_run(run)`` looks on at a stretch of work on
    a run, from taking it up to its end or to where it waits; it changes nothing about it.
    """

    name: str

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        return messages

    async def after_llm_call(self, response: Message) -> Message:
        return response

    async def before_tool_call(self, tool_call: ToolCall) -> ToolCall:
        return tool_call

    async def after_tool_call(self, result: ToolResult) -> ToolResult:
        return result


class ResponseCache(Protocol):
    """A bounded store of answers by request fingerprint."""

    async def get(self, key: str) -> dict[str, Any] | None: ...

    async def set(self, key: str, value: dict[str, Any]) -> None: ...


@immutable(frozen=True, slots=True)
class SealedValue:
    """A value with markers for its secrets, the spans where they stand, and new vault rows."""

    value: Any
    spans: list[Span] = field(default_factory=list)
    rows: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class TextGuard(Protocol):
    """Holds streamed text back until it can't be part of a secret."""

    def feed(self, chunk: str) -> str: ...

    def finish(self) -> str: ...


class Seals(Protocol):
    """Seals a value where it enters a session tree, and opens it at the ports.

    ``secret_paths`` are JSON pointers to what is secret by declaration, ``spans`` the sealed values
    that stand in the value already, ``personal`` kinds of personal data that are sealed in this
    value too. ``guard`` is for streamed text, with ``secret`` (names of
    arguments) for the arguments of a call.
    """

    def seal(
        self, value: Any, *, secret_paths: Sequence[str] = (), spans: Sequence[Span] = (),
        personal: Collection[str] = (),
    ) -> SealedValue: ...  # fmt: skip

    def open(self, value: Any, spans: Sequence[Span]) -> Any: ...

    def guard(self, *, secret: Sequence[str] = ()) -> TextGuard: ...


class Live(Protocol):
    """Passing stream text for those who watch; losing it changes nothing."""

    def watched(self) -> bool:
        """Whether anybody does, as far as is known: asked for every piece of a stream."""
        ...

    def delta(self, *, request: int, attempt: int, part: str, at: int, text: str) -> None: ...
