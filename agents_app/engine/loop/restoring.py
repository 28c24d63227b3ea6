"""An activation as the log has it: what its last steps left, and the requests that it made."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from agents_app.engine.loop.activation import Activation
from agents_app.engine.model_calls.prompts import (
    Prompt,
    extend,
    resolve,
    tools_digest,
    unsplice,
)
from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.actor import Actor
    from agents_app.engine.log.record import Record
    from playhead.core.events import Event

logger = logging.getLogger(__name__)


def restore(
    record: Record,
    base: str,
    actor: Actor,
    *,
    since: int,
    states: Mapping[int, dict[str, Any]],
    parent: Activation | None = None,
) -> Activation | None:
    """The activation as its last ``step_end`` with a known state left it.

    Args:
        since: seq of what opened the current run; only a later step_end gives the strategy's state.
        states: states of checkpoints by the seq of their ``step_end``.

    Returns:
        ``None`` where no state is known since the run before ended: begin from the first event.
        A checkpoint that its ``step_end`` does not prove is none.
    """
    ends = step_ends(record, base)
    keep = len(ends)
    forks = [branch.payload["fork_seq"] for branch in record.branches]
    if ends and ends[-1].seq > since and ends[-1].seq + 1 in forks:
        keep -= 1  # whether that step finished its run stands behind the fork: take it again
    known = dict(states)
    while True:
        while keep and _state_of(ends[keep - 1], known) is None:
            if ends[keep - 1].seq <= since:
                return None
            keep -= 1
        activation = Activation(base, actor, parent)
        for end in ends[:keep]:
            activation.append([resolve(entry, record.message) for entry in end.payload["append"]])
            activation.closed()
        if not keep or _is_proven(activation, ends[keep - 1], known, record):
            break
        del known[ends[keep - 1].seq]
    state = _state_of(ends[keep - 1], known) if keep else None
    if state is not None:
        activation.take(state, strategy=ends[keep - 1].seq > since)
    activation.prompt = last_prompt(record, base, before=activation.step)
    return activation


def _is_proven(
    activation: Activation, end: Event, states: Mapping[int, dict[str, Any]], record: Record
) -> bool:
    """Whether a checkpoint is what its ``step_end`` says: one that is not is an alarm, and no use.

    The digest is of the agent that wrote it; where a branch took another version, it says nothing.
    """
    if end.payload["state"] is not None:
        return True
    if any(branch.payload["overrides"].get("version") for branch in record.branches):
        return True
    if activation.digest_of(canonical.dumps(states[end.seq])) == end.payload["digest"]:
        return True
    logger.error(
        "ALARM: the checkpoint of %s at event %s of %s is not what the log says; it is left out",
        activation.address, end.seq, end.session_id,
    )  # fmt: skip
    return False


def _state_of(end: Event, states: Mapping[int, dict[str, Any]]) -> dict[str, Any] | None:
    inline: dict[str, Any] | None = end.payload["state"]
    return states.get(end.seq) if inline is None else inline


def step_of(event: Event) -> int:
    """The step that an event of an activation itself belongs to."""
    return int((event.scope or "/0").rsplit("/", 1)[1])


def is_of(event: Event, base: str) -> bool:
    """Whether an event was written by an activation itself, not below one of its calls."""
    scope = event.scope or ""
    return scope.startswith(base + "/") and ";" not in scope[len(base) :]


def step_ends(record: Record, base: str) -> list[Event]:
    """The ends of an activation's steps, in order."""
    return [event for event in record.by_type.get("step_end", ()) if is_of(event, base)]


def last_prompt(record: Record, base: str, *, before: int) -> Prompt:
    """The last request of an activation before a step, rebuilt from its splices."""
    prompt = Prompt()
    for event in record.by_type.get("llm_request", ()):
        if is_of(event, base) and step_of(event) < before:
            prompt = prompt_of(record, event, prompt)
    return prompt


def prompt_of(record: Record, event: Event, previous: Prompt) -> Prompt:
    """The prompt of a request, given the previous one of its activation."""
    entries = event.payload["prompt"]
    messages = unsplice(previous.messages, entries, record.message)
    # Its first splice says what the two have in common: comparing them again would cost O(n) each.
    shared = entries[0][2] if entries and entries[0][:2] == ["c", 0] else 0
    prompt = extend(previous, messages, min(shared, previous.count))
    tools = event.payload["tools"]
    prompt.seq = event.seq
    if isinstance(tools, list):
        prompt.tools, prompt.tools_seq = tools_digest(tools), event.seq
    return prompt
