"""Where an unanswered model request stands: what was tried, what failed, what was asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from playhead.core.clock import parse_stamp
from playhead.core.immutable import immutable

if TYPE_CHECKING:
    from agents_app.engine.loop.shared import Loop
    from playhead.core.events import Event


@immutable(frozen=True, slots=True)
class Standing:
    """Where an unanswered request stands.

    ``attempt`` is the number of the last try, ``tried`` whether any was written, ``model`` the one
    that it asked; ``failures`` are the errors since a person last decided, ``of`` the models that
    they are of, ``failed`` whether there was one at all.
    """

    kind: Literal["open", "waiting", "asked", "gave_up"]
    attempt: int
    tried: bool = False
    failed: bool = False
    failures: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    model: str = ""
    question: dict[str, Any] | None = None
    due: datetime | None = None
    questions: int = 0


def standing(loop: Loop, event: Event) -> Standing:
    """Read the attempts, errors and questions of a request."""
    now = Standing("open", 1, model=event.payload["model"])
    for caused in loop.record.caused_by(event.seq):
        if caused.event_type == "llm_attempt":
            attempt, model = caused.payload["n"], caused.payload["model"]
            now = replace(now, kind="open", attempt=attempt, model=model, tried=True, due=None)
        elif caused.event_type == "llm_error":
            failures, due = (*now.failures, caused.payload["code"]), _due(caused)
            kind: Literal["open", "waiting"] = "waiting" if due else "open"
            of = (*now.of, now.model)
            now = replace(now, kind=kind, failed=True, failures=failures, of=of, due=due)
        elif caused.event_type == "interrupt":
            now = _asked(loop, now, caused)
    return now


def _asked(loop: Loop, now: Standing, question: Event) -> Standing:
    now = replace(now, questions=now.questions + 1, due=None)
    decision = loop.record.decision(question.payload["id"])
    if decision is None:
        return replace(now, kind="asked", question=question.payload)
    if decision.payload["decision"] != "retry":
        return replace(now, kind="gave_up")
    return replace(now, kind="open", failures=(), of=())


def _due(error: Event) -> datetime | None:
    wait = error.payload.get("retry_after")
    return None if wait is None else parse_stamp(error.ts) + timedelta(seconds=wait)
