"""Sessions: start, list, read (and wait for), rename."""

from __future__ import annotations

from typing import Annotated

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest
from ninja import Query, Router, Status

from agents_app import permissions
from agents_app.api.asking import asking
from agents_app.api.schemas import READING, WRITING, NewSession, SessionChange
from agents_app.contracts import SessionView
from agents_app.selectors import sessions as selectors
from agents_app.selectors.feeds import AT_WORK, session_settled
from agents_app.services import sessions as services
from playhead.rest.auth import requires
from playhead.rest.idempotency import idempotent
from playhead.rest.pagination import MOST, USUAL, Page

router = Router(tags=["sessions"])
LONGEST_WAIT = 60


@router.post(
    "/sessions",
    auth=requires(permissions.START),
    response={201: SessionView, **WRITING},
    operation_id="create_session",
)
@idempotent()
def create_session(request: HttpRequest, body: NewSession) -> Status[SessionView]:
    """Start a session of an agent with what a person says first."""
    who = asking(request)
    made = services.session_create(
        by=who.by,
        agent=body.agent,
        text=body.input,
        version=body.version,
        title=body.title,
        tags=body.tags,
        limits=body.limits.model_dump(exclude_none=True) if body.limits else None,
        overrides=body.overrides.model_dump(exclude_none=True) if body.overrides else None,
    )
    view = selectors.session_get(workspace_id=who.workspace_id, eyes=who.eyes, session_id=made)
    return Status(201, view)


@router.get("/sessions", response={200: Page[SessionView], **READING}, operation_id="list_sessions")
def list_sessions(
    request: HttpRequest,
    status: str | None = None,
    agent: str | None = None,
    q: str | None = None,
    root: str | None = None,
    cursor: str | None = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
) -> Page[SessionView]:
    """The workspace's sessions, the newest first. ``status`` may name several, with commas."""
    who = asking(request)
    items, after = selectors.session_list(
        workspace_id=who.workspace_id,
        eyes=who.eyes,
        wanted=selectors.SessionFilter(status, agent, q, root),
        cursor=cursor,
        limit=limit,
    )
    return Page[SessionView](items=items, next=after)


@router.get(
    "/sessions/{session_id}", response={200: SessionView, **READING}, operation_id="get_session"
)
async def get_session(
    request: HttpRequest,
    session_id: str,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT)] = 0,
) -> SessionView:
    """One session; with ``wait`` (seconds at most), as soon as nobody works on it."""
    who = asking(request)
    view = await sync_to_async(selectors.session_get)(
        workspace_id=who.workspace_id, eyes=who.eyes, session_id=session_id
    )
    if wait == 0 or view.status not in AT_WORK:
        return view
    await sync_to_async(close_old_connections)()  # of this request's thread, for the time it waits
    return await session_settled(
        workspace_id=who.workspace_id, eyes=who.eyes, session_id=session_id, seconds=wait
    )


@router.patch(
    "/sessions/{session_id}",
    auth=requires(permissions.START),
    response={200: SessionView, **WRITING},
    operation_id="update_session",
)
def update_session(request: HttpRequest, session_id: str, body: SessionChange) -> SessionView:
    """Give a session another title or other tags."""
    who = asking(request)
    services.session_rename(by=who.by, session_id=session_id, title=body.title, tags=body.tags)
    return selectors.session_get(
        workspace_id=who.workspace_id, eyes=who.eyes, session_id=session_id
    )
