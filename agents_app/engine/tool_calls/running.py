"""The execution of one call: at most once per decision, and a person decides what is in doubt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import Failed, Interrupted, Moved, ReplayViolation
from agents_app.engine.tool_calls.forked import asked_at_fork, intent_of, is_left_whole, policy_of
from agents_app.engine.tool_calls.gate import Ready, call_scope
from agents_app.engine.tool_calls.performing import ask_again, doubt, perform, result_payload
from agents_app.engine.tool_calls.telling import saw_told
from playhead.core import canonical
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from agents_app.engine.log.donor import Answer
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop


async def result_of(loop: Loop, activation: Activation, each: Ready, intent: Event) -> Event:
    """The result of a call whose intent is durable: recorded, taken over, or performed.

    What runs below it goes first.

    Raises:
        Interrupted: the tool asks, or the call is in doubt, and nobody has decided.
        Failed: a person gave the call up.
        ReplayViolation: a replay has no result to take.
    """
    saw_told(loop, call_scope(activation, each.call))
    if each.tool.agents:
        from agents_app.engine.children import below  # what runs there calls tools in its turn

        await below.go_on(loop, activation, each, intent)
    return await _result_of(loop, activation, each, intent)


async def _result_of(loop: Loop, activation: Activation, each: Ready, intent: Event) -> Event:
    scope, entry = call_scope(activation, each.call), intent
    while True:
        question = _last_question(loop, entry)
        decision = loop.record.decision(question.payload["id"]) if question is not None else None
        if question is not None and decision is not None:
            if decision.payload["decision"] == "give_up":
                raise Failed("gave_up", f"A person gave up on a call of {each.tool.name}.")
            if _enters_again(question, decision) and not _closed_before_resume(loop, scope):
                entry = await _resume(loop, scope, each, entry, decision)
                continue
        result = loop.record.result(scope)
        if result is not None:
            return result
        if decision is not None:
            return _what_happened(loop, scope, each, decision)
        if question is not None:
            raise Interrupted([question.payload])
        if loop.seam.replaying:
            raise ReplayViolation(
                f"the record has no result for call {intent.seq}",
                scope=scope,
                event_type="tool_result",
            )
        if not taken_over(loop, activation, scope, each, entry):
            await _start(loop, activation, each, entry)


def _last_question(loop: Loop, entry: Event) -> Event | None:
    questions = [e for e in loop.record.caused_by(entry.seq) if e.event_type == "interrupt"]
    for question in questions:
        loop.seam.saw(question)
    return questions[-1] if questions else None


def _enters_again(question: Event, decision: Event) -> bool:
    kind, verdict = str(question.payload["kind"]), str(decision.payload["decision"])
    return kind == "question" or verdict == "retry"


def _closed_before_resume(loop: Loop, scope: str) -> bool:
    """Whether the run ended between a decision and the resume that it asks for."""
    return loop.record.result(scope) is not None and loop.seam.peek(scope, "resume") is None


async def _resume(loop: Loop, scope: str, each: Ready, entry: Event, decision: Event) -> Event:
    loop.seam.fence(scope, "resume")
    payload = {"call_id": each.call.id, "decision": decision.seq, "digest": each.digest}
    before = loop.record.seq
    resumed = loop.seam.write(Draft("resume", payload, scope, entry.seq))
    if resumed.seq > before:
        loop.flight.fresh(resumed.seq)
        await loop.writer.commit()
    return resumed


def _what_happened(loop: Loop, scope: str, each: Ready, decision: Event) -> Event:
    """The result that a person gave for a call in doubt: every JSON value is a legal one."""
    happened = decision.payload["decision"] == "happened"
    value = decision.payload.get("value")
    text = value if isinstance(value, str) else canonical.dumps(value).decode()
    if not happened:
        text = "Error: a person found that this call did not happen."
    payload = result_payload(each, text, success=happened, source="person", ms=None)
    if not happened:
        payload["error"] = {"code": "did_not_happen", "message": text}
    sealed = [
        ["/message/content", *s[1:]] for s in decision.sealed or () if s[0] == "/value" and happened
    ]
    return decide_result(loop, scope, decision.seq, payload, sealed=sealed)


def taken_over(loop: Loop, activation: Activation, scope: str, each: Ready, entry: Event) -> bool:
    """Whether the result comes from a branch's parent, a stub or a person, not from the world."""
    if not loop.record.branches:
        return False
    intent, policy = intent_of(loop, scope, entry), policy_of(loop, scope, each, entry)
    answer = None
    is_inherited = intent.seq < loop.fork_before()
    if is_inherited and (policy == "recorded" or is_left_whole(loop, scope, entry)):
        answer = loop.donor.of_intent(intent.seq)
    elif policy == "recorded":
        answer = loop.donor.claimed(scope)
    if answer is not None:
        _take(loop, scope, each, entry, answer)
        return True
    if policy == "stub":
        text = f"{each.tool.name} was not run in this branch (stub)."
        payload = result_payload(each, text, success=True, source="stub", ms=None)
        decide_result(loop, scope, entry.seq, payload)
        return True
    asked = asked_at_fork(loop, scope, entry) if each.tool.effectful else None
    if asked is not None:
        ask_again(loop, activation, each, entry, asked)
    elif policy != "live":
        doubt(loop, activation, each, entry, "no_record" if policy == "recorded" else "ask")
    return asked is not None or policy != "live"


def _take(loop: Loop, scope: str, each: Ready, entry: Event, answer: Answer) -> None:
    payload, spans = answer
    message = {**payload["message"], "tool_call_id": each.call.id}
    taken = {**payload, "call_id": each.call.id, "message": message, "source": "recorded"}
    decide_result(loop, scope, entry.seq, taken, sealed=spans)


async def _start(loop: Loop, activation: Activation, each: Ready, entry: Event) -> None:
    """Run the call, join it where it runs, or, where it is somebody's who is gone, ask."""
    loop.seam.check_cancel()
    again = not each.tool.effectful or each.tool.idempotent
    if each.tool.agents and (again or loop.flight.known(entry.seq)):
        from agents_app.engine.children import below

        await below.serve(loop, activation, each, entry)
    elif again or loop.flight.known(entry.seq):
        await loop.flight.join(entry.seq, partial(perform, loop, activation, each, entry))
    else:
        doubt(loop, activation, each, entry, "crash")
    loop.writer.check()


def decide_result(
    loop: Loop,
    scope: str,
    cause: int,
    payload: dict[str, Any],
    *,
    sealed: list[list[Any]] | None = None,
) -> Event:
    """Write a result that follows from what the log says; decided again when the head moves.

    Raises:
        ReplayViolation: in a replay, which has to find it.
    """
    if loop.seam.replaying:
        raise ReplayViolation(
            f"the record has no result in {scope}", scope=scope, event_type="tool_result"
        )
    loop.writer.emit(Draft("tool_result", payload, scope, cause, sealed=sealed or None))
    result = loop.record.result(scope)
    if result is None:
        raise Moved
    return result
