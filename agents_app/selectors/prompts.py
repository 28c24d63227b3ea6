"""What a model saw, whole: a request rebuilt from its splices and the messages they name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores import log_store
from agents_app.contracts import Origin, PromptAttempt, PromptMessage, PromptView, SessionRef
from agents_app.engine.messages import Message, from_log
from playhead.core import digest
from playhead.core.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.model_calls.prompts import Splice
    from agents_app.selectors.masks import Eyes
    from playhead.core.events import Event

_FRAME = frozenset({"llm_request", "lease", "branch"})
_CARRY = frozenset({"user_message", "steer", "llm_response", "tool_result", "edit", "child_start"})


@dataclass(frozen=True, slots=True)
class _Chain:
    """A request with the one before it in its activation, and its prompt as references."""

    event: Event
    previous: int | None
    entries: list[Splice]


def prompt_get(*, session: SessionRef, eyes: Eyes, seq: int) -> PromptView:
    """The prompt of the request with that seq, message by message.

    Raises:
        NotFound: there is no model request with that seq.
    """
    frame = _read(session, _FRAME, upto=seq)
    if not frame or frame[-1].seq != seq or frame[-1].event_type != "llm_request":
        raise NotFound(f"The session has no model request {seq}.")
    chain = _chain(frame)
    payload = chain.event.payload
    tried = _tried(session, seq)
    last: dict[str, Any] = tried[-1].payload if tried else {}
    entries = last.get("prompt", chain.entries)  # what a middleware sent in the request's place
    carried = {event.seq: event for event in _read(session, _CARRY, upto=seq)}
    messages = [_shown(_message(entry, carried), eyes) for entry in entries]
    return PromptView(
        seq=seq,
        model=payload["model"],
        params=last["params"] if "params" in last else payload["params"],
        tools=last["tools"] if "tools" in last else _tools(payload["tools"], frame),
        messages=messages,
        digest=payload["digest"],
        fingerprint=payload["fingerprint"],
        previous=chain.previous,
        attempts=[
            PromptAttempt(event.payload["n"], event.payload["reason"], event.payload["model"])
            for event in tried
        ],
    )


def message_form(message: Message) -> dict[str, Any]:
    """A message as it is shown: the stored form, its calls with our ids."""
    form = message.to_log()
    if message.calls and message.origin is not None:
        calls = zip(message.calls, form["tool_calls"], strict=True)
        form["tool_calls"] = [{**stored, "id": call.id} for call, stored in calls]
    return form


def origin_of(message: Message) -> Origin | None:
    """The event that carries a message, if one does."""
    return None if message.origin is None else Origin(*message.origin)


def _read(session: SessionRef, types: frozenset[str], *, upto: int) -> list[Event]:
    return [row.event() for row in log_store().read(session.pk, upto=upto, types=types)]


def _chain(frame: Sequence[Event]) -> _Chain:
    """Fold the requests of the last one's activation, each against the one before."""
    last = frame[-1]
    dropped = {
        seq
        for event in frame
        if event.event_type != "llm_request"
        for seq in event.payload["abandoned"]
    } - {last.seq}
    mine = [
        event
        for event in frame
        if event.event_type == "llm_request"
        and event.seq not in dropped
        and _activation(event.scope) == _activation(last.scope)
    ]
    entries: list[Splice] = []
    for event in mine:
        entries = _unspliced(entries, event.payload["prompt"])
    return _Chain(last, mine[-2].seq if len(mine) > 1 else None, entries)


def _activation(scope: str | None) -> str:
    address, _, step = (scope or "").rpartition("/")
    return address if step.isdigit() else scope or ""


def _unspliced(previous: Sequence[Splice], entries: Sequence[Splice]) -> list[Splice]:
    out: list[Splice] = []
    for entry in entries:
        if entry[0] == "c":
            out += previous[entry[1] : entry[1] + entry[2]]
        else:
            out.append(entry)
    return out


def _message(entry: Splice, carried: dict[int, Event]) -> Message:
    if entry[0] == "n":
        return from_log(entry[1])
    return from_log(carried[entry[1]].payload["message"], *entry[1:])


def _shown(message: Message, eyes: Eyes) -> PromptMessage:
    return PromptMessage(
        message=eyes.value(message_form(message)),
        origin=origin_of(message),
        digest=digest.named(message.digest),
        chars=len(message.content),
    )


def _tools(tools: list[dict[str, Any]] | int, frame: Sequence[Event]) -> list[dict[str, Any]]:
    if isinstance(tools, list):
        return tools
    holder = next(event for event in frame if event.seq == tools)
    return list(holder.payload["tools"])


def _tried(session: SessionRef, seq: int) -> list[Event]:
    rows = log_store().read(session.pk, after=seq, types={"llm_attempt"})
    return [row.event() for row in rows if row.cause == seq]
