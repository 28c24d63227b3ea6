"""Agents that a tool's function runs (``ctx.run_child``): below its call, in its session's log.

What the record has of them is gone on with before the function is entered: it finds their outcomes
by their number. A replay, which enters no function, derives them from there too.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from agents_app.engine.children.child import outcome_of, run_child
from agents_app.engine.errors import ControlFlow, Moved
from agents_app.engine.loop.flight import finished
from agents_app.engine.loop.settling import raise_strongest, settle_all
from agents_app.engine.messages import spans_under, spans_within
from agents_app.engine.spec import from_definition
from agents_app.engine.tool_calls.gate import Ready, call_scope
from agents_app.engine.tool_calls.performing import perform
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agents_app.engine.children.child import ChildOutcome
    from agents_app.engine.children.errands import Errand
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.messages import Span
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tools import Tool
    from playhead.core.events import Event


async def go_on(loop: Loop, activation: Activation, each: Ready, intent: Event) -> None:
    """Run what the record has below a call until it has ended.

    Raises:
        Interrupted, Paused, WaitUntil, Cancelled, Closed: one of them stands still, or ends all.
    """
    scope = call_scope(activation, each.call)
    result = loop.record.result(scope)
    if result is not None and result.payload["source"] not in ("live", "synthetic"):
        loop.seam.cover(scope)
        return
    started = _started(loop, scope)
    if not started:
        return
    entry = loop.record.last(scope, "resume") or intent
    for question in loop.record.asked(scope):
        loop.seam.saw(question)
    if not loop.seam.replaying and result is None and not loop.flight.known(entry.seq):
        loop.flight.fresh(entry.seq)  # it waited for one that had not ended: it did nothing since
    try:
        await settle_all(loop, [_again(loop, activation, each.tool, event) for event in started])
    except ControlFlow as stop:
        if not isinstance(stop, Moved):
            await loop.flight.halt(entry.seq)
        raise


def _started(loop: Loop, scope: str) -> list[Event]:
    """The children of a call; outside of a replay those that have not ended."""
    below, replaying = f"{scope};agent:", loop.seam.replaying
    return [
        event
        for event in loop.record.by_type.get("child_start", ())
        if (base := event.scope or "").startswith(below)
        and ";" not in base[len(below) :]
        and (replaying or loop.record.find(base, "child_end", 0) is None)
    ]


async def _again(loop: Loop, activation: Activation, tool: Tool, started: Event) -> ChildOutcome:
    spec, payload = _recorded(loop, tool, started), started.payload
    spans = started.sealed or ()
    more: dict[str, Any] = {n: payload[n] for n in ("info", "state") if n in payload}
    task, cause = payload["message"]["content"], started.cause
    base = started.scope or ""
    return await run_child(loop, activation, base, spec, task, cause=cause, spans=spans, more=more)


def _recorded(loop: Loop, tool: Tool, started: Event) -> AgentSpec:
    """The agent as it was when it started; its code is that of the agent that the tool names."""
    definition = started.payload["definition"]
    if isinstance(definition, int):
        holder = loop.record.event(definition)
        definition = holder.payload["definition"] if holder else {}
    return from_definition(definition, tool.tools_of(definition["slug"]))


async def serve(loop: Loop, activation: Activation, each: Ready, entry: Event) -> None:
    """Run the function, or join it where it runs, and the agents that it asks for meanwhile.

    Raises:
        Interrupted, Paused, WaitUntil, Cancelled, Closed: one of them stands still, or ends all.
        Moved: the function was stopped before it did anything that lasts.
    """
    scope, flight = call_scope(activation, each.call), loop.flight
    errands = flight.errands(entry.seq)
    start = partial(perform, loop, activation, each, entry, errands=errands)
    task = flight.begin(entry.seq, start, errands)
    working: dict[Errand, asyncio.Task[ChildOutcome]] = {}
    stops: list[BaseException] = []
    try:
        while working or not (stops or task.done()):
            for errand in errands.waiting if not stops else ():
                if errand not in working and not errand.done.done():
                    child = _child(loop, activation, scope, errand, entry)
                    working[errand] = asyncio.ensure_future(child)
            awaited = {errands.news(), *working.values(), *(() if task.done() else (task,))}
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            stops += _delivered(working)
    finally:
        await _cancelled(working.values())
    if stops:
        await flight.halt(entry.seq)
        raise_strongest(stops, [])
    finished(task)


def _delivered(working: dict[Errand, asyncio.Task[ChildOutcome]]) -> list[BaseException]:
    """Give outcomes to who waits for them; returns what made others stand still.

    Raises:
        Moved, Divergence: the loop is to be entered again.
    """
    stops: list[BaseException] = []
    for errand, child in [pair for pair in working.items() if pair[1].done()]:
        del working[errand]
        if child.cancelled():
            raise Moved
        error = child.exception()
        if error is None:
            if not errand.done.done():
                errand.done.set_result(child.result())
        elif isinstance(error, Moved) or not isinstance(error, ControlFlow):
            raise error
        else:
            stops.append(error)
    return stops


async def _cancelled(children: Iterable[asyncio.Task[Any]]) -> None:
    left = list(children)
    for child in left:
        child.cancel()
    if left:
        await asyncio.wait(left)


def _inside(field: str, spans: Sequence[Span]) -> list[Span]:
    return spans_under(f"/{field}", spans_within(f"/{field}", spans))


async def _child(
    loop: Loop, activation: Activation, scope: str, errand: Errand, entry: Event
) -> ChildOutcome:
    base = f"{scope};agent:{errand.name}"
    ended = loop.record.find(base, "child_end", 0)
    if ended is not None:
        return outcome_of(ended)
    said = {"task": errand.task, "info": errand.info, "state": errand.state}
    sealed = loop.seals.seal(sanitise(said)[0])
    more = {name: sealed.value[name] for name in ("info", "state") if said[name] is not None}
    spans = spans_under("/message/content", spans_within("/task", sealed.spans))
    spans += [span for name in more for span in _inside(name, sealed.spans)]
    return await run_child(
        loop, activation, base, errand.spec, sealed.value["task"],
        cause=entry.seq, spans=spans, more=more,
    )  # fmt: skip
