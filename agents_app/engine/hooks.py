"""Hooks and wraps: what a middleware may do, and ``current()``, what it may ask of the loop."""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import Failed, Interrupted, SecurityError
from agents_app.engine.messages import Message, ToolCall, ToolResult
from playhead.core import digest
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from datetime import datetime

    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop
    from agents_app.engine.ports import ModelHandler, ModelReply, ModelRequest, ToolHandler
    from agents_app.engine.tools import Tool

_current: ContextVar[Current] = ContextVar("current")


def current() -> Current:
    """What the running hook may ask of the loop.

    Raises:
        LookupError: called outside a hook.
    """
    return _current.get()


@dataclass(slots=True)
class Current:
    """The place of a hook: its session, its step, and its own state."""

    loop: Loop
    activation: Activation
    name: str

    @property
    def scope(self) -> str:
        """The scope of what this middleware does itself."""
        return f"{self.activation.scope};mw:{self.name}"

    @property
    def state(self) -> dict[str, Any]:
        """This middleware's state about the session: JSON, saved with the step."""
        return self.activation.middleware.setdefault(self.name, {})

    @property
    def now(self) -> datetime:
        """The time of the event that opened the step."""
        return self.activation.now

    def monotonic(self) -> float:
        """Seconds for a duration; only in a wrap, which never runs in a replay."""
        return self.loop.clock.monotonic()

    def tool(self, name: str) -> Tool | None:
        """The agent's tool of that name, with its effect class."""
        return self.loop.agent_at(math.inf).tool(name)

    def emit(self, event_type: str, **payload: Any) -> Event:
        """Write a ``guardrail``, ``plan`` or ``limit`` event of this middleware."""
        return self.loop.seam.write(Draft(event_type, payload, self.scope))

    async def effect(self, kind: str, request: Any, do: Callable[[], Awaitable[Any]]) -> Any:
        """Something from outside, once: performed and recorded, or answered from the record."""
        recorded = self.loop.seam.effect(self.scope, kind, request)
        if recorded is not None:
            return recorded.payload["answer"]
        if self.loop.seam.replaying:
            raise AssertionError(f"a replay performs no effect ({kind} in {self.scope})")
        answer, _ = sanitise(await do())
        self.loop.seam.write(
            Draft("effect", {"kind": kind, "request": request, "answer": answer}, self.scope)
        )
        return answer

    def ask(
        self, *, kind: str, info: Any, allowed: list[str], consequence: str | None = None
    ) -> Event:
        """Ask a person; returns the decision when there is one.

        Raises:
            Interrupted: there is none yet.
        """
        address = self.activation.address
        payload = {
            "id": self.loop.question_id(self.scope, 0),
            "kind": kind,
            "address": address,
            "generation": 0,
            "parents": [],
            "digest": digest.of_value([self.scope, info]),
            "info": info,
            "consequence": consequence,
            "allowed": allowed,
            "required_role": "approver",
            "expires_at": None,
            "on_expiry": None,
        }
        question = self.loop.seam.write(Draft("interrupt", payload, self.scope))
        decision = self.loop.record.decision(question.payload["id"])
        if decision is None:
            raise Interrupted([question.payload])
        return decision


def name_of(middleware: Any) -> str:
    """The name of a middleware: its ``name``, else its class."""
    return str(getattr(middleware, "name", None) or type(middleware).__name__)


@contextmanager
def _acting(loop: Loop, activation: Activation, middleware: Any) -> Iterator[None]:
    token = _current.set(Current(loop, activation, name_of(middleware)))
    try:
        yield
    except SecurityError as refusal:
        raise Failed("guardrail", refusal.message) from refusal
    except AssertionError:
        raise
    except Exception as error:
        if getattr(error, "code", None) == "diverged":
            raise
        raise Failed(
            "middleware_error", f"{name_of(middleware)}: {type(error).__name__}: {error}"
        ) from error
    finally:
        _current.reset(token)


