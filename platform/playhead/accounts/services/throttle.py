"""Guessing a password is slow: five tries per address and e-mail, then a wait."""

import hashlib
import logging

from django.core.cache import cache

from playhead.core.errors import PlayheadError

logger = logging.getLogger(__name__)
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
    tries = _count(_key(address, email))
    if tries > TRIES:
        raise PlayheadError(
            "Too many tries. Wait a quarter of an hour, or use a login link.",
            code="too_many_tries",
            permanent=False,
            retry_after=WINDOW,
        )


def _count(key: str) -> int:
    """The tries so far, this one included. Without its cache nobody is locked out."""
    try:
        cache.add(key, 0, WINDOW)
        return int(cache.incr(key))
    except ValueError:  # it expired in between
        cache.set(key, 1, WINDOW)
    except Exception as error:  # each cache has errors of its own
        logger.warning("Tries can't be counted: %s", type(error).__name__)
    return 1


def login_succeeded(*, address: str, email: str) -> None:
    """Forget the tries of somebody who knew the password."""
    try:
        cache.delete(_key(address, email))
    except Exception as error:  # each cache has errors of its own
        logger.warning("Tries can't be forgotten: %s", type(error).__name__)
