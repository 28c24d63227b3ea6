"""Questions to people, and their decisions."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import TypeAdapter

from agents_app import permissions
from agents_app.api.asking import asking
from agents_app.api.schemas import DECIDING, READING, DecisionIn
from agents_app.contracts import InterruptView
from agents_app.selectors import interrupts as selectors
from agents_app.services.decisions import GIVEN, interrupt_decide
from playhead.core.errors import Conflict
from playhead.rest.auth import requires
from playhead.rest.pagination import MOST, USUAL, Page

router = Router(tags=["interrupts"])
_SHOWN = TypeAdapter(InterruptView)


@router.get(
    "/interrupts", response={200: Page[InterruptView], **READING}, operation_id="list_interrupts"
)
def list_interrupts(
    request: HttpRequest,
    status: str | None = None,
    session: str | None = None,
    cursor: str | None = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
) -> Page[InterruptView]:
    """The workspace's questions, the newest first."""
    who = asking(request)
    items, after = selectors.interrupt_list(
        workspace_id=who.workspace_id,
        by=who.by,
        status=status,
        session_id=session,
        cursor=cursor,
        limit=limit,
    )
    return Page[InterruptView](items=items, next=after)


@router.get(
    "/interrupts/{interrupt_id}",
    response={200: InterruptView, **READING},
    operation_id="get_interrupt",
)
def get_interrupt(request: HttpRequest, interrupt_id: str) -> InterruptView:
    """One question, as it stands."""
    who = asking(request)
    return selectors.interrupt_get(
        workspace_id=who.workspace_id, by=who.by, interrupt_id=interrupt_id
    )


@router.post(
    "/interrupts/{interrupt_id}/decision",
    auth=requires(permissions.DECIDE),
    response={200: InterruptView, **DECIDING},
    operation_id="decide_interrupt",
)
def decide_interrupt(request: HttpRequest, interrupt_id: str, body: DecisionIn) -> InterruptView:
    """Decide a question, once: who comes second is told who was first."""
    who = asking(request)
    given = {name: getattr(body, name) for name in GIVEN if name in body.model_fields_set}
    given = {name: value for name, value in given.items() if value is not None or name == "value"}
    try:
        interrupt_decide(
            by=who.by,
            interrupt_id=interrupt_id,
            decision=body.decision,
            digest=body.digest,
            given=given,
        )
    except Conflict as conflict:
        now = selectors.interrupt_get(
            workspace_id=who.workspace_id, by=who.by, interrupt_id=interrupt_id
        )
        conflict.detail["interrupt"] = _SHOWN.dump_python(now, mode="json")
        raise
    return selectors.interrupt_get(
        workspace_id=who.workspace_id, by=who.by, interrupt_id=interrupt_id
    )
