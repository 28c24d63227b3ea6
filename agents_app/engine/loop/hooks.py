"""Hooks and wraps: where a middleware acts, and that what it does stays within its bounds."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents_app.engine.actor import name_of
from agents_app.engine.blame import note_place
from agents_app.engine.errors import (
    Divergence,
    Failed,
    ReplayViolation,
    SecurityError,
    is_control,
)
from agents_app.engine.log.known_form import Form, known_form
from agents_app.engine.log.own_words import own_words
from agents_app.engine.loop.checked import awaited, kind, request_fault, returned
from agents_app.engine.loop.current import Asking, Current, _current, current
from agents_app.engine.loop.frozen import plain, read_only
from agents_app.engine.loop.grace import cancellable
from agents_app.engine.messages import (
    Message,
    ToolCall,
    ToolResult,
    deep_copy,
    spans_under,
    spans_within,
    stored,
    text_at,
)
from agents_app.engine.ports import Middleware
from playhead.core.events import Draft
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop, Offer
    from agents_app.engine.model_calls.sending import Sending
    from agents_app.engine.ports import ModelHandler, Permission, ToolHandler
    from agents_app.engine.tools import Tool

__all__ = ["current"]

Handler = Callable[[Any], Awaitable[Any]]


def stand_still(stop: BaseException | None) -> None:
    """Raise again what was swallowed on its way out."""
    if stop is not None:
        raise stop


@contextmanager
def _acting(
    loop: Loop, activation: Activation, scope: str, middleware: Any, asking: Asking | None = None
) -> Iterator[None]:
    """Run a hook; a question that it asked stands, whatever the hook makes of its raising."""
    here = Current(loop, activation, name_of(middleware), scope, asking=asking)
    token = _current.set(here)
    try:
        yield
        stand_still(here.stopped)
    except SecurityError as refusal:
        raise Failed("guardrail", refusal.message) from refusal
    except (Divergence, ReplayViolation):
        raise
    except BaseException as error:
        if is_control(error):
            raise
        note_place(f"middleware {name_of(middleware)}", error)
        text = f"{name_of(middleware)}: {type(error).__name__}: {error}"
        raise Failed("middleware_error", text) from error
    finally:
        here.end()
        _current.reset(token)


def implementing(activation: Activation, hook: str) -> Sequence[Any]:
    """The middlewares that have something to do at a hook; most have not, at most of them."""
    if not activation.actor.middlewares:
        return ()
    nothing = getattr(Middleware, hook, None)
    turned = activation.actor.spec.order == "onion" and hook.startswith("after_")
    inwards = activation.actor.middlewares
    methods = ((m, getattr(m, hook, None)) for m in (reversed(inwards) if turned else inwards))
    return [m for m, method in methods if method and getattr(method, "__func__", 0) is not nothing]


async def _each(
    loop: Loop, activation: Activation, scope: str, hook: str, value: Any,
    asking: Asking | None = None,
) -> tuple[Any, str]:  # fmt: skip
    """The value after every hook, and the name of the last middleware that changed it."""
    changed_by = ""
    for middleware in implementing(activation, hook):
        with _acting(loop, activation, scope, middleware, asking):
            given = tuple(value) if isinstance(value, list) else value  # it may change the list
            made, who = getattr(middleware, hook)(value), name_of(middleware)
            _refuse(awaited(who, hook, made))
            changed = await cancellable(loop, made)
        _refuse(returned(who, hook, changed, given))
        if changed is not value:
            changed_by, value = name_of(middleware), changed
    return value, changed_by


def _refuse(fault: str | None) -> None:
    """A middleware that does not keep to its form can't go on: the error says how it should.

    Raises:
        Failed: there is a fault.
    """
    if fault is not None:
        raise Failed("middleware_error", fault)


async def before_llm(
    loop: Loop, activation: Activation, messages: list[Message], offer: Offer
) -> tuple[list[Message], Offer]:
    """What the model sees, and which tools it is offered; the history stays as it is."""
    if not implementing(activation, "before_llm_call"):
        return messages, offer
    asking = Asking(offer)
    given = [read_only(message) if message.tool_calls else message for message in messages]
    lent = {id(mine): own for mine, own in zip(given, messages, strict=True) if mine is not own}
    seen, _ = await _each(loop, activation, activation.scope, "before_llm_call", given, asking)
    shown = [lent.get(id(message)) or message for message in seen]
    own = {id(message) for message in messages}
    made = iter(own_words(loop.record, [plain(m) for m in shown if id(m) not in own]))
    return [m if id(m) in own else next(made) for m in shown], asking.offer


async def after_llm(loop: Loop, activation: Activation, reply: Message) -> Message:
    """The reply as hooks leave it; a change is an ``edit`` event that carries it from then on."""
    if not implementing(activation, "after_llm_call"):
        return reply
    given = deep_copy([reply])[0] if reply.calls else reply
    changed, by = await _each(loop, activation, activation.scope, "after_llm_call", given)
    return _edited(loop, activation.scope, reply, changed, by)


async def before_tool(loop: Loop, activation: Activation, scope: str, call: ToolCall) -> ToolCall:
    """The call as hooks leave it, before policy looks at it.

    Its id stays, and of its sealed values those that stand where they stood.
    """
    if not implementing(activation, "before_tool_call"):
        return call
    changed: ToolCall
    given = replace(call, arguments=copy.deepcopy(call.arguments))
    changed, _ = await _each(loop, activation, scope, "before_tool_call", given)
    if (changed.name, changed.arguments) == (call.name, call.arguments):
        return call
    was, now = call.arguments, changed.arguments
    spans = tuple(s for s in call.spans if text_at(was, s) == text_at(now, s))
    return replace(changed, id=call.id, spans=spans)


def permission(
    loop: Loop, activation: Activation, scope: str, tool: Tool, call: ToolCall, of: int
) -> tuple[Permission, int] | None:
    """The strictest word of the policies about a call that is about to run.

    Args:
        of: the seq of the response that asked for it, or of the decision that changed it.

    Returns:
        what was said and, of a call that is denied, the seq of the event that says so; ``None``
        when nobody minds.
    """
    asked: Permission | None = None
    for middleware in implementing(activation, "permits"):
        with _acting(loop, activation, scope, middleware):
            said: Permission | None = middleware.permits(tool, call)
            _refuse(returned(name_of(middleware), "permits", said))
            if said and said.verdict not in ("allow", "deny", "ask"):
                raise TypeError(f"permits() says allow, deny or ask, not {said.verdict!r}")
            if said and said.verdict == "deny":
                findings = [{"type": said.rule or tool.name, "excerpt": said.reason or None}]
                event = current().emit(
                    "guardrail", guard=name_of(middleware), verdict="block",
                    category="permission", findings=findings, of=of, stage="tool",
                )  # fmt: skip
                return said, event.seq
        if said and said.verdict == "ask":
            asked = asked or said
    return (asked, of) if asked else None


async def after_tool(
    loop: Loop, activation: Activation, scope: str, message: Message, success: bool
) -> Message:
    """The result as hooks leave it; a change is an ``edit`` event that carries it from then on."""
    if not implementing(activation, "after_tool_call"):
        return message
    result = ToolResult(message.tool_call_id or "", message.content, success)
    changed, by = await _each(loop, activation, scope, "after_tool_call", result)
    if changed.content == message.content:
        return message
    edited = Message("tool", changed.content, tool_call_id=message.tool_call_id, name=message.name)
    return _edited(loop, scope, message, edited, by)


def _edited(loop: Loop, scope: str, before: Message, after: Message, by: str) -> Message:
    """The event carries what is sealed in the message as long as it stands where it stood.

    A secret that the hook has put in is sealed: a tool that is called with it gets it.
    """
    if not by or after == before or before.origin is None:
        return before
    form, spans = _sealed_form(loop, scope, before, sanitise(stored(after))[0])
    payload = {"of": before.origin[0], "by": by, "message": form}
    sealed = spans_under("/message", spans) or None
    return loop.record.message(loop.seam.write(Draft("edit", payload, scope, sealed=sealed)).seq)


def _sealed_form(loop: Loop, scope: str, before: Message, form: Any) -> Form:
    recorded = loop.seam.peek(scope, "edit")
    if recorded is not None:
        spans = list(spans_within("/message", recorded.sealed or ()))
        known = known_form(form, [(recorded.payload["message"], spans)])
        if known is not None:
            return known
    was = stored(before)
    kept = [s for s in before.spans if text_at(was, s) == text_at(form, s) is not None]
    sealed = loop.seals.seal(form, spans=kept)
    return sealed.value, sealed.spans


def held_back(activation: Activation) -> frozenset[str] | None:
    """What guards hold back of an answer until they have looked at it.

    Returns:
        kinds of personal data that are sealed where the answer is recorded; ``None`` when no guard
        holds anything back and it may stream.
    """
    wanted = [getattr(each, "holds", None) for each in activation.actor.middlewares]
    held = [kinds for kinds in wanted if kinds is not None]
    for middleware, kinds in zip(activation.actor.middlewares, wanted, strict=True):
        if kinds is not None and not isinstance(kinds, (set, frozenset, list, tuple)):
            said = f"{name_of(middleware)}.holds is {kind(kinds)}"
            raise TypeError(f"{said}, expected a set of kinds of personal data, or None")
    return frozenset().union(*held) if held else None


def wrapped_model(
    loop: Loop, activation: Activation, port: ModelHandler, sending: Sending, seq: int
) -> ModelHandler:
    """The port inside all wraps, the first in the list outermost; ``seq`` is the request's."""
    scope = activation.scope
    return _wrapped(loop, activation, scope, "wrap_llm_call", port, seq=seq, sending=sending)


