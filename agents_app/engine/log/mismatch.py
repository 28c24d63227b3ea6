"""When a resume finds that the code would not write what the log has (ARCHITECTURE 4, resume)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from agents_app.engine.log.recovery import (
    OUTDATED,
    closed,
    gone_on_with,
    open_questions,
    why_stopped,
)
from playhead.core import canonical, digest
from playhead.core.events import Draft, Event
from playhead.core.seal import withhold

#: After one of these a step can't be begun again as if nothing had happened.
_SETTLED = frozenset({"tool_call", "resume", "step_end", "session_end"})

if TYPE_CHECKING:
    from agents_app.engine.errors import Divergence
    from agents_app.engine.log.record import Record
    from agents_app.engine.loop.shared import Loop

#: A field, its value in the record, and what the code makes of it now.
Difference = tuple[str, Any, Any]
#: A value that is longer as JSON stands in a question as its digest.
_SHORT = 200


def differs(recorded: Event, fields: list[Difference]) -> dict[str, Any]:
    """What a question of kind ``version`` binds to: the tool or the kind of event, and each field.

    Where it happened is not part of that, so that a yes holds for whatever differs likewise.
    """
    tool = recorded.payload.get("tool")
    return {
        "what": tool if isinstance(tool, str) else recorded.event_type,
        "fields": [[name, _said(expected), _said(found)] for name, expected, found in fields],
    }


def accepts(record: Record, recorded: Event, fields: list[Difference]) -> bool:
    """Whether a person has said that the session goes on although the code differs like this.

    A call's digest is over its tool, arguments and version: where the tool's version is accepted
    so is what follows from it, and the other way round.
    """
    now = differs(recorded, fields)
    known = [field for each in _accepted(record, now["what"]) for field in each]
    left = [field for field in now["fields"] if field not in known]
    version = [f for f in now["fields"] if f[0] in ("digest", "version")]
    if any(field in known for field in version):
        left = [field for field in left if field not in version]
    return not left


def _accepted(record: Record, what: str) -> list[list[Any]]:
    said = [question.payload["differs"] for question in gone_on_with(record)]
    return [differs["fields"] for differs in said if differs["what"] == what]


def _said(value: Any) -> Any:
    value = withhold(value)
    data = canonical.dumps(value)
    return canonical.loads(data) if len(data) <= _SHORT else digest.of_value(value)


def answer_mismatch(loop: Loop, error: Divergence, *, epoch: int, owner: str) -> None:
    """Before the first tool intent of a step, abandon its answers; after one, ask a person."""
    step = _step_of(error)
    events = [event for event in loop.record.events if _in_step(event, step)]
    if any(event.event_type in _SETTLED or _is_edited_answer(event) for event in events):
        if not _end_cancelled(loop, epoch=epoch, owner=owner):
            _ask(loop, error)
        return
    standing = [event for event in events if event.seq not in loop.record.abandoned]
    abandoned = [event.seq for event in standing if event.edited is None]
    for question in open_questions(loop.record):
        if question.seq in abandoned:
            loop.writer.emit(closed(question, loop.root, OUTDATED))
    loop.writer.emit(Draft("lease", {"epoch": epoch, "owner": owner, "abandoned": abandoned}))


def end_unfollowed(loop: Loop, *, epoch: int, owner: str) -> None:
    """End a run that was cancelled while a person was asked about its code."""
    if version_question(loop) is not None:
        _end_cancelled(loop, epoch=epoch, owner=owner)


def _end_cancelled(loop: Loop, *, epoch: int, owner: str) -> bool:
    """Whether the run under way was cancelled, and is ended without following its record.

    What came after its last whole step counts for nothing.
    """
    record = loop.record
    run = record.run(len(record.by_type.get("session_end", ())))
    cancel = record.cancel_between(run.since, math.inf) if run else None
    if run is None or cancel is None:
        return False
    steps = [e.seq for e in record.by_type.get("step_end", ()) if ";" not in (e.scope or "")]
    whole = max(steps, default=0)
    begun = [e for e in record.events if e.seq > max(run.since, whole) and e.scope is not None]
    failure = why_stopped(cancel)
    payload: dict[str, Any] = {
        "run": run.number + 1,
        "outcome": "failed" if failure else "cancelled",
        "answer": None,
        "steps": 0,
        "reason": failure.message if failure else "The run was cancelled.",
    }
    if failure:
        payload["error"] = {"code": failure.code, "message": failure.message}
    abandoned = [e.seq for e in begun if e.seq not in record.abandoned and not e.edited]
    loop.writer.emit(Draft("lease", {"epoch": epoch, "owner": owner, "abandoned": abandoned}))
    loop.writer.emit(Draft("session_end", payload))
    return True


def version_question(loop: Loop) -> Event | None:
    """The open question of kind ``version``, if there is one."""
    for question in open_questions(loop.record):
        if question.payload["kind"] == "version":
            return question
    return None


def last_decision(loop: Loop, kind: str, decision: str) -> Event | None:
    """The decision of the last question of a kind in the present run, if it says ``decision``."""
    ends = loop.record.by_type.get("session_end", ())
    since = ends[-1].seq if ends else 0
    asked = [e for e in loop.record.by_type.get("interrupt", ()) if e.payload["kind"] == kind]
    if not asked or asked[-1].seq < since:
        return None
    decided = loop.record.decision(asked[-1].payload["id"])
    return decided if decided is not None and decided.payload["decision"] == decision else None


def _ask(loop: Loop, error: Divergence) -> None:
    asked = [e for e in loop.record.by_type.get("interrupt", ()) if e.payload["kind"] == "version"]
    payload = {
        "id": loop.question_id(f"{loop.root};version", len(asked)),
        "kind": "version",
        "address": loop.root,
        "generation": len(asked),
        "parents": [],
        "digest": digest.of_value(error.differs),
        "info": f"The agent's code has changed since this step began: {error.message}.",
        "differs": error.differs,
        "of": error.detail.get("seq"),
        "allowed": ["continue", "give_up"],
        "required_role": "operator",
        "expires_at": None,
        "on_expiry": None,
    }
    loop.writer.emit(Draft("interrupt", payload))


def _is_edited_answer(event: Event) -> bool:
    """What a person put in an answer's place is not asked for again."""
    return event.edited is not None and event.event_type != "llm_request"


def _step_of(error: Divergence) -> str:
    """The step of the innermost agent whose event it is."""
    segments = str(error.detail.get("scope") or "").split(";")
    last = max((i for i, each in enumerate(segments) if each.startswith("agent:")), default=0)
    return ";".join(segments[: last + 1])


def _in_step(event: Event, step: str) -> bool:
    scope = event.scope or ""
    return scope == step or scope.startswith(step + ";")
