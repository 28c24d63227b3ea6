"""One performance of a call: the function runs, and what came of it is written at once."""

from __future__ import annotations

import asyncio
import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import ControlFlow, Moved, Suspended, is_control
from agents_app.engine.loop import hooks
from agents_app.engine.loop.flight import is_stopped_here
from agents_app.engine.messages import ToolResult, spans_under, spans_within
from agents_app.engine.tool_calls.execution import Execution, SealedGone, result_of
from agents_app.engine.tool_calls.forked import key_of
from agents_app.engine.tool_calls.gate import Ready, call_address, call_scope
from agents_app.engine.tool_calls.telling import Telling
from agents_app.engine.tools import ToolContext
from agents_app.engine.tools.output import bounded
from playhead.core import canonical
from playhead.core.errors import PlayheadError
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents_app.engine.children.errands import Errands
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop

DOUBT = {
    "crash": "The worker stopped while this call was running. Did it happen?",
    "broke_off": "This call was cancelled from within. Did it happen?",
    "timeout": "The call did not come back in time. Did it happen?",
    "blocked": "The call did not come back in time, and its thread can't be stopped: it may still "
    "be at work. Did it happen?",
    "lost": "No answer to this call came back. Did it happen?",
    "no_record": "This branch should take the recorded result of this call, and there is none.",
    "ask": "This branch asks before this call runs, which began before the fork. "
    "Retry runs it here.",
    "sealed_gone": "A secret that this call needs is gone from the vault; the call did not run.",
}
#: How a result begins whose call a person changed; the arguments and a full stop follow.
CHANGED_TO = "A person changed the arguments of this call before it ran, to "
_DOUBT_ALLOWED = ["happened", "did_not", "retry", "give_up"]


class _Asked(ControlFlow):
    """Raised by ``ctx.interrupt``: takes the tool out without being an error it could catch."""

    def __init__(self, info: Any, schema: dict[str, Any] | None, state: Any) -> None:
        super().__init__("the tool asks a person")
        self.info, self.schema, self.state = info, schema, state


async def perform(
    loop: Loop, activation: Activation, each: Ready, entry: Event, *, errands: Errands | None = None
) -> None:
    """Run the call of a durable intent; afterwards its result or its question is in the journal.

    Args:
        errands: through which it has agents run below it.

    Raises:
        Moved: it was taken out while the session stands still, and did nothing that lasts.
    """
    began = loop.clock.monotonic()
    asked: list[_Asked] = []

    def ask(info: Any, *, schema: dict[str, Any] | None = None, state: Any = None) -> Any:
        asked.append(_Asked(info, schema, state))  # it stands, whatever the tool catches
        raise asked[-1]

    context = _context(loop, activation, each, entry, ask, errands)
    execution = Execution(loop, each, entry.seq, context)
    result = await _executed(loop, activation, each, execution, entry.seq)
    if errands is not None and errands.halted:
        raise Moved
    why = execution.doubt
    if asked:
        _ask(loop, activation, each, entry, asked[0])
    elif why == "sealed_gone" or (why and each.tool.effectful and not each.tool.idempotent):
        doubt(loop, activation, each, entry, why)
    else:
        late = ToolResult(each.call.id, _said(each, execution.late or "no result"), False)
        ms = round((loop.clock.monotonic() - began) * 1000)
        _finish(loop, activation, each, entry, result or late, ms, execution.tries)


async def _executed(
    loop: Loop, activation: Activation, each: Ready, execution: Execution, entry: int
) -> ToolResult | None:
    """What the function and the wraps around it made of the call; ``None``: nothing is known."""
    try:
        scope = call_scope(activation, each.call)
        handler = hooks.wrapped_tool(loop, activation, scope, execution, entry)
        if handler is execution:  # nobody stands between who could change what it is given
            return await execution(each.call)
        given = replace(each.call, arguments=copy.deepcopy(each.call.arguments))
        said = await handler(given)
        await execution.settled()
        return result_of(each.call.id, said)
    except (_Asked, SealedGone, Suspended):
        return None
    except TimeoutError as error:
        return None if execution.late else _failed(each, error)
    except asyncio.CancelledError as error:
        if is_stopped_here():
            raise
        execution.doubt = "broke_off"
        return _failed(each, RuntimeError(f"it was cancelled: {error}"))
    except BaseException as error:
        if is_control(error):
            raise
        return _failed(each, error)


def _context(
    loop: Loop, activation: Activation, each: Ready, entry: Event, ask: Callable[..., Any],
    errands: Errands | None,
) -> ToolContext:  # fmt: skip
    scope = call_scope(activation, each.call)
    questions = [q for q in loop.record.asked(scope) if q.payload["kind"] == "question"]
    answers = []
    for question in questions:
        decision = loop.record.decision(question.payload["id"])
        if decision is not None and decision.seq < entry.seq:
            answers.append((_opened(loop, question, "info"), _opened(loop, decision, "value")))
    return ToolContext(
        key=key_of(loop, scope, entry),
        address=call_address(activation, each.call),
        state=_state(loop, scope, questions),
        answers=answers,
        session=loop.session_id,
        user=loop.seam.run.user if loop.seam.run else None,
        ask=ask,
        agents=each.tool.agents,
        errands=errands,
        telling=Telling(loop, scope, entry),
    )


