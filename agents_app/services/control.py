"""Pausing, resuming and cancelling: events that take effect before the next intent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores import log_store
from agents_app.engine.log.projection import ENDED
from agents_app.models.find import session_row
from agents_app.services.inputs import payload_enter
from agents_app.services.sessions import workspace_of
from agents_app.services.writing import NOTHING, Writing, log_write
from playhead.audit.services import record
from playhead.core.errors import Conflict
from playhead.core.events import Draft

if TYPE_CHECKING:
    from agents_app.adapters.stores.port import Head
    from agents_app.models import Session
    from playhead.accounts.contracts import Principal


def session_pause(*, by: Principal, session_id: str) -> None:
    """Stand still before the next intent; a pause that is on already stays as it is.

    Raises:
        Conflict: the session has ended.
    """
    _set_pause(by, session_id, on=True)


def session_resume(*, by: Principal, session_id: str) -> None:
    """Go on after a pause; without one nothing happens.

    Raises:
        Conflict: the session has ended.
    """
    _set_pause(by, session_id, on=False)


def _set_pause(by: Principal, session_id: str, *, on: bool) -> None:
    session = session_row(workspace_id=workspace_of(by), session_id=session_id)

    def decide(head: Head) -> Writing:
        _require_active(head)
        if _is_paused(session, head) is on:
            return NOTHING
        payload = {"on": on, "by": by.by, "to": _root_address(session)}
        return Writing([Draft("pause", payload)])

    log_write(session=session, decide=decide)


def session_cancel(*, by: Principal, session_id: str, reason: str | None = None) -> None:
    """End the run now: what is in flight is stopped, no new effect starts.

    Raises:
        Conflict: the session has ended.
    """
    session = session_row(workspace_id=workspace_of(by), session_id=session_id)
    given: dict[str, Any] = {} if reason is None else {"reason": reason}

    def decide(head: Head) -> Writing:
        _require_active(head)
        fixed = {"after": "now", "by": by.by, "to": _root_address(session)}
        entered = payload_enter(root=session.root_id or session.pk, given=given, fixed=fixed)
        return Writing([Draft("cancel", entered.payload, sealed=entered.sealed)], entered.vault)

    def audit(_: object) -> None:
        record(
            who=by,
            what="session.cancel",
            object_type="session",
            object_id=session.public_id,
            workspace_id=session.workspace_id,
        )

    log_write(session=session, decide=decide, also=audit)


def _require_active(head: Head) -> None:
    if head.state.status in ENDED:
        raise Conflict(
            f"The session has ended ({head.state.status}).",
            code="session_ended",
            detail={"outcome": head.state.status},
        )


def _is_paused(session: Session, head: Head) -> bool:
    if head.state.status == "paused":
        return True
    pauses = log_store().read(session.pk, types={"pause"})
    return bool(pauses) and bool(pauses[-1].event().payload["on"])


def _root_address(session: Session) -> str:
    return f"agent:{session.agent_version.agent.slug}"
