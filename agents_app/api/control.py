"""What people do to a running session: say something, pause, resume, cancel."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Status

from agents_app import permissions
from agents_app.api.asking import Asking, asking
from agents_app.api.schemas import WRITING, CancelIn, EventOut, NewMessage, Nothing
from agents_app.contracts import SessionView
from agents_app.selectors.sessions import session_get
from agents_app.services.control import session_cancel, session_pause, session_resume
from agents_app.services.sessions import message_add
from playhead.rest.auth import requires
from playhead.rest.idempotency import idempotent

router = Router(tags=["control"])


def _view(who: Asking, session_id: str) -> Status[SessionView]:
    view = session_get(workspace_id=who.workspace_id, eyes=who.eyes, session_id=session_id)
    return Status(202, view)


@router.post(
    "/sessions/{session_id}/messages",
    auth=requires(permissions.CONTROL),
    response={202: EventOut, **WRITING},
    operation_id="send_message",
)
@idempotent()
def send_message(request: HttpRequest, session_id: str, body: NewMessage) -> Status[EventOut]:
    """Say something to the session: its next run, at once or after the present one."""
    who = asking(request)
    event = message_add(by=who.by, session_id=session_id, text=body.content)
    return Status(202, EventOut(**who.eyes.value(event)))


@router.post(
    "/sessions/{session_id}/pause",
    auth=requires(permissions.CONTROL),
    response={202: SessionView, **WRITING},
    operation_id="pause_session",
)
def pause_session(
    request: HttpRequest, session_id: str, body: Nothing | None = None
) -> Status[SessionView]:
    """Stand still before the next intent."""
    who = asking(request)
    session_pause(by=who.by, session_id=session_id)
    return _view(who, session_id)


@router.post(
    "/sessions/{session_id}/resume",
    auth=requires(permissions.CONTROL),
    response={202: SessionView, **WRITING},
    operation_id="resume_session",
)
def resume_session(
    request: HttpRequest, session_id: str, body: Nothing | None = None
) -> Status[SessionView]:
    """Go on after a pause."""
    who = asking(request)
    session_resume(by=who.by, session_id=session_id)
    return _view(who, session_id)


@router.post(
    "/sessions/{session_id}/cancel",
    auth=requires(permissions.CONTROL),
    response={202: SessionView, **WRITING},
    operation_id="cancel_session",
)
def cancel_session(
    request: HttpRequest, session_id: str, body: CancelIn | None = None
) -> Status[SessionView]:
    """End the run now; open calls get their results, and no new effect starts."""
    who = asking(request)
    session_cancel(by=who.by, session_id=session_id, reason=body.reason if body else None)
    return _view(who, session_id)
