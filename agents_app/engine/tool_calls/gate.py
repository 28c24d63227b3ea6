"""The gate: what happens to a call before its intent. Nobody but the executor passes it.

``before_tool_call`` → arguments → permission → policy → interrupt → decision. The outcome is a
call that may run, a result that is known without running it, or a question.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agents_app.engine.budgets import budget
from agents_app.engine.errors import Failed
from agents_app.engine.loop import hooks
from agents_app.engine.messages import Span, ToolCall, spans_under, spans_within
from agents_app.engine.tool_calls.sealed_call import is_recorded, sealed_call, sealed_name
from agents_app.engine.tools.arguments import InvalidArguments, not_an_object
from agents_app.engine.tools.gone import why_gone
from playhead.core import canonical, digest
from playhead.core.clock import parse_stamp
from playhead.core.events import Draft, Event
from playhead.core.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.ports import Permission
    from agents_app.engine.tools import Tool

#: A yes that nobody has acted on for so long is asked for again.
LAPSES_AFTER = timedelta(hours=24)


@immutable(frozen=True, slots=True)
class Ready:
    """May run, exactly so.

    ``typed`` are the arguments as the function takes them; ``changed`` says that a person put
    them in the model's place; ``policy`` is what a branch says of the tool's effects; ``why`` is
    the reason of a rule that wants a person to be asked.
    """

    tool: Tool
    call: ToolCall
    digest: str
    typed: dict[str, Any]
    decision: Event | None = None
    changed: bool = False
    policy: str = "live"
    why: str | None = None


@immutable(frozen=True, slots=True)
class Known:
    """Has a result without running: refused, answered by a person, or no such tool."""

    call: ToolCall
    content: str
    success: bool
    cause: int
    source: str
    error: dict[str, Any] | None = None
    sealed: tuple[list[Any], ...] = ()


@immutable(frozen=True, slots=True)
class Pending:
    """Waits for a person."""

    call: ToolCall
    point: dict[str, Any]


#: What a person and the model are told of a tool whose schema is not that of the session's agent.
_CHANGED = "The tool has changed since: it takes other arguments now."

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
    call = await hooks.before_tool(loop, activation, call_scope(activation, call), call)
    made = not is_recorded(loop, call, response)
    call = sealed_name(call) if made else call
    scope = call_scope(activation, call)
    upto = loop.seam.upto(scope, "tool_call")
    agent = loop.agent_of(activation, upto)
    tool = agent.tool(call.name)
    call = sealed_call(loop, scope, call, tool) if made else call
    if tool is None or (tool.gone and not _is_known(loop, scope)):
        names = ", ".join(sorted(each.name for each in agent.tools if not each.gone)) or "none"
        text = f"Error: there is no tool named {call.name!r}. Available tools: {names}."
        return _refused(call, text, response, "unknown_tool")
    if tool.gone:
        return _without_code(loop, activation, tool, call, response)
    if call.raw is not None:
        text = not_an_object(call.name, call.raw, tool.checks)
        return _refused(call, text, response, "invalid_arguments", "arguments")
    typed = _typed(tool, call.arguments, call.spans)
    if isinstance(typed, InvalidArguments):
        for question in loop.record.asked(scope):
            loop.seam.saw(question)  # what was asked before the tool took other arguments
        text = f"Error: {typed}.{' ' + _CHANGED if tool.takes else ''}"
        return _refused(call, text, response, "invalid_arguments", typed.field)
    said = hooks.permission(loop, activation, scope, tool, call, response)
    if said and said[0].verdict == "deny":
        return _denied(call, *said)
    mark = call_digest(tool, call.arguments)
    policy = _policy(loop, scope, tool, mark, upto)
    wanted = said is not None or tool.needs_approval(call.arguments)
    if policy != "ask" and (policy != "live" or not wanted):
        return Ready(tool, call, mark, typed, policy=policy)
    why = (said[0].reason or None) if said else None
    return _ask(loop, activation, Ready(tool, call, mark, typed, why=why), response)


def _denied(call: ToolCall, said: Permission, cause: int) -> Known:
    """The model reads why; the cause is the event of the guard that denied it."""
    text = f"Error: {call.name} is not permitted here" + (f": {said.reason}" if said.reason else "")
    return _refused(call, text if text.endswith(".") else f"{text}.", cause, "not_permitted")


def _refused(call: ToolCall, text: str, cause: int, code: str, field: str | None = None) -> Known:
    error = {"code": code, "message": text, "field": field}
    return Known(call, text, False, cause, "synthetic", error)


def _without_code(
    loop: Loop, activation: Activation, tool: Tool, call: ToolCall, response: int
) -> Passed:
    """A call of a tool whose code has gone: what the log has of it stands, and nothing runs.

    Nobody is asked about it any more; who was asked agrees in vain, and the result says so.
    """
    scope, decision = call_scope(activation, call), None
    while (asked := loop.seam.peek(scope, "interrupt")) is not None:
        loop.seam.write(Draft("interrupt", asked.payload, scope, asked.cause, sealed=asked.sealed))
        decision = loop.record.decision(asked.payload["id"])
        if decision is None and loop.seam.peek(scope, "interrupt") is None:
            return Pending(call, asked.payload)
    ready = Ready(tool, call, call_digest(tool, call.arguments), call.arguments, decision)
    if loop.seam.peek(scope, "tool_call") is not None:
        return _begun(loop, scope, ready)
    if decision is None or decision.payload["decision"] in ("approve", "edit"):
        cause = response if decision is None else decision.seq
        return _refused(call, f"Error: {why_gone(tool.name)}.", cause, "tool_gone")
    return _decided(loop, activation, ready, decision)


def _is_known(loop: Loop, scope: str) -> bool:
    """Whether the log has a question about a call, or its intent."""
    return any(loop.seam.peek(scope, kind) for kind in ("interrupt", "tool_call"))


def _begun(loop: Loop, scope: str, ready: Ready) -> Ready:
    """The call as its recorded intent has it."""
    intent = loop.seam.peek(scope, "tool_call")
    if intent is None or intent.payload["arguments"] == ready.call.arguments:
        return ready
    arguments = intent.payload["arguments"]
    spans = spans_within("/arguments", intent.sealed or ())
    call = replace(ready.call, arguments=arguments, spans=tuple(spans))
    mark = call_digest(ready.tool, arguments)
    return replace(ready, call=call, digest=mark, typed=arguments, changed=True)


def _typed(
    tool: Tool, arguments: dict[str, Any], spans: Sequence[Span]
) -> dict[str, Any] | InvalidArguments:
    names = {str(span[0]).split("/")[1] for span in spans}
    sealed = {name.replace("~1", "/").replace("~0", "~") for name in names}
    try:
        return tool.validate(arguments, sealed=sealed)
    except InvalidArguments as error:
        return error


def _policy(loop: Loop, scope: str, tool: Tool, mark: str, upto: float) -> str:
    """live, or after a fork what the branch says of an effectful tool."""
    effects = loop.effects_at(upto)
    if effects is None or not tool.effectful:
        return "live"
    if loop.seam.peek(scope, "interrupt") is not None:
        return "ask"
    wanted = effects.get(tool.name, "recorded")
    if wanted != "recorded":
        return wanted
    intent = loop.seam.peek(scope, "tool_call")
    if intent is not None:
        if loop.record.result(scope) is None:
            loop.donor.claim(mark, scope)
        return "ask" if intent.payload.get("decision") else "recorded"
    return "recorded" if loop.donor.claim(mark, scope) else "ask"


def _ask(loop: Loop, activation: Activation, ready: Ready, response: int) -> Passed:
    """Ask until there is a decision that holds."""
    scope = call_scope(activation, ready.call)
    if loop.seam.peek(scope, "interrupt") is None:  # nobody is asked about what can't run
        budget.admit_call(loop, activation, scope, ready.tool.name)
    while True:
        question = _question(loop, activation, ready, scope, response)
        if _is_outdated(loop, scope, ready, question):
            continue
        decision = loop.record.decision(question.payload["id"])
        if decision is None:
            return Pending(ready.call, question.payload)
        if decision.payload.get("digest") != question.payload["digest"]:
            raise Failed("bad_decision", "The decision was made about another action.")
        if not _lapsed(loop, scope, ready, question, decision):
            return _decided(loop, activation, ready, decision)


def _question(loop: Loop, activation: Activation, ready: Ready, scope: str, response: int) -> Event:
    if loop.seam.peek(scope, "interrupt") is None:
        loop.seam.check_cancel()
    tool, call, address = ready.tool, ready.call, call_address(activation, ready.call)
    generation = loop.seam.generation(scope)
    asked, before = loop.seam.peek(scope, "interrupt"), loop.record.asked(scope)[:generation]
    takes = asked.payload["schema"] if asked else tool.checks  # of the code that asked
    is_new = before and before[-1].payload["digest"] == ready.digest
    is_new = is_new and before[-1].payload["schema"] != takes
    payload = {
        "id": loop.question_id(address, generation),
        "kind": "approval",
        "address": address,
        "generation": generation,
        "parents": activation.ancestry,
        "call_id": call.id,
        "tool": tool.name,
        "arguments": call.arguments,
        "digest": ready.digest,
        "info": _CHANGED if is_new else ready.why,
        "consequence": tool.says(call.arguments),
        "allowed": ["approve", "edit", "reject", "respond"],
        "schema": takes,
        "required_role": tool.required_role,
        "expires_at": loop.expiry(tool.expires_in),
        "on_expiry": "reject" if tool.expires_in is not None else None,
    }
    spans = spans_under("/arguments", call.spans) or None
    return loop.seam.write(Draft("interrupt", payload, scope, response, sealed=spans))


def _is_outdated(loop: Loop, scope: str, ready: Ready, question: Event) -> bool:
    """Whether it was asked about another version of the tool, with which the run went on since.

    Law 6: a yes to that one is none to this, unless the call was begun with it.
    """
    if question.payload["digest"] == ready.digest:
        return False
    if loop.seam.peek(scope, "interrupt") is not None:
        return True
    return loop.seam.peek(scope, "tool_call") is None


def _lapsed(loop: Loop, scope: str, ready: Ready, question: Event, decision: Event) -> bool:
    """Whether a yes is none any more; the log knows, or the clock and the code.

    It has waited too long, or the tool takes other arguments than when it was given.
    """
    if decision.payload["decision"] not in ("approve", "edit"):
        return False
    if loop.seam.peek(scope, "interrupt") is not None:
        return True
    if loop.seam.peek(scope, "tool_call") is not None or loop.seam.replaying:
        return False
    if ready.tool.takes and question.payload["schema"] != ready.tool.takes:
        return loop.record.result(scope) is None
    return loop.clock.now() - parse_stamp(decision.ts) > LAPSES_AFTER


def _decided(loop: Loop, activation: Activation, ready: Ready, decision: Event) -> Passed:
    verdict, tool, call = decision.payload["decision"], ready.tool, ready.call
    if verdict == "approve":
        return Ready(tool, call, ready.digest, ready.typed, decision)
    if verdict == "respond":
        return _responded(call, decision)
    if verdict == "reject":
        return _rejected(call, decision)
    if verdict != "edit":
        raise Failed("bad_decision", f"decision {verdict!r} does not fit an approval")
    return _changed(loop, activation, ready, decision)


def _changed(loop: Loop, activation: Activation, ready: Ready, decision: Event) -> Passed:
    """The call that a person put in the place of the proposed one: it passes policy again."""
    tool, call, arguments = ready.tool, ready.call, decision.payload["arguments"]
    spans = spans_within("/arguments", decision.sealed or ())
    typed = _typed(tool, arguments, spans)
    if isinstance(typed, InvalidArguments):
        text = f"Error: a person changed this call, but {typed}."
        return _refused(call, text, decision.seq, "invalid_arguments", typed.field)
    edited = ToolCall(call.id, call.name, arguments, call.provider_id, spans=spans)
    scope = call_scope(activation, call)
    said = hooks.permission(loop, activation, scope, tool, edited, decision.seq)
    if said and said[0].verdict == "deny":
        return _denied(edited, *said)
    return Ready(tool, edited, call_digest(tool, arguments), typed, decision, changed=True)


def _responded(call: ToolCall, decision: Event) -> Known:
    """A person's answer in the tool's place: what they gave as value, else what they said."""
    field = "value" if "value" in decision.payload else "message"
    value = decision.payload.get(field)
    text = value if isinstance(value, str) else canonical.dumps(value).decode()
    sealed = tuple(
        ["/message/content", *s[1:]] for s in decision.sealed or () if s[0] == f"/{field}"
    )
    return Known(call, text, True, decision.seq, "person", sealed=sealed)


def _rejected(call: ToolCall, decision: Event) -> Known:
    said, by = decision.payload.get("message"), decision.payload.get("by") or {}
    if by.get("kind") == "system":
        text = "This call was not run: nobody decided about it in time."
    else:
        text = f"{by.get('name') or 'A person'} rejected this call; it was not run."
        text += f" They said: {said}" if said else ""
    return Known(call, text, False, decision.seq, "person", {"code": "rejected", "message": text})
