"""Run on from any moment."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Status

from agents_app import facade
from agents_app.contracts import BranchPlan
from playhead.rest.auth import principal_of, requires
from playhead.rest.idempotency import idempotent
from replay_app import permissions
from replay_app.api.schemas import WRITING, BranchesOut, BranchIn
from replay_app.services.branches import branch_start

router = Router(tags=["branches"])


@router.post(
    "/sessions/{session_id}/branches",
    auth=requires(permissions.BRANCH),
    response={201: BranchesOut, **WRITING},
    operation_id="create_branches",
)
@idempotent()
def create_branches(request: HttpRequest, session_id: str, body: BranchIn) -> Status[BranchesOut]:
    """Run on from the event ``at``, with what is different; the session itself stays as it is."""
    by = principal_of(request)
    plan = BranchPlan(
        at=body.at,
        replace=body.replace.model_dump() if body.replace else None,
        overrides=body.overrides.model_dump(exclude_none=True) if body.overrides else {},
        effects=body.effects,
        title=body.title,
        why=body.why,
    )
    made = branch_start(by=by, session_id=session_id, plan=plan)
    view = facade.session_get(
        workspace_id=facade.workspace_of(by), eyes=facade.Eyes.of(by), session_id=made
    )
    return Status(201, BranchesOut(sessions=[view]))
