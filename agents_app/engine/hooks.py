"""Hooks and wraps: what a middleware may do, and ``current()``, what it may ask of the loop."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agents_app.engine.actor import name_of
from agents_app.engine.errors import (
    Divergence,
    Failed,
    Interrupted,
    ReplayViolation,
    SecurityError,
)
from agents_app.engine.messages import Message, Span, ToolCall, ToolResult, deep_copy, stored
from agents_app.engine.ports import Middleware
from playhead.core import digest
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop
    from agents_app.engine.ports import ModelHandler, ToolHandler
    from agents_app.engine.tools import Tool

Handler = Callable[[Any], Awaitable[Any]]

#: Events that a middleware may write; all others are the kernel's or a person's.
_EMITTED = frozenset({"guardrail", "plan", "limit"})
_current: ContextVar[Current] = ContextVar("current")


def current() -> Current:
    """What the running hook may ask of the loop.

    Raises:
        LookupError: called outside a hook.
    """
    return _current.get()


@dataclass(slots=True)
class Current:
    """The place of a hook or a wrap: its session, its step, and its own state.

    ``base`` is the scope that it acts in: the step, or a call of it. A wrap does not run in a
    replay, so it writes nothing and gets a copy of the state.
    """

    loop: Loop
    activation: Activation
    name: str
    base: str
    wrapping: bool = False
    stopped: Interrupted | None = None

    @property
    def scope(self) -> str:
        """The scope of what this middleware does itself."""
        return f"{self.base};mw:{self.name}"

    @property
    def state(self) -> dict[str, Any]:
        """This middleware's state about the session: JSON, saved with the step."""
        state = self.activation.middleware.setdefault(self.name, {})
        return copy.deepcopy(state) if self.wrapping else state

    @property
    def now(self) -> datetime:
        """The time of the event that opened the step."""
        return self.activation.now

    @property
    def queued(self) -> int | None:
        """The seq of the run's message when it came before the run could begin, else ``None``."""
        run = self.loop.seam.run
        return run.message.seq if run and run.opener is not run.message else None

    def monotonic(self) -> float:
        """Seconds for a duration; only in a wrap, which never runs in a replay."""
        return self.loop.clock.monotonic()

    def tool(self, name: str) -> Tool | None:
        """The agent's tool of that name, with its effect class."""
        return self.loop.agent_of(self.activation).tool(name)

    def emit(self, event_type: str, **payload: Any) -> Event:
        """Write a ``guardrail``, ``plan`` or ``limit`` event of this middleware."""
        self._only_in_hooks("emit")
        if event_type not in _EMITTED:
            known = ", ".join(sorted(_EMITTED))
            raise ValueError(f"a middleware emits {known}, and no {event_type}")
        return self.loop.seam.write(Draft(event_type, withhold(sanitise(payload)[0]), self.scope))

    async def effect(self, kind: str, request: Any, do: Callable[[], Awaitable[Any]]) -> Any:
        """Something from outside, once: performed and recorded, or answered from the record.

        It must be harmless to perform again: a crash before its answer is durable does so.
        """
        self._only_in_hooks("effect")
        seam, request = self.loop.seam, withhold(sanitise(request)[0])
        recorded = seam.effect(self.scope, kind, request)
        if recorded is not None:
            return recorded.payload["answer"]
        seam.check_cancel()
        if seam.replaying:
            raise ReplayViolation(
                f"the record has no {kind} in {self.scope}", scope=self.scope, event_type="effect"
            )
        sealed = self.loop.seals.seal({"answer": sanitise(await do())[0]})
        payload = {"kind": kind, "request": request, **sealed.value}
        draft = Draft("effect", payload, self.scope, sealed=sealed.spans or None)
        seam.write(draft, rows=sealed.rows)
        return payload["answer"]

    async def model(self, messages: Sequence[Message]) -> Message:
        """Ask the agent's model something of one's own; the request is marked internal.

        Its answer is recorded like any, and its tools are none.

        Raises:
            Interrupted, Paused, Cancelled, WaitUntil, Failed: the run can't go on now, or at all.
        """
        from agents_app.engine.asking import ask_beside

        self._only_in_hooks("model")
        return await ask_beside(self.loop, self.activation, self.scope, list(messages))

    def ask(
        self, *, kind: str, info: Any, allowed: list[str], consequence: str | None = None
    ) -> Event:
        """Ask a person; returns the decision when there is one.

        Raises:
            Interrupted: there is none yet.
        """
        self._only_in_hooks("ask")
        info = withhold(sanitise(info)[0])
        seam, scope = self.loop.seam, self.scope
        if seam.peek(scope, "interrupt") is None:
            seam.check_cancel()
        generation = seam.generation(scope)
        payload = {
            "id": self.loop.question_id(scope, generation),
            "kind": kind,
            "address": self.activation.address,
            "generation": generation,
            "parents": [],
            "digest": digest.of_value([scope, generation, info]),
            "info": info,
            "consequence": consequence,
            "allowed": allowed,
            "required_role": "approver",
            "expires_at": None,
            "on_expiry": None,
        }
        question = seam.write(Draft("interrupt", payload, scope))
        decision = self.loop.record.decision(question.payload["id"])
        if decision is None:
            self.stopped = Interrupted([question.payload])
            raise self.stopped
        return decision

    def _only_in_hooks(self, what: str) -> None:
        if self.wrapping:
            raise RuntimeError(f"{what}() in a wrap of {self.name}: wraps do not run in a replay")


def stand_still(stop: BaseException | None) -> None:
    """Raise again what was swallowed on its way out."""
    if stop is not None:
        raise stop


