"""A call that a fork lies in: begun in the parent, gone on with in the branch.

Its effect is the branch's own from there on: the branch's policy says whether it happens, and its
key is none of the parent's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.tool_calls.gate import Ready
    from playhead.core.events import Event


def intent_of(loop: Loop, scope: str, entry: Event) -> Event:
    """The intent of a call that is entered by it, or by a ``resume``."""
    return loop.record.find(scope, "tool_call", 0) or entry


def key_of(loop: Loop, scope: str, entry: Event) -> str:
    """The idempotency key: session and seq of the intent, or of what took the call up here.

    That is the first ``resume`` behind the fork, or where there is none and the fork lies below the
    call, the branch itself: the same for every further entry.
    """
    origin, fork = intent_of(loop, scope, entry), loop.fork_before()
    if origin.seq < fork:
        resumed = _resumed(loop, scope, fork)
        if not resumed and loop.donor.is_inside(scope):
            return f"{loop.session_id}:{origin.seq}"
        origin = resumed[0] if resumed else origin
    return f"{origin.session_id}:{origin.seq}"


def policy_of(loop: Loop, scope: str, each: Ready, entry: Event) -> str:
    """What the branch says of the effect: ``live`` where it says nothing, or a person said so."""
    intent, fork = intent_of(loop, scope, entry), loop.fork_before()
    if not each.tool.effectful or intent.seq > fork:
        return each.policy
    stood = asked_at_fork(loop, scope, entry) is not None
    inside = loop.donor.is_inside(scope)
    if entry.seq < fork and not (each.tool.idempotent or stood or inside):
        return "live"  # somebody who is gone was at it: that is a question by itself
    if any(_is_retry(loop, resumed) for resumed in _resumed(loop, scope, fork)):
        return "live"
    effects = loop.effects_at(float("inf")) or {}
    return effects.get(each.tool.name, "recorded")


def is_left_whole(loop: Loop, scope: str, entry: Event) -> bool:
    """Whether a branch takes the parent's result of the call wherever it lies: not from inside."""
    return entry.seq < loop.fork_before() and not loop.donor.is_inside(scope)


def asked_at_fork(loop: Loop, scope: str, entry: Event) -> Event | None:
    """The call's own question at which the branch began, if nobody has asked it again."""
    for question in reversed(loop.record.asked(scope)):
        is_open = question.cause == entry.seq and question.seq in loop.record.abandoned
        if is_open and question.payload["kind"] == "question":
            return question
    return None


def _resumed(loop: Loop, scope: str, fork: int) -> list[Event]:
    entries = loop.record.by_type.get("resume", ())
    return [event for event in entries if event.scope == scope and event.seq > fork]


def _is_retry(loop: Loop, resumed: Event) -> bool:
    decision = loop.record.event(resumed.payload["decision"])
    return decision is not None and decision.payload["decision"] == "retry"
