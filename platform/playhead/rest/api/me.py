"""Who am I, and what may I do."""

from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router, Status

from playhead.accounts.contracts import Principal, Role
from playhead.accounts.models import User
from playhead.accounts.services.throttle import login_succeeded, login_try
from playhead.accounts.services.users import password_change
from playhead.audit.services import record
from playhead.core.errors import PlayheadError
from playhead.rest.api.schemas import Can, Me, PasswordChange, Problem, Workspace
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


@router.post(
    "/me/password",
    auth=signed_in(),
    response={204: None, 400: Problem, 401: Problem, 403: Problem, 422: Problem, 429: Problem},
    operation_id="change_password",
)
def change_password(request: HttpRequest, body: PasswordChange) -> Status[None]:
    """Change one's own password: one stays signed in here, and nowhere else."""
    principal, user = principal_of(request), request.user
    if principal.kind != "user" or not isinstance(user, User):
        raise PlayheadError("An API key has no password.", code="forbidden")
    address = request.META.get("REMOTE_ADDR", "")
    login_try(address=address, email=user.email)
    with transaction.atomic():
        password_change(user=user, old=body.old, new=body.new)
        workspace_id = principal.workspace.id if principal.workspace else None
        record(
            who=principal, what="user.password", object_type="user", object_id=user.pk,
            workspace_id=workspace_id,
        )  # fmt: skip
    login_succeeded(address=address, email=user.email)
    user.refresh_from_db()
    update_session_auth_hash(request, user)
    return Status(204, None)
