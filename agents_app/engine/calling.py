"""Tool calls through the seam: gates, intents, execution, results in the model's order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents_app.engine import hooks, running
from agents_app.engine.errors import Cancelled, ControlFlow, Failed, Interrupted, Moved, Paused
from agents_app.engine.gate import Known, Passed, Pending, Ready, call_scope, pass_gate
from agents_app.engine.messages import Message
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop

#: When calls of one turn end differently, the strongest word is the turn's.
_PRECEDENCE: tuple[type[BaseException], ...] = (Moved, Cancelled, Failed, Paused, Interrupted)


async def call_tools(loop: Loop, activation: Activation, reply: Message) -> list[Message]:
    """Run the calls of a reply, in parallel, and return their results in the model's order.

    A call that waits for a person holds back the *effectful* calls behind it; everything else
    runs, and every question is asked before the run stands still.

    Raises:
        Interrupted: at least one call waits for a person; finished siblings keep their results.
    """
    response = reply.origin[0] if reply.origin else 0
    passed = [await pass_gate(loop, activation, call, response) for call in reply.calls]
    going = _unheld(passed)
    intents = [_intent(loop, activation, each, response) for each in going]
    if not loop.seam.replaying:
        await loop.writer.commit()
    settling = [
        _settle(loop, activation, each, intent) for each, intent in zip(going, intents, strict=True)
    ]
    outcomes = await asyncio.gather(*settling, return_exceptions=True)
    points: list[Mapping[str, Any]] = [each.point for each in passed if isinstance(each, Pending)]
    _raise_strongest(outcomes, points)
    return [message for message in outcomes if isinstance(message, Message)]


def _unheld(passed: list[Passed]) -> list[Ready | Known]:
    going: list[Ready | Known] = []
    waiting = False
    for each in passed:
        if isinstance(each, Pending):
            waiting = True
        elif isinstance(each, Known) or not (waiting and each.tool.effectful):
            going.append(each)
    return going


def _raise_strongest(outcomes: list[Any], points: list[Mapping[str, Any]]) -> None:
    raised = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for kind in _PRECEDENCE[:-1]:
        for error in raised:
            if isinstance(error, kind):
                raise error
    for error in raised:
        if not isinstance(error, ControlFlow):
            raise error
        if isinstance(error, Interrupted):
            points = [*points, *error.points]
    if points:
        raise Interrupted(points)


def _intent(loop: Loop, activation: Activation, each: Ready | Known, response: int) -> Event | None:
    if isinstance(each, Known):
        return None
    call, tool = each.call, each.tool
    payload: dict[str, Any] = {
        "call_id": call.id,
        "tool": tool.name,
        "arguments": call.arguments,
        "digest": each.digest,
        "version": tool.version,
        "effectful": tool.effectful,
        "idempotent": tool.idempotent,
    }
    if each.decision is not None:
        payload["decision"] = each.decision.seq
    spans = [[f"/arguments{span[0]}", *span[1:]] for span in call.spans] or None
    before = loop.record.seq
    draft = Draft("tool_call", payload, call_scope(activation, call), response, sealed=spans)
    intent = loop.seam.write(draft)
    if intent.seq > before:
        loop.flight.fresh(intent.seq)
    return intent


async def _settle(
    loop: Loop, activation: Activation, each: Ready | Known, intent: Event | None
) -> Message:
    scope = call_scope(activation, each.call)
    if isinstance(each, Known):
        result = _known(loop, scope, each)
    elif intent is not None:
        result = await running.result_of(loop, activation, each, intent)
        loop.flight.forget(intent.seq)
    loop.seam.saw(result)
    if (result.payload.get("error") or {}).get("code") in ("cancelled", "outcome_unknown"):
        raise Cancelled(result.seq)
    message = loop.record.message(result.seq)
    loop.bus.emit("tool_executed", tool=each.call.name, result=message.content)
    return await hooks.after_tool(loop, activation, scope, message, result.payload["success"])


def _known(loop: Loop, scope: str, each: Known) -> Event:
    recorded = loop.record.result(scope)
    if recorded is not None:
        return recorded
    payload: dict[str, Any] = {
        "call_id": each.call.id,
        "tool": each.call.name,
        "success": each.success,
        "message": {"role": "tool", "content": each.content, "tool_call_id": each.call.id},
        "source": each.source,
        "ms": None,
    }
    if each.error:
        payload["error"] = each.error
    return running.write_result(loop, scope, each.cause, payload)
