"""Who am I, and what may I do."""

from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router

from playhead.accounts.contracts import Principal, Role
from playhead.rest.api.schemas import Can, Me, Problem, Workspace
from playhead.rest.auth import principal_of, signed_in

router = Router(tags=["accounts"])


def describe(request: HttpRequest, principal: Principal) -> Me:
    """The principal as a page needs it; makes sure that the CSRF cookie is set."""
    workspace = principal.workspace
    return Me(
        id=principal.id,
        kind="api_key" if principal.kind == "api_key" else "user",
        email=principal.email,
        name=principal.name,
        role=principal.role,
        workspace=Workspace(id=workspace.id, name=workspace.name) if workspace else None,
        csrf=get_token(request),
        can=Can(
            operate=principal.has(Role.OPERATOR),
            approve=principal.has(Role.APPROVER),
            edit=principal.has(Role.EDITOR),
            admin=principal.has(Role.ADMIN),
            reveal=principal.can_reveal,
        ),
    )


@router.get("/me", auth=signed_in(), response={200: Me, 401: Problem}, operation_id="me")
def me(request: HttpRequest) -> Me:
    """The one who asks: role, workspace, permissions, CSRF token."""
    return describe(request, principal_of(request))
