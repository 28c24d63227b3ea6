"""The end of a run, or of a child, that did not end by itself: every open call gets a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import Moved
from agents_app.engine.loop.stepping import end_step
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.model_calls.attempts import final_error
from agents_app.engine.tool_calls.gate import call_scope
from agents_app.engine.tool_calls.running import decide_result
from playhead.core.events import Draft, Event
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from agents_app.engine.errors import Failed, LimitReached
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop

_TEXT = {
    "cancelled": "Error: the run was ended before this call had a result; it did not take effect.",
    "outcome_unknown": "Error: the run was ended while this call ran; its outcome is unknown.",
}


async def close_step(loop: Loop, activation: Activation) -> None:
    """Give every open request and call of the step an answer, so that the history stays valid.

    Raises:
        Moved: an answer came while its call was being stopped: enter again, and use it.
    """
    for child in list(activation.children.values()):
        await close_child(loop, child, None)
    await _close_requests(loop, activation)
    answered = {message.tool_call_id for message in activation.fresh}
    for message in [message for message in activation.fresh if message.calls]:
        for call in message.calls:
            if call.id not in answered:
                activation.append([await _close_call(loop, activation, message, call)])
    await _close_intents(loop, activation)


async def close_child(
    loop: Loop, child: Activation, failure: Failed | None, limit: LimitReached | None = None
) -> Event:
    """End a child that did not end by itself: it failed, is over its limit, or its parent ends."""
    await close_step(loop, child)
    end_step(loop, child, child.state)
    if limit is not None:
        loop.seam.write(Draft("limit", limit.to_log(), child.scope))
        return end_child(loop, child, "limit", limit.text)
    if failure is None:
        return end_child(loop, child, "cancelled", "The run was cancelled.")
    return end_child(loop, child, "failed", failure.message, failure.code)


def end_child(
    loop: Loop, child: Activation, kind: str, text: str, code: str | None = None
) -> Event:
    """Write how a child ended; its parent goes on from there."""
    answered = kind in ("finished", "limit")
    text = text if answered else withhold(text)
    payload: dict[str, Any] = {
        "outcome": kind,
        "answer": text if answered else None,
        "steps": child.step,
    }
    if not answered:
        payload["reason"] = text
    if code is not None:
        payload["error"] = {"code": code, "message": text}
    started = loop.record.find(child.base, "child_start", 0)
    if child.parent is not None:
        child.parent.children.pop(child.base, None)
    cause = started.seq if started else None
    return loop.seam.write(Draft("child_end", payload, child.base, cause))


async def _close_requests(loop: Loop, activation: Activation) -> None:
    if loop.seam.replaying:
        return
    for event in loop.record.by_type.get("llm_request", ()):
        if _asked_in(event, activation) and loop.record.answer(event.seq) is None:
            await loop.flight.stop(event.seq)
            if loop.record.answer(event.seq) is not None:
                raise Moved
            failure = final_error("cancelled", "The run was ended while the model was asked.")
            loop.writer.emit(Draft("llm_error", failure, event.scope, event.seq))


def _asked_in(request: Event, activation: Activation) -> bool:
    """Whether a step asked for it: by itself, or a middleware beside it or one of its calls."""
    scope, step = request.scope or "", activation.scope
    return scope == step or (scope.startswith(f"{step};") and ";mw:" in scope)


async def _close_intents(loop: Loop, activation: Activation) -> None:
    """Calls that were started for a reply which the strategy did not keep."""
    below = f"{activation.scope};tool:"
    for intent in loop.record.by_type.get("tool_call", ()):
        scope = intent.scope or ""
        if scope.startswith(below) and loop.record.result(scope) is None:
            call = ToolCall(intent.payload["call_id"], intent.payload["tool"])
            loop.seam.saw(await _stopped(loop, scope, intent.seq, call))


async def _close_call(
    loop: Loop, activation: Activation, message: Message, call: ToolCall
) -> Message:
    scope = call_scope(activation, call)
    result = loop.record.result(scope)
    if result is None:
        response = message.origin[0] if message.origin else 0
        result = await _stopped(loop, scope, response, call)
    loop.seam.saw(result)
    return loop.record.message(result.seq)


async def _stopped(loop: Loop, scope: str, response: int, call: ToolCall) -> Event:
    intent = loop.record.last(scope, "tool_call")
    entry = loop.record.last(scope, "resume") or intent
    if entry is not None:
        await loop.flight.stop(entry.seq)
        if loop.record.result(scope) is not None:
            raise Moved
    effectful = intent is not None and intent.payload["effectful"]
    code = "outcome_unknown" if effectful else "cancelled"
    payload: dict[str, Any] = {
        "call_id": call.id,
        "tool": call.name,
        "success": False,
        "message": {"role": "tool", "content": _TEXT[code], "tool_call_id": call.id},
        "source": "synthetic",
        "ms": None,
        "error": {"code": code, "message": _TEXT[code]},
    }
    cause = entry.seq if entry is not None else response
    return decide_result(loop, scope, cause, payload)
