"""Who is asking: the principal of a session, of an API key, of a user."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user

from playhead.accounts import tokens
from playhead.accounts.contracts import Principal, Role, WorkspaceRef
from playhead.accounts.models import ApiKey, Membership, User
from playhead.core.clock import SystemClock

_clock = SystemClock()
# An API key's "last used" is kept to the minute: a write for every request would cost more.
USE_NOTED_EVERY = timedelta(minutes=1)


def principal_of_user(user: User) -> Principal:
    """The principal of an active user; its role is read now, so a change holds at once."""
    member = Membership.objects.select_related("workspace").filter(user=user).order_by("pk").first()
    return Principal(
        kind="user",
        id=user.pk,
        name=user.name,
        email=user.email,
        role=Role(member.role) if member else None,
        workspace=WorkspaceRef(member.workspace.pk, member.workspace.name) if member else None,
    )


def principal_of_session(session_key: str | None) -> Principal | None:
    """The principal behind a session cookie, if it is signed in and the user is active."""
    if not session_key:
        return None
    store = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    request: Any = SimpleNamespace(session=store)
    user = get_user(request)
    return principal_of_user(user) if isinstance(user, User) else None


def principal_of_key(token: str) -> Principal | None:
    """The principal of an API key that is not revoked; notes its use."""
    if not token.startswith(tokens.API_KEY):
        return None
    key = (
        ApiKey.objects.select_related("workspace")
        .filter(digest=tokens.digest(token), revoked_at=None)
        .first()
    )
    if key is None:
        return None
    now = _clock.now()
    if key.last_used_at is None or key.last_used_at < now - USE_NOTED_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return Principal(
        kind="api_key",
        id=key.pk,
        name=key.name,
        role=Role(key.role),
        workspace=WorkspaceRef(key.workspace.pk, key.workspace.name),
    )
