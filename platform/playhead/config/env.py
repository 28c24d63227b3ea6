"""Settings come from the environment, and one that is not understood stops the start.

Every reader names the variable in its error: a typo must not become a silent default.
"""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


def env_str(name: str, default: str = "") -> str:
    """The variable, stripped; the default when it is missing or empty."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, *, default: bool = False) -> bool:
    """True or False, said in one of the usual words."""
    word = env_str(name).lower()
    if not word:
        return default
    if word not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name}={word!r}: say one of 1, 0, true, false, yes, no.")
    return word in TRUE


def env_int(name: str, default: int, *, minimum: int = 0) -> int:
    """A whole number, not below the minimum."""
    text = env_str(name)
    if not text:
        return default
    try:
        number = int(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={text!r}: say a whole number.") from None
    if number < minimum:
        raise ImproperlyConfigured(f"{name}={number}: the least is {minimum}.")
    return number


def env_list(name: str) -> list[str]:
    """What stands between the commas, without empty parts."""
    return [part.strip() for part in env_str(name).split(",") if part.strip()]


def env_secret(name: str) -> str | None:
    """A secret, from NAME or from the file that NAME_FILE names; None when neither is set."""
    value, path = env_str(name), env_str(f"{name}_FILE")
    if value and path:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set: keep one.")
    if not path:
        return value or None
    try:
        secret = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE={path!r} can't be read: {error}") from error
    if not secret:
        raise ImproperlyConfigured(f"{name}_FILE={path!r} is empty.")
    return secret
