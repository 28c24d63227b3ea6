"""Secrets that are known by their form: provider keys, tokens, key blocks, passwords in URLs."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playhead.core.detect.field_names import keeps_promise
from playhead.core.detect.finding import DELIMITER, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True)
class Form:
    """A form of secret.

    ``prefixes`` (lower case) are how it starts, found by substring search, so that the pattern
    runs only there; ``gate`` is a rarer sign without which no prefix is looked for.
    The secret is group ``v``, or the whole match. ``check`` decides what a pattern can't.
    """

    type: str
    gate: str
    prefixes: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None

    def find(self, text: str, lower: str) -> Iterator[Finding]:
        """The secrets of this form; ``lower`` is the text in lower case, of the same length."""
        value = "v" if self.pattern.groupindex else 0
        for prefix in self.prefixes:
            at = lower.find(prefix)
            while at >= 0:
                match = self.pattern.match(text, at)
                if match and (self.check is None or self.check(match[value])):
                    yield Finding(*match.span(value), self.type, at)
                at = lower.find(prefix, match.end() if match else at + len(prefix))


def may_hold_credentials(lower: str) -> bool:
    """Whether a text in lower case holds how any form starts: most hold not even a gate."""
    for gate, prefixes in _STARTS.items():
        if gate in lower:
            for prefix in prefixes:
                if prefix in lower:
                    return True
    return False


def find_credentials(text: str, lower: str) -> Iterator[Finding]:
    """Secrets by form; ``lower`` is the text in lower case, of the same length."""
    for form in FORMS:
        if form.gate in lower:
            yield from form.find(text, lower)


def _provider_key(key: str) -> bool:
    """``sk-`` starts class names and words too: a key has digits, or a provider's own prefix."""
    if re.match(r"sk-(?:proj|ant|svcacct|admin|or)-", key):
        return len(key) >= 14
    return sum(map(str.isdigit, key)) > 1 and sum(map(str.isalpha, key)) > 4


def _bearer(token: str) -> bool:
    """A token and no noun ("bearer certificates")."""
    return len(token) >= 24 or any(map(str.isdigit, token))


def _basic(value: str) -> bool:
    """Base64 of ``user:password`` and no adjective ("basic understanding")."""
    try:
        decoded = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in decoded and decoded.isprintable()


def _url_password(password: str) -> bool:
    return keeps_promise("password", password, quoted=True)


