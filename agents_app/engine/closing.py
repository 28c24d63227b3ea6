"""The end of a run that did not end by itself: every open call gets its one result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.attempts import final_error
from agents_app.engine.gate import call_scope
from agents_app.engine.running import write_result
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop
    from agents_app.engine.messages import Message, ToolCall

_TEXT = {
    "cancelled": "Error: the run was cancelled before this call ran.",
    "outcome_unknown": "Error: the run was stopped while this call ran; its outcome is unknown.",
}


async def close_step(loop: Loop, activation: Activation) -> None:
    """Give every open request and call of the step an answer, so that the history stays valid."""
    await _close_request(loop, activation)
    for message in _unanswered(activation):
        known = {m.tool_call_id for m in activation.fresh if m.role == "tool"}
        for call in message.calls:
            if call.id not in known:
                activation.append([await _close_call(loop, activation, message, call)])


def _unanswered(activation: Activation) -> list[Message]:
    return [
        message for message in activation.fresh if message.role == "assistant" and message.calls
    ]


async def _close_request(loop: Loop, activation: Activation) -> None:
    for event in loop.record.by_type.get("llm_request", ()):
        if event.scope != activation.scope or loop.record.answer(event.seq) is not None:
            continue
        if loop.seam.replaying:
            continue
        await loop.flight.stop(event.seq)
        if loop.record.answer(event.seq) is None:
            failure = final_error("cancelled", "The run was cancelled while the model was asked.")
            loop.writer.carry(Draft("llm_error", failure, event.scope, event.seq))


async def _close_call(
    loop: Loop, activation: Activation, message: Message, call: ToolCall
) -> Message:
    scope = call_scope(activation, call)
    result = loop.record.result(scope)
    if result is None:
        result = await _stopped(loop, scope, message, call)
    loop.seam.saw(result)
    return loop.record.message(result.seq)


async def _stopped(loop: Loop, scope: str, message: Message, call: ToolCall) -> Event:
    intent = _entry(loop, scope)
    if intent is not None:
        await loop.flight.stop(intent.seq)
        late = loop.record.result(scope)
        if late is not None:
            return late
    effectful = intent is not None and intent.payload.get("effectful", True)
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
    cause = intent.seq if intent is not None else (message.origin or (0,))[0]
    return write_result(loop, scope, cause, payload)


def _entry(loop: Loop, scope: str) -> Event | None:
    found = [loop.record.find(scope, kind, 0) for kind in ("tool_call", "resume")]
    known = [event for event in found if event is not None]
    return known[-1] if known else None
