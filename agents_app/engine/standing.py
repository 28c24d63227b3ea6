"""Where an unanswered model request stands: what was tried, what failed, what was asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from playhead.core.clock import parse_stamp

if TYPE_CHECKING:
    from agents_app.engine.loop import Loop
    from playhead.core.events import Event


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an unanswered request stands; ``failures`` are the errors since the last decision."""

    kind: Literal["open", "waiting", "asked", "gave_up"]
    attempt: int
    failures: tuple[str, ...] = ()
    question: dict[str, Any] | None = None
    due: datetime | None = None
    questions: int = 0


def standing(loop: Loop, event: Event) -> Standing:
    """Read the attempts, errors and questions of a request."""
    failures: list[str] = []
    attempt, questions, due = 1, 0, None
    for caused in loop.record.caused_by(event.seq, "llm_attempt", "llm_error", "interrupt"):
        if caused.event_type == "llm_attempt":
            attempt, due = caused.payload["n"], None
        elif caused.event_type == "llm_error":
            failures.append(caused.payload["code"])
            due = _due(caused)
        else:
            questions += 1
            decision = loop.record.decision(caused.payload["id"])
            if decision is None:
                return Standing("asked", attempt, question=caused.payload, questions=questions)
            if decision.payload["decision"] != "retry":
                return Standing("gave_up", attempt, questions=questions)
            failures, due = [], None
    base = Standing("open", attempt, tuple(failures), questions=questions)
    return replace(base, kind="waiting", due=due) if due else base


def _due(error: Event) -> datetime | None:
    wait = error.payload.get("retry_after")
    return None if wait is None else parse_stamp(error.ts) + timedelta(seconds=wait)