def wrapped_tool(
    loop: Loop, activation: Activation, scope: str, port: ToolHandler, seq: int
) -> ToolHandler:
    """The executor inside all wraps, the first in the list outermost; ``seq`` is the intent's."""
    return _wrapped(loop, activation, scope, "wrap_tool_call", port, seq=seq)


def _wrapped(
    loop: Loop, activation: Activation, scope: str, method: str, port: Handler, *,
    seq: int, sending: Sending | None = None,
) -> Handler:  # fmt: skip
    handler = port
    for middleware in reversed(implementing(activation, method)):
        name = name_of(middleware)
        here = Current(loop, activation, name, scope, wrapping=True, sending=sending, seq=seq)
        handler = nested(here, getattr(middleware, method), handler, method)
    return handler


def nested(here: Current, wrap: Any, inner: Handler, method: str = "") -> Handler:
    """The wrap around what is inside; ``method``: its name, where a form of its value is asked for.

    Raises:
        TypeError: it gave back something else; says who, what and what is expected.
    """

    async def outer(asked: Any) -> Any:
        if method == "wrap_llm_call":
            check_handed_on(asked, here.sending)
        token = _current.set(here)
        try:
            made = wrap(asked, inner)
            fault = awaited(here.name, method, made) if method else None
            if fault is None:
                came = await made
                fault = returned(here.name, method, came) if method else None
        finally:
            _current.reset(token)
        if fault is not None:
            raise TypeError(fault)
        if method == "wrap_llm_call" and here.sending is not None:
            here.sending.came_from(here.name)
        return came

    return outer


def check_handed_on(asked: Any, sending: Sending | None) -> None:
    """Refuse what a wrap hands on and is no request; the one that the loop made is known.

    Raises:
        TypeError: names the wrap.
    """
    fault = request_fault(asked, sending.request if sending else None)
    if fault is not None:
        here = _current.get(None)
        who = here.name if here is not None else "a wrap"
        raise TypeError(f"{who}.wrap_llm_call handed on {fault}")
