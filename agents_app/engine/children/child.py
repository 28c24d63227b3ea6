"""Agents below agents: a child steps in its parent's log, under an address of its own.

``child_start`` and ``child_end`` are its pair. What is recorded as ended is not entered again,
except by a replay, which derives every event of a child as it does its parent's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from agents_app.engine.budgets.budget import ended_by_limit
from agents_app.engine.errors import Cancelled, Closed, Failed, LimitReached
from agents_app.engine.loop.activation import Activation
from agents_app.engine.loop.closing import close_child, end_child
from agents_app.engine.loop.restoring import restore, step_ends
from agents_app.engine.loop.stepping import begin, run_steps
from agents_app.engine.messages import spans_under, spans_within
from agents_app.engine.spec import without_secrets
from agents_app.engine.tool_calls.gate import Ready, call_scope
from agents_app.engine.tool_calls.performing import result_payload, said_by_person
from agents_app.engine.tool_calls.running import decide_result, taken_over
from playhead.core import digest
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.messages import Span
    from agents_app.engine.spec import AgentSpec


@dataclass(frozen=True, slots=True)
class ChildOutcome:
    """How a child ended: ``finished``, ``limit`` or ``failed``, and its answer or what went wrong.

    ``seq`` is the event that says so: a state refers to it. A cancel is none: it ends the parent.
    """

    kind: str
    text: str
    code: str | None = None
    seq: int = 0

    @property
    def finished(self) -> bool:
        """Whether ``text`` is an answer."""
        return self.kind == "finished"


async def run_child(
    loop: Loop,
    parent: Activation,
    base: str,
    spec: AgentSpec,
    task: str,
    *,
    cause: int | None = None,
    spans: Sequence[Span] = (),
    more: Mapping[str, Any] | None = None,
) -> ChildOutcome:
    """Run an agent below another until it ends.

    Args:
        base: the scope of the child without its step.
        spans: where sealed values stand in the event that starts it.
        more: what a tool says of it: ``info`` for who is asked below it, ``state`` of its own.

    Raises:
        Interrupted, Paused, WaitUntil, Cancelled: the whole session stands still, or ends.
    """
    started = _start(loop, base, spec, task, cause, spans, more)
    ended = loop.record.find(base, "child_end", 0)
    if ended is not None and not loop.seam.replaying:
        if ended.payload["outcome"] == "cancelled":
            _end_with_parent(loop, parent)
        return outcome_of(ended)
    child = _activation(loop, parent, base, spec, started)
    try:
        if child.step == 0:
            begin(child, loop.record.message(started.seq))
        turn = await run_steps(loop, child, first=0, before_end=_nothing_first)
        return outcome_of(end_child(loop, child, turn.kind, turn.text))
    except LimitReached as stop:
        if stop.base == child.base:
            return outcome_of(await close_child(loop, child, None, stop))
        await close_child(loop, child, None)
        raise
    except Failed as stop:
        return outcome_of(await close_child(loop, child, stop))
    except (Cancelled, Closed):
        await close_child(loop, child, None)
        raise


def _end_with_parent(loop: Loop, parent: Activation) -> NoReturn:
    """End what is above a cancelled child by what ended that: a crash between the two is no way on.

    Raises:
        Cancelled, LimitReached, Closed: which of them it was.
    """
    loop.seam.check_cancel()
    ended_by_limit(loop, parent)
    raise Closed


def _nothing_first() -> None:
    """The end of a child is no intent: what people said meets the parent's next one."""


def _start(
    loop: Loop, base: str, spec: AgentSpec, task: str, cause: int | None, spans: Sequence[Span],
    more: Mapping[str, Any] | None,
) -> Event:  # fmt: skip
    loop.seam.fence(base, "child_start")
    definition = without_secrets(spec.definition())
    mark = digest.of_value(definition)
    payload: dict[str, Any] = {
        "agent": {"slug": spec.slug, "name": spec.name or spec.slug, "digest": mark},
        "definition": _known_since(loop, base, mark) or definition,
        "message": {"role": "user", "content": task},
        **(more or {}),
    }
    sealed = list(spans) or None
    return loop.seam.write(Draft("child_start", payload, base, cause, sealed=sealed))


def _known_since(loop: Loop, base: str, mark: str) -> int | None:
    """The event that holds the same definition already: it is stored once."""
    upto = loop.seam.upto(base, "child_start")
    for event in loop.record.by_type.get("child_start", ()):
        if event.seq >= upto:
            break
        if event.payload["agent"]["digest"] == mark:
            return event.seq
    return None


def _activation(
    loop: Loop, parent: Activation, base: str, spec: AgentSpec, started: Event
) -> Activation:
    """The child as its last step left it; a replay begins with its first."""
    actor = loop.parts.actor(spec)
    child: Activation | None = None
    if not loop.seam.replaying:
        child = restore(
            loop.record, base, actor, since=started.seq, states=loop.states, parent=parent
        )
    child = child or Activation(base, actor, parent)
    child.info = started.payload.get("info")
    done = step_ends(loop.record, base)[: child.step]
    child.opened = done[-1].ts if done else started.ts
    parent.children[base] = child
    return child


def outcome_of(ended: Event) -> ChildOutcome:
    """What a ``child_end`` says."""
    payload = ended.payload
    error = payload.get("error") or {}
    return ChildOutcome(
        payload["outcome"],
        payload["answer"] or payload.get("reason") or "",
        error.get("code"),
        ended.seq,
    )


async def call_agent(loop: Loop, activation: Activation, each: Ready, intent: Event) -> Event:
    """The result of a call of an agent that is a tool."""
    agent, scope = each.tool.agent, call_scope(activation, each.call)
    if agent is None:
        raise AssertionError(f"{each.tool.name} is no agent")
    base = f"{scope};agent:{agent.slug}"
    result = loop.record.result(scope)
    if result is not None and not (loop.seam.replaying and _derivable(loop, base, result)):
        loop.seam.cover(scope)
        return result
    inside = loop.donor.is_inside(scope)
    if result is None and not inside and taken_over(loop, activation, scope, each, intent):
        return _written(loop, scope)
    spans = spans_under("/message/content", spans_within("/task", each.call.spans))
    ended = await run_child(
        loop, activation, base, agent, each.call.arguments["task"], cause=intent.seq, spans=spans
    )
    return loop.record.result(scope) or _answered(loop, scope, each, intent, ended)


def _derivable(loop: Loop, base: str, result: Event) -> bool:
    """Whether the events below a call lead to its result: not where it came from elsewhere."""
    entered = loop.record.find(base, "child_start", 0) is not None
    return entered and result.payload["source"] in ("live", "synthetic")


def _answered(loop: Loop, scope: str, each: Ready, intent: Event, ended: ChildOutcome) -> Event:
    text = ended.text if ended.finished else f"Error: {each.tool.name}: {ended.text}"
    content = said_by_person(each, text)
    payload = result_payload(each, content, success=ended.finished, source="live", ms=None)
    if not ended.finished:
        payload["error"] = {"code": ended.code or ended.kind, "message": ended.text}
    return decide_result(loop, scope, intent.seq, payload)


def _written(loop: Loop, scope: str) -> Event:
    result = loop.record.result(scope)
    if result is None:
        raise AssertionError(f"no result was taken over in {scope}")
    return result
