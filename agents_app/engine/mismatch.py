"""When a resume finds that the code would not write what the log has (ARCHITECTURE 4, resume)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.recovery import open_questions
from playhead.core import digest
from playhead.core.events import Draft, Event

#: After one of these a step can't be begun again as if nothing had happened.
_SETTLED = frozenset({"tool_call", "resume", "step_end", "session_end"})

if TYPE_CHECKING:
    from agents_app.engine.errors import Divergence
    from agents_app.engine.loop import Loop


def answer_mismatch(loop: Loop, error: Divergence, *, epoch: int, owner: str) -> None:
    """Before the first tool intent of a step, abandon its answers; after one, ask a person."""
    step = _step_of(error)
    events = [event for event in loop.record.events if _in_step(event, step)]
    if any(event.event_type in _SETTLED for event in events):
        _ask(loop, error)
        return
    abandoned = [event.seq for event in events if event.seq not in loop.record.abandoned]
    loop.writer.emit(Draft("lease", {"epoch": epoch, "owner": owner, "abandoned": abandoned}))


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
        "digest": digest.of_value([error.detail.get("seq"), len(asked)]),
        "info": f"The agent's code has changed since this step began: {error.message}.",
        "allowed": ["continue", "give_up"],
        "required_role": "operator",
        "expires_at": None,
        "on_expiry": None,
    }
    loop.writer.emit(Draft("interrupt", payload))


def _step_of(error: Divergence) -> str:
    return str(error.detail.get("scope") or "").split(";")[0]


def _in_step(event: Event, step: str) -> bool:
    scope = event.scope or ""
    return scope == step or scope.startswith(step + ";")
