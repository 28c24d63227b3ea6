"""What a new owner of a session writes before it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import Failed
from playhead.core.clock import parse_stamp
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from datetime import datetime

    from agents_app.engine.log.record import Record

OUTDATED = "The agent's code has changed since this was asked; it is asked again."
SYSTEM = {"kind": "system", "id": "system", "name": "system"}


def lease_draft(record: Record, *, epoch: int, owner: str) -> Draft:
    """The first event after a crash: who took over, and which model requests it abandons."""
    payload = {"epoch": epoch, "owner": owner, "abandoned": [e.seq for e in open_requests(record)]}
    return Draft("lease", payload)


def has_lease(record: Record, epoch: int) -> bool:
    """Whether the owner of an epoch has said so: its ``lease`` may have missed a person's event."""
    return any(event.payload["epoch"] == epoch for event in record.by_type.get("lease", ()))


def stop_draft(to: str, reason: str) -> Draft:
    """The system's cancel of a run that takes its worker down: it ends like any, but failed."""
    return Draft("cancel", {"after": "now", "reason": reason, "by": SYSTEM, "to": to})


def is_stopped(record: Record) -> bool:
    """Whether the run under way, if any, was cancelled already."""
    run = record.run(len(record.by_type.get("session_end", ())))
    return run is None or record.cancel_between(run.since, run.until) is not None


def why_stopped(cancel: Event) -> Failed | None:
    """The failure as which a run ends that the system cancelled; ``None`` for a person's cancel."""
    if cancel.payload["by"]["kind"] != SYSTEM["kind"]:
        return None
    return Failed("worker_died", cancel.payload["reason"])


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
    """The decisions of the system for questions that are over: never a yes.

    They are past their expiry, or about a version of a tool that will not run any more.
    """
    outdated = _outdated(record)
    drafts = []
    for question in open_questions(record):
        expires = question.payload.get("expires_at")
        if question.seq in outdated:
            drafts.append(closed(question, to, OUTDATED))
        elif expires is not None and parse_stamp(expires) <= now:
            drafts.append(closed(question, to, "Nobody decided in time."))
    return drafts


def gone_on_with(record: Record) -> list[Event]:
    """Questions of kind ``version`` to which a person said that the session goes on."""
    out = []
    for question in record.by_type.get("interrupt", ()):
        if question.payload["kind"] == "version" and "differs" in question.payload:
            decision = record.decision(question.payload["id"])
            if decision is not None and decision.payload["decision"] == "continue":
                out.append(question)
    return out


def _outdated(record: Record) -> set[int]:
    """Approvals of other code than that with which a person let the session go on."""
    return {
        question.payload["of"]
        for question in gone_on_with(record)
        if any(name == "digest" for name, *_ in question.payload["differs"]["fields"])
    }


def closed(question: Event, to: str, message: str) -> Draft:
    """The decision of the system that ends a question."""
    payload: dict[str, Any] = {
        "interrupt": question.payload["id"],
        "of": question.seq,
        "decision": question.payload.get("on_expiry") or "reject",
        "digest": question.payload["digest"],
        "message": message,
        "by": SYSTEM,
        "to": to,
    }
    return Draft("decision", payload, cause=question.seq)