async def _each(
    loop: Loop, activation: Activation, hook: str, value: Any
) -> tuple[Any, list[tuple[str, Any]]]:
    changes = []
    for middleware in loop.middlewares:
        method = getattr(middleware, hook, None)
        if method is None:
            continue
        with _acting(loop, activation, middleware):
            changed = await method(value)
        if changed is None:
            raise Failed("middleware_error", f"{name_of(middleware)}.{hook} returned nothing")
        if changed is not value:
            changes.append((name_of(middleware), changed))
        value = changed
    return value, changes


async def before_llm(loop: Loop, activation: Activation, messages: list[Message]) -> list[Message]:
    """What the model sees; the history stays as it is."""
    seen, _ = await _each(loop, activation, "before_llm_call", messages)
    return list(seen)


async def after_llm(loop: Loop, activation: Activation, reply: Message) -> Message:
    """The reply as hooks leave it; a change is an ``edit`` event that carries it from then on."""
    changed, changes = await _each(loop, activation, "after_llm_call", reply)
    return _edited(loop, activation.scope, reply, changed, changes)


async def before_tool(loop: Loop, activation: Activation, call: ToolCall) -> ToolCall:
    """The call as hooks leave it, before policy looks at it."""
    changed, _ = await _each(loop, activation, "before_tool_call", call)
    return changed  # type: ignore[no-any-return]


async def after_tool(
    loop: Loop, activation: Activation, scope: str, message: Message, success: bool
) -> Message:
    """The result as hooks leave it; a change is an ``edit`` event that carries it from then on."""
    result = ToolResult(message.tool_call_id or "", message.content, success)
    changed, changes = await _each(loop, activation, "after_tool_call", result)
    if not changes:
        return message
    edited = Message("tool", changed.content, tool_call_id=message.tool_call_id, name=message.name)
    return _edited(loop, scope, message, edited, changes)


def _edited(
    loop: Loop, scope: str, before: Message, after: Message, changes: list[tuple[str, Any]]
) -> Message:
    if not changes or after == before or before.origin is None:
        return before
    draft = Draft(
        "edit", {"of": before.origin[0], "by": changes[-1][0], "message": after.to_log()}, scope
    )
    event = loop.seam.write(draft)
    return Message(**{**_fields(after), "origin": (event.seq,)})


def _fields(message: Message) -> Mapping[str, Any]:
    return {name: getattr(message, name) for name in message.__dataclass_fields__}


def wrapped_model(loop: Loop, activation: Activation, port: ModelHandler) -> ModelHandler:
    """The port inside all wraps, the first in the list outermost."""
    handler = port
    for middleware in reversed(loop.middlewares):
        wrap = getattr(middleware, "wrap_llm_call", None)
        if wrap is not None:
            handler = _nest_model(loop, activation, middleware, wrap, handler)
    return handler


def _nest_model(
    loop: Loop, activation: Activation, middleware: Any, wrap: Any, inner: ModelHandler
) -> ModelHandler:
    async def outer(request: ModelRequest) -> ModelReply:
        token = _current.set(Current(loop, activation, name_of(middleware)))
        try:
            return await wrap(request, inner)  # type: ignore[no-any-return]
        finally:
            _current.reset(token)

    return outer


def wrapped_tool(loop: Loop, activation: Activation, port: ToolHandler) -> ToolHandler:
    """The executor inside all wraps, the first in the list outermost."""
    handler = port
    for middleware in reversed(loop.middlewares):
        wrap = getattr(middleware, "wrap_tool_call", None)
        if wrap is not None:
            handler = _nest_tool(loop, activation, middleware, wrap, handler)
    return handler


def _nest_tool(
    loop: Loop, activation: Activation, middleware: Any, wrap: Any, inner: ToolHandler
) -> ToolHandler:
    async def outer(call: ToolCall) -> ToolResult:
        token = _current.set(Current(loop, activation, name_of(middleware)))
        try:
            return await wrap(call, inner)  # type: ignore[no-any-return]
        finally:
            _current.reset(token)

    return outer
