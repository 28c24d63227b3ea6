"""One-time login links."""

from datetime import timedelta

from playhead.accounts import tokens
from playhead.accounts.models import LoginLink, User
from playhead.core.clock import Clock, SystemClock
from playhead.core.errors import PlayheadError

LINK_LIFE = timedelta(hours=24)


def login_link_create(
    *,
    user_id: str,
    life: timedelta = LINK_LIFE,
    clock: Clock = SystemClock(),  # noqa: B008
) -> str:
    """A token that signs this user in once, within its life. Only its digest is kept."""
    token, digest = tokens.issue(tokens.LOGIN_LINK)
    now = clock.now()
    LoginLink.objects.create(user_id=user_id, digest=digest, created_at=now, expires_at=now + life)
    return token


def login_link_use(*, token: str, clock: Clock = SystemClock()) -> User:  # noqa: B008
    """The user of a link, which is used up by this.

    Compare-and-swap: of two that come with the same token, one statement finds it unused.

    Raises:
        PlayheadError: `link_spent`: unknown, used, expired, or the user is not active.
    """
    digest = tokens.digest(token)
    now = clock.now()
    fresh = LoginLink.objects.filter(digest=digest, used_at=None, expires_at__gt=now)
    if fresh.update(used_at=now) == 1:
        link = LoginLink.objects.select_related("user").get(digest=digest)
        if link.user.is_active:
            return link.user
    raise PlayheadError("This link was used or has expired: ask for a new one.", code="link_spent")
