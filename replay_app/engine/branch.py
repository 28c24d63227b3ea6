"""What a branch writes first: the edited event, if any, and ``branch`` with what it abandons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import Message, from_log
from agents_app.engine.model_calls.prompts import params_digest, tools_digest
from playhead.core import digest
from playhead.core.catalogue import EDITABLE
from playhead.core.errors import InvalidInput, PlayheadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playhead.core.events import Draft, Event

#: What names things in the log: an edit changes what was said, never who is spoken of.
_FIXED = {
    "user_message": {"by", "to", "policy"},
    "steer": {"by", "to"},
    "llm_response": {"source", "attempt", "usage", "cost", "price", "saved"},
    "tool_result": {"call_id", "tool", "source"},
    "effect": {"kind", "request"},
    "decision": {"interrupt", "of", "digest", "by", "to"},
    "llm_request": {"prompt", "n", "digest", "fingerprint", "tools", "internal"},
}


def edited_payload(event: Event, event_type: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The payload that takes the place of an event: what is given, and the rest as it was.

    A given ``message`` is laid over the recorded one, field by field.

    Raises:
        InvalidInput: another type, one that the loop writes itself, or a field that names things.
    """
    if event.event_type != event_type:
        said = f"Event {event.seq} is a {event.event_type}, not a {event_type}."
        raise InvalidInput(said, detail={"field": "replace.event_type"})
    if event_type not in EDITABLE:
        said = f"A {event_type} can't be edited; these can: {', '.join(sorted(EDITABLE))}."
        raise InvalidInput(said, detail={"field": "replace.event_type"})
    changed = {name for name, value in given.items() if event.payload.get(name) != value}
    for name in sorted(changed & _FIXED[event_type]):
        raise InvalidInput(
            f"{name} of a {event_type} stays as it is.", detail={"field": f"replace.payload.{name}"}
        )
    if event_type == "llm_request":
        return _request(event, given)
    payload = {**_base(event), **given}
    if isinstance(given.get("message"), dict):
        payload["message"] = _laid_over(event.payload["message"], given["message"])
    return payload | _unpaid(event_type)


def _base(event: Event) -> dict[str, Any]:
    """What an edit is laid over; of a decision only what it is about, since words go together.

    An effect that failed did not, where somebody answers in its place.
    """
    if event.event_type == "effect":
        return {name: value for name, value in event.payload.items() if name != "error"}
    if event.event_type != "decision":
        return event.payload
    kept = _FIXED["decision"] | {"decision"}
    return {name: value for name, value in event.payload.items() if name in kept}


def _unpaid(event_type: str) -> dict[str, Any]:
    """An edited answer came from a person: it used nothing and cost nothing that we know of."""
    if event_type == "llm_response":
        return {"source": "edited", "usage": None, "cost": None, "price": None}
    return {"source": "edited"} if event_type == "tool_result" else {}


def _request(event: Event, given: Mapping[str, Any]) -> dict[str, Any]:
    """A request to be sent once as given: ``messages`` (whole), ``model``, ``params``."""
    unknown = given.keys() - {"messages", "model", "params"} - event.payload.keys()
    for name in sorted(unknown):
        raise InvalidInput(
            f"An llm_request has no {name}.", detail={"field": f"replace.payload.{name}"}
        )
    _expect(given, "model", str, "a text")
    _expect(given, "params", dict, "an object")
    payload = {**event.payload, **{k: v for k, v in given.items() if k != "messages"}}
    if "messages" in given:
        messages = _messages(given["messages"])
        payload["prompt"] = [["n", message.to_log()] for message in messages]
        payload["n"] = len(messages)
        rolled = digest.roll(digest.ZERO, [message.digest for message in messages])
        payload["digest"] = digest.named(rolled[-1] if rolled else digest.ZERO)
    prompt = bytes.fromhex(str(payload["digest"]).partition(":")[2])
    tools = payload["tools"] if isinstance(payload["tools"], list) else []
    payload["fingerprint"] = digest.fingerprint(
        prompt, tools_digest(tools), params_digest(payload["model"], payload["params"])
    )
    return payload


def _expect(given: Mapping[str, Any], name: str, kind: type, what: str) -> None:
    if name in given and not isinstance(given[name], kind):
        raise InvalidInput(f"{name} is {what}.", detail={"field": f"replace.payload.{name}"})


def _messages(given: Any) -> list[Message]:
    """The whole prompt, as it is to be sent.

    Raises:
        InvalidInput: it is no list of messages; names the first that is none.
    """
    _expect({"messages": given}, "messages", list, "a list of messages")
    messages = []
    for place, each in enumerate(given):
        try:
            messages.append(from_log(each))
        except (KeyError, TypeError, ValueError, AttributeError, PlayheadError) as error:
            where = f"replace.payload.messages.{place}"
            said = f"{where} is no message (role and content, and what its role needs): {error}"
            raise InvalidInput(said, detail={"field": where}) from None
    return messages


def _laid_over(recorded: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The recorded message with what is given; who speaks, and to which call, stays as it is.

    Raises:
        InvalidInput: the answer would be one to another call, so that a call had none.
    """
    for name in ("role", "tool_call_id"):
        if name in given and given[name] != recorded.get(name):
            raise InvalidInput(
                f"{name} of the message stays {recorded.get(name)!r}.",
                detail={"field": f"replace.payload.message.{name}"},
            )
    if recorded.get("role") != "assistant" and given.get("tool_calls"):
        raise InvalidInput(
            f"A message of the role {recorded.get('role')} calls no tool.",
            detail={"field": "replace.payload.message.tool_calls"},
        )
    return {**recorded, **given}


def abandoned(events: Sequence[Event], edited: Draft | None = None) -> list[int]:
    """What is left open at a fork and counts for nothing after it.

    Args:
        events: the end of what is inherited, at least everything since the last step that ended.
        edited: the event that follows; what it answers is not open.
    """
    requests = [event.seq for event in events if _is_open_request(event, events, edited)]
    decided = {
        event.payload["interrupt"]: event for event in events if event.event_type == "decision"
    }
    answered = edited.payload.get("interrupt") if edited else None
    out = set(requests)
    for event in events:
        if event.event_type != "interrupt" or event.payload["id"] == answered:
            continue
        decision = decided.get(event.payload["id"])
        if decision is None:
            out.add(event.seq)
        elif not _is_consumed(decision, event, events):
            out |= {event.seq, decision.seq}
    return sorted(out)


def _is_open_request(event: Event, events: Sequence[Event], edited: Draft | None) -> bool:
    if event.event_type != "llm_request" or event.edited is not None:
        return False
    if edited is not None and edited.cause == event.seq and edited.event_type == "llm_response":
        return False
    return not any(
        other.cause == event.seq
        and (other.event_type == "llm_response" or other.payload.get("final") is True)
        for other in events
    )


def _is_consumed(decision: Event, asked: Event, events: Sequence[Event]) -> bool:
    """Whether the loop has acted on a decision."""
    after = [event for event in events if event.seq > decision.seq and event.scope]
    if asked.payload["kind"] in ("approval", "question", "in_doubt"):
        return any(
            event.payload.get("decision") == decision.seq
            or event.cause == decision.seq
            or (event.event_type == "tool_result" and event.scope == asked.scope)
            for event in after
        )
    return bool(after)
