"""What a new owner of a session writes before it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core.clock import parse_stamp
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from datetime import datetime

    from agents_app.engine.record import Record

SYSTEM = {"kind": "system", "id": "system", "name": "system"}


def lease_draft(record: Record, *, epoch: int, owner: str) -> Draft:
    """The first event after a crash: who took over, and which model requests it abandons."""
    payload = {"epoch": epoch, "owner": owner, "abandoned": [e.seq for e in open_requests(record)]}
    return Draft("lease", payload)


def open_requests(record: Record) -> list[Event]:
    """Model requests that nobody will answer any more.

    One whose last attempt failed and is to be tried again, by time or by a person, is not among
    them: it goes on with an ``llm_attempt``; nor is one that a person edited to be sent as it is.
    """
    return [
        event
        for event in record.by_type.get("llm_request", ())
        if record.answer(event.seq) is None and event.edited is None and not _goes_on(record, event)
    ]


def _goes_on(record: Record, request: Event) -> bool:
    caused = record.caused_by(request.seq)
    return bool(caused) and caused[-1].event_type in ("llm_error", "interrupt")


def open_questions(record: Record) -> list[Event]:
    """Questions without a decision, of runs that have not ended."""
    ends = record.by_type.get("session_end", ())
    since = ends[-1].seq if ends else 0
    return [
        event
        for event in record.by_type.get("interrupt", ())
        if event.seq > since and record.decision(event.payload["id"]) is None
    ]


def expired_questions(record: Record, *, now: datetime, to: str) -> list[Draft]:
    """The decisions of the system for questions that are past their expiry: never a yes."""
    drafts = []
    for question in open_questions(record):
        expires = question.payload.get("expires_at")
        if expires is not None and parse_stamp(expires) <= now:
            drafts.append(_expiry(question, to))
    return drafts


def _expiry(question: Event, to: str) -> Draft:
    payload: dict[str, Any] = {
        "interrupt": question.payload["id"],
        "of": question.seq,
        "decision": question.payload.get("on_expiry") or "reject",
        "digest": question.payload["digest"],
        "message": "Nobody decided in time.",
        "by": SYSTEM,
        "to": to,
    }
    return Draft("decision", payload, cause=question.seq)
