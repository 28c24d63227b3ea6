"""Signing in, by password or by one-time link, and out."""

from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest
from ninja import Router, Status

from playhead.accounts.models import User
from playhead.accounts.selectors.principals import principal_of_user
from playhead.accounts.services.links import login_link_use
from playhead.accounts.services.throttle import login_succeeded, login_try
from playhead.audit.services import record
from playhead.core.errors import PlayheadError
from playhead.rest.api.me import describe
from playhead.rest.api.schemas import LinkLogin, Login, Me, Problem
from playhead.rest.auth import principal_of, public, signed_in

router = Router(tags=["accounts"])
BACKEND = "django.contrib.auth.backends.ModelBackend"
REFUSALS = {400: Problem, 401: Problem, 403: Problem, 410: Problem, 422: Problem, 429: Problem}


def _sign_in(request: HttpRequest, user: User, *, how: str) -> Me:
    """A new session of its own: what the browser had before is not taken over."""
    login(request, user, backend=BACKEND)
    principal = principal_of_user(user)
    workspace_id = principal.workspace.id if principal.workspace else None
    record(
        who=principal,
        what="session.login",
        object_type="user",
        object_id=user.pk,
        workspace_id=workspace_id,
        detail={"how": how},
    )
    return describe(request, principal)


@router.post(
    "/auth/login",
    auth=public("signs in by password"),
    response={200: Me, **REFUSALS},
    operation_id="login",
)
def login_by_password(request: HttpRequest, body: Login) -> Me:
    """Sign in. The answer does not tell whether the e-mail or the password was wrong."""
    address = request.META.get("REMOTE_ADDR", "")
    login_try(address=address, email=body.email)
    user = authenticate(request, username=body.email, password=body.password)
    if not isinstance(user, User):
        raise PlayheadError("The e-mail or the password is wrong.", code="bad_credentials")
    login_succeeded(address=address, email=body.email)
    return _sign_in(request, user, how="password")


@router.post(
    "/auth/link",
    auth=public("signs in by one-time link"),
    response={200: Me, **REFUSALS},
    operation_id="login_by_link",
)
def login_by_link(request: HttpRequest, body: LinkLogin) -> Me:
    """Sign in with the token of a link, which is used up by it."""
    return _sign_in(request, login_link_use(token=body.token), how="link")


@router.post(
    "/auth/logout",
    auth=signed_in(),
    response={204: None, 401: Problem, 403: Problem},
    operation_id="logout",
)
def sign_out(request: HttpRequest) -> Status[None]:
    """End this browser's session. For an API key there is none to end."""
    if principal_of(request).kind == "user":
        logout(request)
    return Status(204, None)
