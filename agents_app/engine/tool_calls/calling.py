"""Tool calls through the seam: gates, intents, execution, results in the model's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.budgets import budget
from agents_app.engine.errors import (
    Cancelled,
    Closed,
    LimitReached,
    Paused,
    ReplayViolation,
)
from agents_app.engine.loop import hooks
from agents_app.engine.loop.settling import raise_strongest, settled
from agents_app.engine.messages import spans_under
from agents_app.engine.tool_calls import running
from agents_app.engine.tool_calls.gate import Known, Passed, Pending, Ready, call_scope, pass_gate
from playhead.core.events import Draft, Event
from playhead.core.immutable import immutable

if TYPE_CHECKING:
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.messages import Message, ToolCall

#: Results that the end of a run gives to calls that were open then.
CLOSING = ("cancelled", "outcome_unknown")


@immutable(frozen=True, slots=True)
class Started:
    """A call whose intent is written."""

    ready: Ready
    intent: Event

    @property
    def call(self) -> ToolCall:
        """The call that runs."""
        return self.ready.call


@immutable(frozen=True, slots=True)
class Held:
    """A call that a cancel, a pause, a limit or the record's end keeps from starting.

    Its siblings settle.
    """

    call: ToolCall
    by: Cancelled | LimitReached | Paused | ReplayViolation


Going = Started | Known | Held


async def call_tools(loop: Loop, activation: Activation, reply: Message) -> list[Message]:
    """Run the calls of a reply, in parallel, and return their results in the model's order.

    A call that waits for a person holds back the *effectful* calls behind it; everything else
    runs, and every question is asked before the run stands still.

    Raises:
        Interrupted: at least one call waits for a person; finished siblings keep their results.
    """
    response = reply.origin[0] if reply.origin else 0
    passed = [await _gated(loop, activation, call, response) for call in reply.calls]
    going = [_started(loop, activation, each, response) for each in _unheld(passed)]
    if not loop.seam.replaying and any(isinstance(each, Started) for each in going):
        await loop.writer.commit()
    outcomes = await settled(loop, [_settle(loop, activation, each) for each in going])
    raise_strongest(outcomes, [each.point for each in passed if isinstance(each, Pending)])
    results = []
    for each, outcome in zip(going, outcomes, strict=True):
        if isinstance(outcome, Event):
            results.append(await _seen(loop, activation, each.call, outcome))
    return results


async def _gated(
    loop: Loop, activation: Activation, call: ToolCall, response: int
) -> Passed | Held:
    try:
        return await pass_gate(loop, activation, call, response)
    except (Cancelled, LimitReached) as stop:
        return Held(call, stop)


def _unheld(passed: list[Passed | Held]) -> list[Ready | Known | Held]:
    going: list[Ready | Known | Held] = []
    waiting = False
    for each in passed:
        if isinstance(each, Pending):
            waiting = True
        elif isinstance(each, (Known, Held)) or not (waiting and each.tool.effectful):
            going.append(each)
    return going


def _started(
    loop: Loop, activation: Activation, each: Ready | Known | Held, response: int
) -> Going:
    """Write what is going to be done, before it is done."""
    if isinstance(each, (Known, Held)):
        return each
    call, tool, scope = each.call, each.tool, call_scope(activation, each.call)
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
    spans = spans_under("/arguments", call.spans) or None
    before = loop.record.seq
    try:
        budget.admit_call(loop, activation, scope, tool.name)
        loop.seam.fence(scope, "tool_call")
        intent = loop.seam.write(Draft("tool_call", payload, scope, response, sealed=spans))
    except (Cancelled, LimitReached, Paused, ReplayViolation) as stop:
        return Held(call, stop)
    if intent.seq > before:
        loop.flight.fresh(intent.seq)
    return Started(each, intent)


async def _settle(loop: Loop, activation: Activation, each: Going) -> Event:
    if isinstance(each, Held):
        raise each.by
    if isinstance(each, Started):
        result = await _result(loop, activation, each)
        loop.flight.forget(each.intent.seq)
    else:
        result = _known(loop, call_scope(activation, each.call), each)
    loop.seam.saw(result)
    if _closes(result):
        raise Closed
    return result


async def _result(loop: Loop, activation: Activation, each: Started) -> Event:
    if each.ready.tool.agent is None:
        return await running.result_of(loop, activation, each.ready, each.intent)
    from agents_app.engine.children.child import call_agent  # a child calls tools in its turn

    return await call_agent(loop, activation, each.ready, each.intent)


def _closes(result: Event) -> bool:
    error = result.payload.get("error") or {}
    return error.get("code") in CLOSING and result.payload["source"] == "synthetic"


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
    return running.decide_result(loop, scope, each.cause, payload, sealed=list(each.sealed))


async def _seen(loop: Loop, activation: Activation, call: ToolCall, result: Event) -> Message:
    """The result as hooks leave it: they run in the model's order, when all results are there."""
    message = loop.record.message(result.seq)
    loop.bus.emit("tool_executed", tool=call.name, result=message.content)
    scope = call_scope(activation, call)
    return await hooks.after_tool(loop, activation, scope, message, result.payload["success"])