@contextmanager
def _acting(loop: Loop, activation: Activation, scope: str, middleware: Any) -> Iterator[None]:
    """Run a hook; a question that it asked stands, whatever the hook makes of its raising."""
    here = Current(loop, activation, name_of(middleware), scope)
    token = _current.set(here)
    try:
        yield
        stand_still(here.stopped)
    except SecurityError as refusal:
        raise Failed("guardrail", refusal.message) from refusal
    except (Divergence, ReplayViolation):
        raise
    except Exception as error:
        text = f"{name_of(middleware)}: {type(error).__name__}: {error}"
        raise Failed("middleware_error", text) from error
    finally:
        _current.reset(token)


def _implementing(activation: Activation, hook: str) -> Sequence[Any]:
    """The middlewares that have something to do at a hook; most have not, at most of them."""
    if not activation.actor.middlewares:
        return ()
    nothing = getattr(Middleware, hook, None)
    turned = activation.actor.spec.order == "onion" and hook.startswith("after_")
    inwards = activation.actor.middlewares
    methods = ((m, getattr(m, hook, None)) for m in (reversed(inwards) if turned else inwards))
    return [m for m, method in methods if method and getattr(method, "__func__", 0) is not nothing]


async def _each(
    loop: Loop, activation: Activation, scope: str, hook: str, value: Any
) -> tuple[Any, str]:
    """The value after every hook, and the name of the last middleware that changed it."""
    changed_by = ""
    for middleware in _implementing(activation, hook):
        with _acting(loop, activation, scope, middleware):
            changed = await getattr(middleware, hook)(value)
        if changed is None:
            said = f"{name_of(middleware)}.{hook} returned nothing"
            raise Failed("middleware_error", said)
        if changed is not value:
            changed_by, value = name_of(middleware), changed
    return value, changed_by


async def before_llm(loop: Loop, activation: Activation, messages: list[Message]) -> list[Message]:
    """What the model sees; the history stays as it is."""
    if not _implementing(activation, "before_llm_call"):
        return messages
    seen, _ = await _each(loop, activation, activation.scope, "before_llm_call", list(messages))
    return list(seen)


async def after_llm(loop: Loop, activation: Activation, reply: Message) -> Message:
    """The reply as hooks leave it; a change is an ``edit`` event that carries it from then on."""
    if not _implementing(activation, "after_llm_call"):
        return reply
    given = deep_copy([reply])[0] if reply.calls else reply
    changed, by = await _each(loop, activation, activation.scope, "after_llm_call", given)
    return _edited(loop, activation.scope, reply, changed, by)


async def before_tool(loop: Loop, activation: Activation, scope: str, call: ToolCall) -> ToolCall:
    """The call as hooks leave it, before policy looks at it.

    Its id stays, and of its sealed values those that stand where they stood.
    """
    if not _implementing(activation, "before_tool_call"):
        return call
    changed: ToolCall
    given = replace(call, arguments=copy.deepcopy(call.arguments))
    changed, _ = await _each(loop, activation, scope, "before_tool_call", given)
    if (changed.name, changed.arguments) == (call.name, call.arguments):
        return call
    was, now = call.arguments, changed.arguments
    spans = tuple(s for s in call.spans if _text_at(was, s) == _text_at(now, s))
    return replace(changed, id=call.id, spans=spans)


def _text_at(value: Any, span: Span) -> str | None:
    for part in span[0].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value[span[1] : span[2]] if isinstance(value, str) else None


async def after_tool(
    loop: Loop, activation: Activation, scope: str, message: Message, success: bool
) -> Message:
    """The result as hooks leave it; a change is an ``edit`` event that carries it from then on."""
    if not _implementing(activation, "after_tool_call"):
        return message
    result = ToolResult(message.tool_call_id or "", message.content, success)
    changed, by = await _each(loop, activation, scope, "after_tool_call", result)
    if changed.content == message.content:
        return message
    edited = Message("tool", changed.content, tool_call_id=message.tool_call_id, name=message.name)
    return _edited(loop, scope, message, edited, by)


def _edited(loop: Loop, scope: str, before: Message, after: Message, by: str) -> Message:
    """The event carries what is sealed in the message as long as it stands where it stood."""
    if not by or after == before or before.origin is None:
        return before
    was, form = stored(before), sanitise(stored(after))[0]
    spans = [s for s in before.spans if _text_at(was, s) == _text_at(form, s) is not None]
    draft = Draft(
        "edit",
        {"of": before.origin[0], "by": by, "message": form},
        scope,
        sealed=[[f"/message{span[0]}", *span[1:]] for span in spans] or None,
    )
    return loop.record.message(loop.seam.write(draft).seq)


def wrapped_model(loop: Loop, activation: Activation, port: ModelHandler) -> ModelHandler:
    """The port inside all wraps, the first in the list outermost."""
    return _wrapped(loop, activation, activation.scope, "wrap_llm_call", port)


def wrapped_tool(loop: Loop, activation: Activation, scope: str, port: ToolHandler) -> ToolHandler:
    """The executor inside all wraps, the first in the list outermost."""
    return _wrapped(loop, activation, scope, "wrap_tool_call", port)


def _wrapped(loop: Loop, activation: Activation, scope: str, method: str, port: Handler) -> Handler:
    handler = port
    for middleware in reversed(_implementing(activation, method)):
        here = Current(loop, activation, name_of(middleware), scope, wrapping=True)
        handler = _nested(here, getattr(middleware, method), handler)
    return handler


def _nested(here: Current, wrap: Any, inner: Handler) -> Handler:
    async def outer(asked: Any) -> Any:
        token = _current.set(here)
        try:
            return await wrap(asked, inner)
        finally:
            _current.reset(token)

    return outer
