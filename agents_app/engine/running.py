"""The execution of one call: at most once per decision, and a person decides what is in doubt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents_app.engine import hooks
from agents_app.engine.errors import Cancelled, Failed, Interrupted, Moved, ReplayViolation
from agents_app.engine.gate import Ready, call_address, call_scope
from agents_app.engine.messages import ToolCall, ToolResult
from agents_app.engine.tools import ToolContext
from playhead.core import canonical
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop

DOUBT = {
    "crash": "The worker stopped while this call was running. Did it happen?",
    "timeout": "The call did not come back in time. Did it happen?",
    "cancelled": "The call was stopped while it was running. Did it happen?",
}
_DOUBT_ALLOWED = ["happened", "did_not", "retry", "give_up"]


async def result_of(loop: Loop, activation: Activation, each: Ready, intent: Event) -> Event:
    """The result of a call whose intent is durable: recorded, taken over, or performed.

    Raises:
        Interrupted: the tool asks, or the call is in doubt, and nobody has decided.
        ReplayViolation: a replay has no result to take.
    """
    scope = call_scope(activation, each.call)
    entry = intent
    while True:
        result = loop.record.result(scope)
        if result is not None:
            return result
        question = _last_question(loop, entry)
        if question is not None:
            entry = await _after_question(loop, scope, each, entry, question)
        elif loop.seam.replaying:
            raise ReplayViolation(
                f"the record has no result for call {intent.seq}",
                scope=scope,
                event_type="tool_result",
            )
        elif not _taken_over(loop, scope, each, entry):
            await _start(loop, activation, each, entry)


def _last_question(loop: Loop, entry: Event) -> Event | None:
    questions = loop.record.caused_by(entry.seq, "interrupt")
    return loop.seam.saw(questions[-1]) if questions else None


async def _after_question(
    loop: Loop, scope: str, each: Ready, entry: Event, question: Event
) -> Event:
    decision = loop.record.decision(question.payload["id"])
    if decision is None:
        raise Interrupted([question.payload])
    verdict = decision.payload["decision"]
    if question.payload["kind"] == "question" or verdict == "retry":
        return await _resume(loop, scope, each, entry, decision)
    if verdict == "give_up":
        raise Failed("gave_up", f"A person gave the call of {each.tool.name} up as in doubt.")
    _say_what_happened(loop, scope, each, decision)
    await loop.writer.commit()
    return entry


def _say_what_happened(loop: Loop, scope: str, each: Ready, decision: Event) -> None:
    happened = decision.payload["decision"] == "happened"
    value = decision.payload.get("value")
    text = value if isinstance(value, str) else canonical.dumps(value).decode()
    content = text if happened else "Error: a person found that this call did not happen."
    payload = _result_payload(each, content, happened, source="person", ms=None)
    if not happened:
        payload["error"] = {"code": "did_not_happen", "message": content}
    if loop.seam.replaying:
        raise ReplayViolation(
            "the record lacks the result of a decision", scope=scope, event_type="tool_result"
        )
    sealed = [
        ["/message/content", *s[1:]] for s in decision.sealed or () if s[0] == "/value" and happened
    ]
    write_result(loop, scope, decision.seq, payload, sealed=sealed or None)


async def _resume(loop: Loop, scope: str, each: Ready, entry: Event, decision: Event) -> Event:
    loop.seam.fence(scope, "resume")
    payload = {"call_id": each.call.id, "decision": decision.seq, "digest": each.digest}
    before = loop.record.seq
    resumed = loop.seam.write(Draft("resume", payload, scope, entry.seq))
    if resumed.seq > before:
        loop.flight.fresh(resumed.seq)
        await loop.writer.commit()
    return resumed


def _taken_over(loop: Loop, scope: str, each: Ready, entry: Event) -> bool:
    """Whether the result comes from a branch's parent, or a stub, instead of the world."""
    answer = None
    if entry.seq < loop.fork_before():
        answer = loop.donor.of_intent(entry.seq)
    elif each.policy == "recorded":
        answer = loop.donor.take(each.digest)
    if answer is not None:
        payload, spans = answer
        message = {**payload["message"], "tool_call_id": each.call.id}
        taken = {**payload, "call_id": each.call.id, "message": message, "source": "recorded"}
        write_result(loop, scope, entry.seq, taken, sealed=spans or None)
        return True
    if each.policy == "stub":
        text = f"{each.tool.name} was not run in this branch (stub)."
        write_result(
            loop, scope, entry.seq, _result_payload(each, text, True, source="stub", ms=None)
        )
        return True
    return False


