"""The people of the workspace, for its admins."""

from dataclasses import asdict

from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest
from ninja import Router, Status

from playhead.accounts.contracts import Principal, Role, WorkspaceRef
from playhead.accounts.models import User as Person
from playhead.accounts.selectors import users as selectors
from playhead.accounts.services.links import login_link_create
from playhead.accounts.services.users import user_create, user_update
from playhead.audit.services import record
from playhead.core.errors import PlayheadError
from playhead.rest.api.schemas import (
    LoginLink,
    NewUser,
    Problem,
    User,
    UserChange,
    UserWithLink,
)
from playhead.rest.auth import principal_of, requires
from playhead.rest.idempotency import idempotent
from playhead.rest.pagination import Page

router = Router(tags=["accounts"])
REFUSALS = {400: Problem, 401: Problem, 403: Problem, 404: Problem, 409: Problem, 422: Problem}


def workspace_of(principal: Principal) -> WorkspaceRef:
    """The workspace of somebody with a role, who always has one."""
    if principal.workspace is None:
        raise PlayheadError("You belong to no workspace.", code="forbidden")
    return principal.workspace


def _audit(principal: Principal, what: str, user_id: str, **detail: object) -> None:
    record(
        who=principal,
        what=what,
        object_type="user",
        object_id=user_id,
        workspace_id=workspace_of(principal).id,
        detail=detail,
    )


def _link_path(user_id: str) -> str:
    return f"/login/link/{login_link_create(user_id=user_id)}"


@router.get(
    "/users",
    auth=requires(Role.ADMIN),
    response={200: Page[User], 401: Problem, 403: Problem},
    operation_id="list_users",
)
def list_users(request: HttpRequest) -> Page[User]:
    """Everybody of the workspace, on one page."""
    members = selectors.user_list(workspace_id=workspace_of(principal_of(request)).id)
    return Page[User](items=[User(**asdict(member)) for member in members])


@router.post(
    "/users",
    auth=requires(Role.ADMIN),
    response={201: UserWithLink, **REFUSALS},
    operation_id="create_user",
)
@idempotent(once=("link",))
def create_user(request: HttpRequest, body: NewUser) -> Status[UserWithLink]:
    """Make a user; the answer holds a login link to hand over, once."""
    principal = principal_of(request)
    with transaction.atomic():
        made = user_create(workspace_id=workspace_of(principal).id, **body.model_dump())
        _audit(principal, "user.create", made.id, email=made.email, role=made.role)
        return Status(201, UserWithLink(**asdict(made), link=_link_path(made.id)))


@router.patch(
    "/users/{user_id}",
    auth=requires(Role.ADMIN),
    response={200: User, **REFUSALS},
    operation_id="update_user",
)
def update_user(request: HttpRequest, user_id: str, body: UserChange) -> User:
    """Change a user's role, name or password, or whether they may come in."""
    principal = principal_of(request)
    changes = body.model_dump(exclude_unset=True)
    with transaction.atomic():
        user = user_update(workspace_id=workspace_of(principal).id, user_id=user_id, **changes)
        shown = {name: value for name, value in changes.items() if name != "password"}
        _audit(principal, "user.update", user_id, changed=sorted(changes), **shown)
    if "password" in changes and isinstance(request.user, Person) and user_id == principal.id:
        request.user.refresh_from_db()
        update_session_auth_hash(request, request.user)  # stay signed in here, nowhere else
    return User(**asdict(user))


@router.post(
    "/users/{user_id}/link",
    auth=requires(Role.ADMIN),
    response={201: LoginLink, **REFUSALS},
    operation_id="create_login_link",
)
def create_login_link(request: HttpRequest, user_id: str) -> Status[LoginLink]:
    """A new login link for a user who lost the password or the former link."""
    principal = principal_of(request)
    selectors.member_get(workspace_id=workspace_of(principal).id, user_id=user_id)
    with transaction.atomic():
        _audit(principal, "user.link", user_id)
        return Status(201, LoginLink(link=_link_path(user_id)))
