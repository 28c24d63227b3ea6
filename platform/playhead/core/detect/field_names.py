"""Names that say "what follows is secret", and values that nevertheless are not."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

#: What a name promises. A ``password`` may be any word; a ``secret`` has some strength;
#: a ``token`` is in half of all texts a word of a sentence, so its value has to look like one.
Promise = Literal["password", "secret", "token", "authorization"]

#: How such a name ends (in lower case), in a text and as the name of a field.
ENDINGS: dict[str, Promise] = {
    **dict.fromkeys(("password", "passwd", "passphrase", "passcode", "pwd"), "password"),
    **dict.fromkeys(("passwort", "kennwort"), "password"),
    **dict.fromkeys(("密码", "口令"), "password"),
    **dict.fromkeys(("secret", "key", "密钥"), "secret"),
    **dict.fromkeys(("token", "令牌"), "token"),
}
_FIELDS_ONLY: dict[str, Promise] = {
    **dict.fromkeys(("pin", "cvv", "cvc", "otp"), "password"),
    **dict.fromkeys(("authorization", "cookie"), "authorization"),
}
#: A key is secret when it is one of these; ``primary_key`` and ``sort_key`` are not.
_KEY = re.compile(r"(?:api|access|account|secret|private|encryption|signing|master)[_\- ]?\Z")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

#: Names that end like one and are not.
_HARMLESS = re.compile(
    r"(?:next|page|prev|previous|sync|continuation|stop|start|end|eos|bos|pad|max|min|per|first|last)"
    r"[_\- ]?\Z",
    re.IGNORECASE,
)

_WORDS = re.compile(
    "none|null|true|false|undefined|string|str|text|varchar|integer|number|boolean|bool|bytes|object"
    "|optional|required|missing|invalid|incorrect|wrong|empty|unset|expired|changed|reset|updated"
    "|forgotten|please|enter|must|should|cannot|will|would|your|with|from|this|that|here|there|what"
    "|which|password|passwd|secret|token|example|placeholder|changeme|redacted|hidden|masked|omitted"
    "|include|same-origin|omit|encrypted|protected|unknown|value|default|input|field|type|name|and"
    "|the|for|not|yes|bearer|basic|digest|apikey"
)
_SIGN = re.compile(r"[0-9@#$%^&*!+=~]")
_PLACEHOLDER = re.compile(
    r"[<$%]|\{\{|\[REDACTED:[a-z_]{1,24}(?::[0-9a-f]{32})?\]\Z|(.)\1*\Z|your[_-]|os\.environ|process\.env|self\."
)


@lru_cache(maxsize=4096)
def names_a_secret(name: str, extra: frozenset[str] = frozenset()) -> Promise | None:
    """What a field of this name promises to hold; ``extra`` (lower case) hold passwords too."""
    if name.lower() in extra:
        return "password"
    lower = _HUMP.sub("_", name).lower()
    for ending, promise in (*ENDINGS.items(), *_FIELDS_ONLY.items()):
        if lower.endswith(ending):
            before = lower[: -len(ending)]
            whole = ending in ENDINGS or before == "" or before[-1] in "_-. "
            return promise if whole and is_meant(ending, before) else None
    return None


def is_meant(ending: str, before: str) -> bool:
    """Whether a name with this ending is a secret's: an ``api_key``, no ``next_page_token``."""
    if ending == "key":
        return _KEY.search(before) is not None
    return ending != "token" or _HARMLESS.search(before) is None


def needs_word_before(before: str) -> bool:
    """Whether the last word of ``before`` (lower case) decides about a name that may follow it."""
    return _KEY.search(before) is not None or _HARMLESS.search(before) is not None


def keeps_promise(promise: Promise, value: str, *, quoted: bool, said: bool = False) -> bool:
    """Whether a value after such a name is a secret, and no placeholder and no sentence.

    ``quoted``: it stood in quotes or was a field of its own. ``said``: the name and the value are
    words of a sentence ("the password is …").
    """
    word = value.strip(" .,;:!?*'\"").casefold()
    if not word or _WORDS.fullmatch(word) or _PLACEHOLDER.match(value):
        return False
    if said:
        return is_strong(value)
    if promise in ("password", "authorization"):
        return quoted or len(value) >= 4
    if promise == "secret":
        return (quoted and len(value) >= 4) or is_strong(value)
    return is_strong(value)


def is_strong(value: str) -> bool:
    """A value that is no word: letters with digits or signs, or too long for one."""
    if len(value) >= 20:
        return " " not in value
    return len(value) >= 6 and _SIGN.search(value) is not None