async def _start(loop: Loop, activation: Activation, each: Ready, entry: Event) -> None:
    """Run the call, join it where it runs, or, where it is somebody's who is gone, ask."""
    cancel = loop.record.cancel_before(float("inf"))
    if cancel is not None:
        raise Cancelled(cancel.seq)
    again = not each.tool.effectful or each.tool.idempotent
    if not loop.flight.known(entry.seq) and not again:
        ask_doubt(loop, activation, each, entry, "crash")
    else:
        await loop.flight.join(entry.seq, lambda: _perform(loop, activation, each, entry))
    loop.writer.check()


def ask_doubt(loop: Loop, activation: Activation, each: Ready, entry: Event, why: str) -> None:
    """Ask a person what became of an effectful call."""
    _question(
        loop, activation, each, entry, kind="in_doubt", info=DOUBT[why], allowed=_DOUBT_ALLOWED
    )


def _question(
    loop: Loop, activation: Activation, each: Ready, entry: Event, *, kind: str, info: Any,
    allowed: list[str], schema: dict[str, Any] | None = None, state: Any = None,
) -> None:  # fmt: skip
    scope, address = call_scope(activation, each.call), call_address(activation, each.call)
    asked = [e for e in loop.record.by_type.get("interrupt", ()) if e.scope == scope]
    payload = {
        "id": loop.question_id(address, len(asked)),
        "kind": kind,
        "address": address,
        "generation": len(asked),
        "parents": [{"address": activation.address, "info": None}],
        "call_id": each.call.id,
        "tool": each.tool.name,
        "arguments": each.call.arguments,
        "digest": each.digest,
        "info": sanitise(info)[0],
        "consequence": each.tool.says(each.call.arguments),
        "allowed": allowed,
        "schema": schema,
        "state": sanitise(state)[0],
        "required_role": each.tool.required_role,
        "expires_at": None,
        "on_expiry": None,
    }
    loop.writer.carry(Draft("interrupt", payload, scope, entry.seq))


class _Asked(BaseException):
    """Raised by ``ctx.interrupt``: takes the tool out without being an error it could catch."""

    def __init__(self, info: Any, schema: dict[str, Any] | None, state: Any) -> None:
        super().__init__("the tool asks a person")
        self.info, self.schema, self.state = info, schema, state


def _raise_asked(info: Any, *, schema: dict[str, Any] | None = None, state: Any = None) -> Any:
    raise _Asked(info, schema, state)


async def _perform(loop: Loop, activation: Activation, each: Ready, entry: Event) -> None:
    began = loop.clock.monotonic()
    context = _context(loop, activation, each, entry)
    asked: list[_Asked] = []

    async def execute(_call: ToolCall) -> ToolResult:
        try:
            value = await _bounded(loop, each, context)
        except _Asked as question:
            asked.append(question)
            raise
        return _as_result(each, value)

    try:
        result = await hooks.wrapped_tool(loop, activation, execute)(each.call)
    except _Asked:
        result = None
    except TimeoutError:
        if each.tool.effectful and not each.tool.idempotent:
            ask_doubt(loop, activation, each, entry, "timeout")
            return
        result = _error(each, f"no result after {each.tool.timeout:g} s")
    except Exception as error:
        result = _error(
            each, f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        )
    if result is None:
        _question(
            loop, activation, each, entry, kind="question", info=asked[0].info, allowed=["respond"],
            schema=asked[0].schema, state=asked[0].state,
        )  # fmt: skip
        return
    _finish(loop, activation, each, entry, result, round((loop.clock.monotonic() - began) * 1000))


