"""A masked copy of a log: a chain of its own, without personal data and without what is hidden."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playhead.core.events import BLOB_LIMIT, GENESIS, Draft, StoredEvent, body_of, store_form
from playhead.core.mask import mask
from replay_app.engine.wording import inline, without_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playhead.core.events import Event

_SEALED = re.compile(r"^v_([a-z_]{1,24})_")
#: Fields of a payload that say what was called for, what came back, what was asked, what it cost.
_PARTS: dict[str, dict[str, tuple[str, ...]]] = {
    "arguments": {
        "tool_call": ("arguments", "raw", "key"),
        "interrupt": ("arguments", "consequence", "info", "schema", "state"),
        "decision": ("arguments", "value", "message"),
        "child_start": ("message",),
        "llm_error": ("partial",),  # a reply that broke off may have begun to call a tool
    },
    "results": {
        "tool_result": ("message", "error"),
        "effect": ("request", "answer", "error"),
        "guardrail": ("findings",),  # an excerpt of what it looked at
        "child_start": ("message",),  # a planner tells its children what was found before
        "child_end": ("answer", "reason", "error"),
    },
    "prompts": {
        "llm_request": ("prompt", "tools", "params"),
        "llm_attempt": ("prompt", "tools", "params"),
        "session_start": ("definition",),
        "child_start": ("definition",),
        "branch": ("overrides",),
        "step_end": ("append", "state"),
    },
    "cost": {"llm_response": ("usage", "cost", "price"), "llm_request": ("reserved",)},
}
#: Where a request and a step hold messages: by reference, or as they are.
_REFERENCES = ("prompt", "append")
#: What only we and a provider have use for.
_OURS = {
    "llm_response": ("provider",),
    "session_start": ("seed",),
    "branch": ("seed",),
    "lease": ("owner",),
}


@dataclass(slots=True)
class Masked:
    """Masked events as they are stored, and how many of each type were masked."""

    events: list[StoredEvent] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def masked(events: Sequence[Event], *, key: bytes, show: Mapping[str, bool]) -> Masked:
    """Mask a range of a log.

    Args:
        key: bytes that only this copy knows: the same datum has the same marker within it.
        show: of ``arguments``, ``results``, ``prompts`` and ``cost``, what is not hidden.
    """
    out = Masked()
    prev = GENESIS
    called = {event.cause for event in events if event.event_type == "tool_call"}
    for event in events:
        payload, counts = mask(_shown(event, show, calls=event.seq in called), key=key)
        out.counts.update(counts)
        out.counts.update(_types(event))
        payload = _short(payload)
        draft = Draft(event.event_type, payload, event.scope, event.cause, None, _mark(event))
        stored = store_form(event.session_id, prev, event.seq, event.ts, draft)
        out.events.append(stored)
        prev = stored.hash
    return out


def _shown(event: Event, show: Mapping[str, bool], *, calls: bool) -> dict[str, Any]:
    """The payload without its hidden parts, which ``hidden`` names, and without people's names.

    Args:
        calls: a tool was called because of this event.
    """
    payload = dict(event.payload)
    hidden = {
        name
        for part, types in _PARTS.items()
        if not show.get(part)
        for name in types.get(event.event_type, ())
        if name in payload
    }
    for name in (*hidden, *_OURS.get(event.event_type, ())):
        payload.pop(name, None)
    if not show.get("arguments") and isinstance(payload.get("message"), dict):
        hidden |= _hide_arguments(payload, calls=calls)
    hidden |= _hide_inline(payload, show)
    if not show.get("cost"):
        hidden |= _hide_budget(event, payload)
    if event.event_type == "edit" and not show.get("results") and _is_result(payload):
        payload.pop("message")
        hidden.add("message")
    if "by" in payload:
        payload["by"] = _nobody(payload["by"])
    if "message" in payload and isinstance(payload["message"], dict):
        payload["message"] = {k: v for k, v in payload["message"].items() if k != "items"}
    return {**payload, "hidden": sorted(hidden)} if hidden else payload


def _is_result(payload: Mapping[str, Any]) -> bool:
    message = payload.get("message") or {}
    return bool(message.get("role") == "tool")


def _hide_arguments(payload: dict[str, Any], *, calls: bool) -> set[str]:
    """Take arguments out of a message; says which part of it they stood in."""
    message = payload["message"]
    shown = without_arguments(message, calls=calls)
    if shown == message:
        return set()
    payload["message"] = shown
    return {"message.tool_calls.arguments" if message.get("tool_calls") else "message.content"}


def _hide_inline(payload: dict[str, Any], show: Mapping[str, bool]) -> set[str]:
    """Take what is hidden out of the messages that a request or a step carries itself."""
    hidden = set()
    for name in _REFERENCES:
        entries = payload.get(name)
        if isinstance(entries, list) and (shown := inline(entries, show)) != entries:
            payload[name] = shown
            hidden.add(f"{name}.content")
    return hidden


def _nobody(by: Any) -> Any:
    """Who did it, as far as a stranger needs to know: a person, a program, the system."""
    kind = by.get("kind") if isinstance(by, dict) else None
    names = {"user": "A person", "api_key": "A program", "share": "A visitor"}
    return {"kind": kind, "id": "", "name": names.get(str(kind), "Playhead")}


def _mark(event: Event) -> dict[str, Any] | None:
    return None if event.edited is None else {**event.edited, "by": _nobody(event.edited.get("by"))}


def _types(event: Event) -> Counter[str]:
    """Values that were sealed long before: they count as masked."""
    found = (_SEALED.match(str(span[3])) for span in event.sealed or ())
    return Counter(match.group(1) for match in found if match)


def _hide_budget(event: Event, payload: dict[str, Any]) -> set[str]:
    """Take out how much was used of tokens and money."""
    about = payload.get("info") if event.event_type == "interrupt" else payload
    if not isinstance(about, dict) or about.get("what") not in ("max_tokens", "max_cost"):
        return set()
    hidden = {"info"} if about is not payload else {"limit", "used", "text"}
    for name in hidden:
        payload.pop(name, None)
    return hidden


def _short(payload: dict[str, Any]) -> dict[str, Any]:
    """A body that is too large for a page is its stub, whose head is masked like the rest."""
    body, blob = body_of(payload)
    if blob is None or len(blob) <= BLOB_LIMIT:
        return payload

    stub: dict[str, Any] = json.loads(body)
    return stub