_SPACE = r"(?:[\t-\r ]|\\{1,4}[nr]|[\"',+])"
_KEY_BLOCK = (
    r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?:{_SPACE}{{1,8}}(?:(?:Proc-Type|DEK-Info|Version|Comment)[^\n\\]{{0,100}}"
    r"|[A-Za-z0-9+/=]{16,4096}+)){0,400}"
    rf"(?:{_SPACE}{{0,8}}[A-Za-z0-9+/=]{{1,15}}(?![A-Za-z0-9+/=]))?"
    rf"(?P<end>{_SPACE}{{0,8}}-----END [A-Z0-9 ]{{1,60}}-----)?"
)
KEY_BLOCK = re.compile(_KEY_BLOCK, re.ASCII)
_KEY_HEADER_OPEN = re.compile(r"-----BEGIN[A-Z0-9 ]{0,70}-{0,5}\Z")
_KEY_REST_OPEN = re.compile(r"[A-Za-z0-9+/=:,.\\\"'\-\t-\r ]{0,160}\Z")


def find_key_blocks(text: str) -> Iterator[Finding]:
    """Private keys in PEM form, whole or cut off: a key without its end is a key."""
    for match in KEY_BLOCK.finditer(text):
        body = match.group().partition("KEY")[2]
        if match["end"] or re.search(r"[A-Za-z0-9+/=]{16}", body):
            yield Finding(match.start(), match.end(), "private_key", match.start())


def key_block_open_from(text: str) -> int:
    """Where a key block that may go on begins; the length of the text when there is none."""
    for match in KEY_BLOCK.finditer(text):
        if match["end"] is None and _KEY_REST_OPEN.match(text, match.end()):
            return match.start()
    header = _KEY_HEADER_OPEN.search(text)
    return header.start() if header else len(text)


def _form(
    type_: str, gate: str, prefixes: str, pattern: str, check: Callable[[str], bool] | None = None
) -> Form:
    return Form(type_, gate, tuple(prefixes.split("|")), re.compile(pattern, re.ASCII), check)


# Repeats are possessive or bounded: the time is linear in the text, whatever it holds.
_W = r"(?<![A-Za-z0-9])"
_C = r"[A-Za-z0-9_\-]"
_BEARER = r"(?<![A-Za-z])[Bb](?:earer|EARER)[\t-\r ]{1,4}(?P<v>[A-Za-z0-9._~+/=\-]{8,}+)"
_BASIC = r"(?<![A-Za-z])[Bb](?:asic|ASIC)[\t-\r ]{1,4}(?P<v>[A-Za-z0-9+/]{6,}+={0,2})"
_COOKIE = (
    r"(?<![A-Za-z])[Cc]ookie[\"']{0,2}[\t ]{0,2}:[\t ]{0,4}[\"']?[A-Za-z0-9_.\-]{1,60}="
    rf"(?P<v>[^{DELIMITER};,\"']{{8,}}+)"
)
_URL = rf"://[^{DELIMITER}/:@\"'<>]{{0,64}}:(?P<v>[^{DELIMITER}/@\"'<>]{{1,256}}+)@"
_GITHUB = "ghp_|gho_|ghu_|ghs_|ghr_"
_STRIPE = "sk_live_|sk_test_|rk_live_|rk_test_|pk_live_|pk_test_"
FORMS = (
    _form("api_key", "-", "sk-", rf"{_W}sk-{_C}{{8,}}+", _provider_key),
    _form("api_key", "z", "aiza", rf"{_W}AIza{_C}{{30,}}+"),
    _form("api_key", "_", _STRIPE, rf"{_W}[srp]k_(?:live|test)_[A-Za-z0-9]{{8,}}+"),
    _form("api_key", "_", "hf_", rf"{_W}hf_[A-Za-z0-9]{{20,}}+"),
    _form("api_key", ".", "sg.", rf"{_W}SG\.{_C}{{16,}}+\.{_C}{{16,}}+"),
    _form("api_key", "_", "npm_", rf"{_W}npm_[A-Za-z0-9]{{30,}}+"),
    _form("aws_key", "ia", "akia|asia", rf"{_W}(?:AKIA|ASIA)[A-Z0-9]{{16}}(?![A-Za-z0-9])"),
    _form("github_token", "_", _GITHUB, rf"{_W}gh[pousr]_[A-Za-z0-9]{{20,}}+"),
    _form("github_token", "_", "github_pat_", rf"{_W}github_pat_[A-Za-z0-9_]{{20,}}+"),
    _form("gitlab_token", "-", "glpat-", rf"{_W}glpat-{_C}{{16,}}+"),
    _form("slack_token", "-", "xox|xapp-", rf"{_W}(?:xox[a-z]|xapp)-[A-Za-z0-9\-]{{10,}}+"),
    _form("api_key", "_", "phk_|phl_", rf"{_W}ph[kl]_{_C}{{16,}}+"),
    _form("api_key", ":", ":aa", rf"(?<=[0-9]{{8}}):(?P<v>AA{_C}{{32,}}+)"),
    _form("jwt", "j", "eyj", rf"{_W}eyJ{_C}{{10,}}+\.{_C}{{4,}}+\.{_C}*+(?:\.{_C}++)*+"),
    _form("bearer", "bearer", "bearer", _BEARER, _bearer),
    _form("cookie", "cookie", "cookie", _COOKIE),
    _form("basic", "basic", "basic", _BASIC, _basic),
    _form("url_password", ":", "://", _URL, _url_password),
)
_STARTS: dict[str, tuple[str, ...]] = {}
for _each in FORMS:
    _STARTS[_each.gate] = _STARTS.get(_each.gate, ()) + _each.prefixes
