"""The gate: what happens to a call before its intent. Nobody but the executor passes it.

``before_tool_call`` → arguments → policy → interrupt → decision. The outcome is a call that may
run, a result that is known without running it, or a question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine import hooks
from agents_app.engine.errors import Failed
from agents_app.engine.messages import ToolCall
from agents_app.engine.tools.function import InvalidArguments
from playhead.core import canonical, digest
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop
    from agents_app.engine.tools import Tool


@dataclass(frozen=True, slots=True)
class Ready:
    """May run, exactly so. ``changed`` are arguments that a person put in the model's place."""

    tool: Tool
    call: ToolCall
    digest: str
    decision: Event | None = None
    changed: dict[str, Any] | None = None
    policy: str = "live"


@dataclass(frozen=True, slots=True)
class Known:
    """Has a result without running: refused, answered by a person, or no such tool."""

    call: ToolCall
    content: str
    success: bool
    cause: int
    source: str
    error: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """Waits for a person."""

    call: ToolCall
    point: dict[str, Any]


Passed = Ready | Known | Pending


def call_digest(tool: Tool, arguments: dict[str, Any]) -> str:
    """What an approval binds to: tool, canonical (sealed) arguments, tool version."""
    return digest.of_value([tool.name, arguments, tool.version])


def call_scope(activation: Activation, call: ToolCall) -> str:
    """The scope of a call: its step, and a segment of its own."""
    return f"{activation.scope};tool:{call.name}:{call.id}"


def call_address(activation: Activation, call: ToolCall) -> str:
    """The address of a call, as it is shown."""
    return f"{activation.address};tool:{call.name}:{call.id}"


async def pass_gate(loop: Loop, activation: Activation, call: ToolCall, response: int) -> Passed:
    """Take one call to the point where its intent may be written."""
    call = await hooks.before_tool(loop, activation, call)
    upto = loop.seam.fence(call_scope(activation, call), "tool_call")
    agent = loop.agent_at(upto)
    tool = agent.tool(call.name)
    if tool is None:
        names = ", ".join(sorted(each.name for each in agent.tools)) or "none"
        text = f"Error: there is no tool named {call.name!r}. Available tools: {names}."
        return _refused(call, text, response, "unknown_tool", None)
    if call.raw is not None:
        text = f"Error: arguments of {call.name} must be a JSON object; found: {call.raw[:200]!r}."
        return _refused(call, text, response, "invalid_arguments", "arguments")
    problem = _problem(tool, call.arguments)
    if problem is not None:
        return _refused(call, f"Error: {problem}.", response, "invalid_arguments", problem.field)
    policy = _policy(loop, activation, tool, call, upto)
    if policy in ("recorded", "stub"):
        return Ready(tool, call, call_digest(tool, call.arguments), policy=policy)
    if policy == "ask" or tool.needs_approval(call.arguments):
        return _ask(loop, activation, tool, call, response)
    return Ready(tool, call, call_digest(tool, call.arguments))


def _refused(call: ToolCall, text: str, cause: int, code: str, field: str | None) -> Known:
    return Known(
        call, text, False, cause, "synthetic", {"code": code, "message": text, "field": field}
    )


def _problem(tool: Tool, arguments: dict[str, Any]) -> InvalidArguments | None:
    try:
        tool.validate(arguments)
    except InvalidArguments as error:
        return error
    return None


def _policy(loop: Loop, activation: Activation, tool: Tool, call: ToolCall, upto: float) -> str:
    """live, or after a fork what the branch says of an effectful tool."""
    effects = loop.effects_at(upto)
    if effects is None or not tool.effectful:
        return "live"
    wanted = effects.get(tool.name, "recorded")
    if wanted != "recorded":
        return wanted
    scope = call_scope(activation, call)
    if loop.seam.peek(scope, "interrupt") is not None:
        return "ask"
    intent = loop.seam.peek(scope, "tool_call")
    if intent is not None:
        return "ask" if intent.payload.get("decision") else "recorded"
    return "recorded" if loop.donor.has(call_digest(tool, call.arguments)) else "ask"


def _ask(loop: Loop, activation: Activation, tool: Tool, call: ToolCall, response: int) -> Passed:
    address = call_address(activation, call)
    mark = call_digest(tool, call.arguments)
    payload = {
        "id": loop.question_id(address, 0),
        "kind": "approval",
        "address": address,
        "generation": 0,
        "parents": [{"address": activation.address, "info": None}],
        "call_id": call.id,
        "tool": tool.name,
        "arguments": call.arguments,
        "digest": mark,
        "info": None,
        "consequence": tool.says(call.arguments),
        "allowed": ["approve", "edit", "reject", "respond"],
        "schema": tool.schema,
        "required_role": tool.required_role,
        "expires_at": loop.expiry(tool.expires_in),
        "on_expiry": "reject" if tool.expires_in is not None else None,
    }
    scope = call_scope(activation, call)
    spans = [[f"/arguments{span[0]}", *span[1:]] for span in call.spans] or None
    question = loop.seam.write(Draft("interrupt", payload, scope, response, sealed=spans))
    decision = loop.record.decision(question.payload["id"])
    if decision is None:
        return Pending(call, question.payload)
    return _decided(tool, call, mark, decision)


def _decided(tool: Tool, call: ToolCall, mark: str, decision: Event) -> Passed:
    verdict, said = decision.payload["decision"], decision.payload.get("message")
    if verdict == "respond":
        value = decision.payload.get("value", said)
        text = value if isinstance(value, str) else canonical.dumps(value).decode()
        return Known(call, text, True, decision.seq, "person")
    if verdict == "reject":
        by = (decision.payload.get("by") or {}).get("name") or "A person"
        text = f"{by} rejected this call" + (f": {said}" if said else ".")
        return Known(
            call, text, False, decision.seq, "person", {"code": "rejected", "message": text}
        )
    if verdict == "approve":
        return Ready(tool, call, mark, decision)
    if verdict != "edit":
        raise Failed("bad_decision", f"decision {verdict!r} does not fit an approval")
    arguments = decision.payload["arguments"]
    spans = tuple(
        [s[0][len("/arguments") :], *s[1:]]
        for s in decision.sealed or ()
        if s[0].startswith("/arguments/")
    )
    edited = ToolCall(call.id, call.name, arguments, call.provider_id, spans=spans)
    return Ready(tool, edited, call_digest(tool, arguments), decision, changed=arguments)