def _state(loop: Loop, scope: str, questions: Sequence[Event]) -> Any:
    """What the call last left for itself, with a question or with an agent that it had run."""
    started = loop.record.by_type.get("child_start", ())
    if not questions and not started:
        return None
    children = [e for e in started if (e.scope or "").rpartition(";")[0] == scope]
    kept = sorted([*questions, *children], key=lambda event: event.seq)
    return next((_opened(loop, e, "state") for e in reversed(kept) if "state" in e.payload), None)


def _opened(loop: Loop, event: Event, field: str) -> Any:
    """A field of a payload with its real values."""
    spans = spans_within(f"/{field}", event.sealed or ())
    return loop.seals.open(event.payload.get(field), spans)


def _said(each: Ready, text: str) -> str:
    return f"Error: {each.tool.name}: {text}"


def _failed(each: Ready, error: BaseException) -> ToolResult:
    name = type(error).__name__
    text = error.message if isinstance(error, PlayheadError) else f"{name}: {error}"
    return ToolResult(each.call.id, _said(each, text if str(error) else name), success=False)


def _finish(
    loop: Loop, activation: Activation, each: Ready, entry: Event, result: ToolResult, ms: int,
    tries: int,
) -> None:  # fmt: skip
    """Write the result the moment it exists, unless the run has closed the call meanwhile."""
    scope = call_scope(activation, each.call)
    if loop.record.result(scope) is not None:
        return
    content = said_by_person(each, result.content)
    payload = result_payload(each, content, success=result.success, source="live", ms=ms)
    if tries > 1:
        payload["tries"] = tries
    if not result.success:
        payload["error"] = {"code": "tool_error", "message": result.content}
    payload, notes = sanitise(payload)
    if notes:
        payload = {**payload, "sanitized": [list(note) for note in notes]}
    sealed = loop.seals.seal(payload)
    payload, spans = bounded(sealed.value, sealed.spans, each.tool.max_output)
    loop.writer.carry(Draft("tool_result", payload, scope, entry.seq, sealed=spans or None))


def said_by_person(each: Ready, content: str) -> str:
    """The content, after the sentence that a person changed the call, where one did."""
    if not each.changed:
        return content
    said = canonical.dumps(each.call.arguments).decode()
    return f"{CHANGED_TO}{said}.\n{content}"


def result_payload(
    each: Ready, content: str, *, success: bool, source: str, ms: int | None
) -> dict[str, Any]:
    """The payload of a ``tool_result`` of a call."""
    return {
        "call_id": each.call.id,
        "tool": each.tool.name,
        "success": success,
        "message": {"role": "tool", "content": content, "tool_call_id": each.call.id},
        "source": source,
        "ms": ms,
    }


def doubt(loop: Loop, activation: Activation, each: Ready, entry: Event, why: str) -> None:
    """Ask a person what became of a call."""
    _question(
        loop, activation, each, entry, {"kind": "in_doubt", "info": DOUBT[why], "schema": None},
        _DOUBT_ALLOWED,
    )  # fmt: skip


def ask_again(loop: Loop, activation: Activation, each: Ready, entry: Event, asked: Event) -> None:
    """Ask a question that was open at a fork, in the branch's own name; no code of it runs."""
    fields = ("kind", "info", "schema", "state")
    said = {name: asked.payload[name] for name in fields if name in asked.payload}
    given = [list(s) for s in asked.sealed or () if s[0].split("/")[1] in fields]
    _question(loop, activation, each, entry, said, asked.payload["allowed"], spans=given)


def _ask(loop: Loop, activation: Activation, each: Ready, entry: Event, asked: _Asked) -> None:
    said = {
        "kind": "question",
        "info": asked.info,
        "schema": sanitise(asked.schema)[0],
        "state": sanitise(asked.state)[0],
    }
    _question(loop, activation, each, entry, said, ["respond"])


def _question(
    loop: Loop,
    activation: Activation,
    each: Ready,
    entry: Event,
    said: dict[str, Any],
    allowed: list[str],
    *,
    spans: Sequence[list[Any]] = (),
) -> None:
    scope, address = call_scope(activation, each.call), call_address(activation, each.call)
    if loop.record.result(scope) is not None:
        return
    generation = len(loop.record.asked(scope))
    payload = {
        "id": loop.question_id(address, generation),
        "address": address,
        "generation": generation,
        "parents": activation.ancestry,
        "call_id": each.call.id,
        "tool": each.tool.name,
        "arguments": each.call.arguments,
        "digest": each.digest,
        "consequence": each.tool.says(each.call.arguments),
        "allowed": allowed,
        "required_role": each.tool.required_role,
        "expires_at": None,
        "on_expiry": None,
        **said,
    }
    spans = [*spans, *spans_under("/arguments", each.call.spans)]
    loop.writer.carry(Draft("interrupt", payload, scope, entry.seq, sealed=spans or None))
