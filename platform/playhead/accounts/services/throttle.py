"""Guessing a password is slow: five tries per address and e-mail, then a wait."""

import hashlib

from django.core.cache import cache

from playhead.core.errors import PlayheadError

TRIES = 5
WINDOW = 15 * 60


def _key(address: str, email: str) -> str:
    who = hashlib.sha256(f"{address}\0{email.strip().lower()}".encode("utf-8", "replace"))
    return f"login-tries:{who.hexdigest()}"


def login_try(*, address: str, email: str) -> None:
    """Count a try before the password is looked at, so that parallel tries count too.

    Raises:
        PlayheadError: `too_many_tries`, with `retry_after` in seconds.
    """
    key = _key(address, email)
    cache.add(key, 0, WINDOW)
    try:
        tries = cache.incr(key)
    except ValueError:  # it expired in between
        cache.set(key, 1, WINDOW)
        tries = 1
    if tries > TRIES:
        raise PlayheadError(
            "Too many tries. Wait a quarter of an hour, or use a login link.",
            code="too_many_tries",
            permanent=False,
            retry_after=WINDOW,
        )


def login_succeeded(*, address: str, email: str) -> None:
    """Forget the tries of somebody who knew the password."""
    cache.delete(_key(address, email))