async def _bounded(loop: Loop, each: Ready, context: ToolContext) -> Any:
    arguments = loop.seals.open(each.call.arguments, each.call.spans)
    async with asyncio.timeout(each.tool.timeout):
        return await each.tool.call(arguments, context)


def _context(loop: Loop, activation: Activation, each: Ready, entry: Event) -> ToolContext:
    answer: tuple[bool, Any] = (False, None)
    asked: Event | None = None
    if entry.event_type == "resume":
        decision = loop.record.event(entry.payload["decision"])
        asked = decision and loop.record.event(decision.payload["of"])
        if decision is not None and asked is not None and asked.payload["kind"] == "question":
            answer = (
                True,
                loop.seals.open(decision.payload.get("value"), _under(decision, "/value")),
            )
    intent = (
        entry if entry.event_type == "tool_call" else loop.record.event(entry.cause or 0) or entry
    )
    return ToolContext(
        key=f"{intent.session_id}:{intent.seq}",
        address=call_address(activation, each.call),
        state=asked.payload.get("state") if asked else None,
        answer=answer,
        interrupted=asked is not None,
        ask=_raise_asked,
    )


def _under(event: Event, prefix: str) -> list[list[Any]]:
    return [[s[0][len(prefix) :], *s[1:]] for s in event.sealed or () if s[0].startswith(prefix)]


def _as_result(each: Ready, value: Any) -> ToolResult:
    if isinstance(value, ToolResult):
        return ToolResult(each.call.id, value.content, value.success)
    if isinstance(value, str):
        return ToolResult(each.call.id, value)
    return ToolResult(each.call.id, canonical.dumps(sanitise(value)[0]).decode())


def _error(each: Ready, text: str) -> ToolResult:
    return ToolResult(each.call.id, f"Error: {each.tool.name}: {text}", success=False)


def _finish(
    loop: Loop, activation: Activation, each: Ready, entry: Event, result: ToolResult, ms: int
) -> None:
    content = result.content
    if each.changed is not None:
        said = canonical.dumps(each.changed).decode()
        content = (
            f"A person changed the arguments of this call before it ran, to {said}.\n{content}"
        )
    payload, notes = sanitise(_result_payload(each, content, result.success, source="live", ms=ms))
    if notes:
        payload["sanitized"] = [list(note) for note in notes]
    if not result.success:
        payload["error"] = {"code": "tool_error", "message": result.content}
    sealed = loop.seals.seal(payload)
    write_result(
        loop,
        call_scope(activation, each.call),
        entry.seq,
        sealed.value,
        sealed=sealed.spans or None,
        rows=sealed.rows,
    )


def _result_payload(
    each: Ready, content: str, success: bool, *, source: str, ms: int | None
) -> dict[str, Any]:
    return {
        "call_id": each.call.id,
        "tool": each.tool.name,
        "success": success,
        "message": {"role": "tool", "content": content, "tool_call_id": each.call.id},
        "source": source,
        "ms": ms,
    }


def write_result(
    loop: Loop, scope: str, cause: int, payload: dict[str, Any], *,
    sealed: list[list[Any]] | None = None, rows: Any = None,
) -> Event:  # fmt: skip
    """Write the one result of a call."""
    if loop.seam.replaying:
        raise ReplayViolation(
            f"the record has no result in {scope}", scope=scope, event_type="tool_result"
        )
    loop.writer.carry(Draft("tool_result", payload, scope, cause, sealed=sealed), rows=rows)
    result = loop.record.result(scope)
    if result is None:
        raise Moved
    return result
