"""Who asks, and whether they may: `auth=requires(Role.OPERATOR)` on every operation.

The API as a whole requires a viewer; an operation that changes something says its own role, and a
test walks the routes to see that it does.
"""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from playhead.accounts.contracts import Principal, Role
from playhead.accounts.models import User
from playhead.accounts.selectors.principals import principal_of_key, principal_of_user
from playhead.core.errors import PlayheadError

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def principal_of(request: HttpRequest) -> Principal:
    """Who is asking, inside an operation that requires somebody."""
    principal = getattr(request, "auth", None)
    if not isinstance(principal, Principal):
        raise PlayheadError("Sign in, or send an API key.", code="unauthenticated")
    return principal


class Requirement(AuthBase):
    """A way to come in, and the least role that may. `role` None: anybody who is known."""

    def __init__(self, role: Role | None) -> None:
        self.role = role
        super().__init__()

    def check(self, principal: Principal) -> Principal:
        """The principal, if the role suffices."""
        if self.role is not None and not principal.has(self.role):
            raise PlayheadError(
                f"This takes the role {self.role}.",
                code="forbidden",
                detail={"required_role": self.role.value},
            )
        return principal


class Bearer(Requirement):
    """An API key in the Authorization header. When the header is there, no cookie counts."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_name = "apiKey"

    def __call__(self, request: HttpRequest) -> Principal | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        principal = principal_of_key(token.strip()) if scheme.lower() == "bearer" else None
        if principal is None:
            raise PlayheadError("This API key opens nothing.", code="unauthenticated")
        return self.check(principal)


class Cookie(Requirement):
    """The session cookie of a signed-in browser, with the CSRF token when something changes."""

    openapi_type = "apiKey"
    openapi_in = "cookie"
    openapi_name = settings.SESSION_COOKIE_NAME

    def __call__(self, request: HttpRequest) -> Principal | None:
        user = request.user
        if not isinstance(user, User):
            return None
        if request.method not in SAFE and check_csrf(request) is not None:
            raise PlayheadError(
                "The X-CSRFToken header is missing or wrong: read it from /me.", code="csrf_failed"
            )
        return self.check(principal_of_user(user))


class Public:
    """Open to anybody, for a reason. What changes something takes JSON from our own pages only."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __call__(self, request: HttpRequest) -> Any:
        """Nobody in particular; a page of another origin is refused."""
        if request.method not in SAFE:
            _require_own_origin(request)
        return "public"


def _require_own_origin(request: HttpRequest) -> None:
    """Against signing a visitor in as somebody else: there is no CSRF token before the sign-in.

    JSON can't be sent across origins without a preflight, and a browser names its origin.
    """
    if request.content_type != "application/json":
        raise PlayheadError("Send application/json.", code="bad_request")
    origin = request.headers.get("Origin")
    own = f"{request.scheme}://{request.get_host()}"
    trusted = {own, *settings.CSRF_TRUSTED_ORIGINS}
    if origin is not None and origin not in trusted:
        host = urlsplit(origin).netloc or "another page"
        raise PlayheadError(f"Not from {host}.", code="foreign_origin")


def requires(role: Role) -> list[Requirement]:
    """The `auth` of an operation that takes at least this role."""
    return [Bearer(role), Cookie(role)]


def signed_in() -> list[Requirement]:
    """The `auth` of an operation for everybody who is known, with a role or without."""
    return [Bearer(None), Cookie(None)]


def public(reason: str) -> list[Public]:
    """The `auth` of an operation that needs no login; says why."""
    return [Public(reason)]
