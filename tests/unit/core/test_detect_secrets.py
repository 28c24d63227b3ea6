"""What is a secret in a text, and what only looks like one."""

from __future__ import annotations

import base64
import time

import pytest

from playhead.core.detect import find_secrets, names_a_secret

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLW9mLWl0"
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "\n".join("MIIEowIBAAKCAQEA" + "abcd" * 12 for _ in range(3))
    + "\nQUJD=\n-----END RSA PRIVATE KEY-----"
)
BASIC = base64.b64encode(b"ann:hunter2").decode()
A20, A24, A36 = "a1B2" * 5, "a1B2" * 6, "a1B2" * 9


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        (f"key sk-{A20} end", [f"sk-{A20}"]),
        (f"sk-proj-{A36}, sk-ant-api03-{A24}.", [f"sk-proj-{A36}", f"sk-ant-api03-{A24}"]),
        ("AKIAIOSFODNN7EXAMPLE", ["AKIAIOSFODNN7EXAMPLE"]),
        (f"ghp_{A36} and github_pat_{A24}", [f"ghp_{A36}", f"github_pat_{A24}"]),
        (f"请使用xoxb-123456789012-{A24}谢谢", [f"xoxb-123456789012-{A24}"]),
        (f"AIza{A36}", [f"AIza{A36}"]),
        (f"sk_live_{A24}; hf_{A24}; glpat-{A20}", [f"sk_live_{A24}", f"hf_{A24}", f"glpat-{A20}"]),
        (f"({JWT})", [JWT]),
        (f"Bearer {A20}", [A20]),
        (f'{{"Authorization": "Bearer {A20}"}}', [A20]),
        ("authorization: opaque-thing", ["opaque-thing"]),
        (f"Basic {BASIC}", [BASIC]),
        (f"before {PEM} after", [PEM]),
        (PEM[:150], [PEM[:150]]),
        ("postgres://app:pw12!x@db:5432/x", ["pw12!x"]),
        ("password=hunter2", ["hunter2"]),
        ("Password: swordfish.", ["swordfish"]),
        ("the password is hunter2, ok", ["hunter2"]),
        ("DB_PASSWORD='two words'", ["two words"]),
        ('{"password": "pa\\"ss w"}', ['pa\\"ss w']),
        ('"{\\"api_key\\": \\"abc def 1\\"}"', ["abc def 1"]),
        ('{"clientSecret":"abcd"}', ["abcd"]),
        ("x-api-key: 0123abcd4567", ["0123abcd4567"]),
        ("run --db-password s3cret! now", ["s3cret"]),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
            ["wJalrXUtnFEMI/K7MDENG/bPxRfiCY"],
        ),
        ("密码\uff1aabc123\uff0c谢谢", ["abc123"]),
        ("密码是abc123吗", ["abc123"]),
        ("access_token=abc123def456", ["abc123def456"]),
        (f"phk_{A24} and phl_{A24}", [f"phk_{A24}", f"phl_{A24}"]),
        (f"bot 123456789:AAH{A36}!", [f"AAH{A36}"]),
        (f"AccountName=x;AccountKey={A36}==;", [f"{A36}=="]),
        (f"Cookie: sessionid={A20}; theme=dark", [A20]),
        ("Passwort: geheim1!", ["geheim1"]),
        ("密码为 abc123", ["abc123"]),
        (f"token: password: {A20}", [A20]),
    ],
)
def test_a_secret_is_found_whole_and_without_what_surrounds_it(
    text: str, secrets: list[str]
) -> None:
    assert [text[f.start : f.end] for f in find_secrets(text)] == secrets


@pytest.mark.parametrize(
    "text",
    [
        "Order A-1042 and order 10023456 cost $1,299.00 each",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "id 550e8400-e29b-41d4-a716-446655440000 at 2026-11-30T10:22:31.102345Z",
        "the risk-assessment-2024-report and task-12345678-abcdefgh",
        "class sk-toggleable__content-arrow-label",
        "I forgot my password and the token is expired",
        "Password: required. Secret: <your secret>. api_key=${API_KEY} token={{token}}",
        "max_tokens=4096 next_page_token=abc123def456 primary_key=customer_id42",
        "password = get_password() or os.environ['DB_PASSWORD']",
        "password: ********  pwd=xxxxxx",
        "bearer certificates and basic understanding of basic functionality",
        "https://example.com:8080/path@2x.png http://user@host/",
        "keyboard monkey passport passenger tokens: 12345678",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
        "A file that starts with -----BEGIN PRIVATE KEY----- and so on",
        "the six characters \\u0000 and [REDACTED:password:" + "0" * 32 + "]",
        "password: [REDACTED:password:" + "a" * 32 + "]",
        "see eyJ in the docs, asia-pacific, AIza",
        "https://postgres:password@localhost/ is the example",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert [text[f.start : f.end] for f in find_secrets(text)] == []


@pytest.mark.parametrize(
    ("name", "promise"),
    [
        ("password", "password"),
        ("userPassword", "password"),
        ("DB_PASSWD", "password"),
        ("pin", "password"),
        ("card_pin", "password"),
        ("apiKey", "secret"),
        ("X-Api-Key", "secret"),
        ("client_secret", "secret"),
        ("secretAccessKey", "secret"),
        ("refresh_token", "token"),
        ("Authorization", "authorization"),
        ("Set-Cookie", "authorization"),
        ("max_tokens", None),
        ("next_page_token", None),
        ("primary_key", None),
        ("key", None),
        ("monkey", None),
        ("spin", None),
        ("password_hint", None),
        ("", None),
    ],
)
def test_names_of_fields_that_hold_secrets(name: str, promise: str | None) -> None:
    assert names_a_secret(name) == promise


def test_a_tool_may_name_further_secret_fields() -> None:
    assert names_a_secret("Mandate", frozenset({"mandate"})) == "password"
    text = '{"mandate": "M-17 b"}'
    assert [text[f.start : f.end] for f in find_secrets(text, frozenset({"mandate"}))] == ["M-17 b"]
    assert find_secrets(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "sk-" * 100_000,
        "eyJ" * 100_000,
        'password:"' * 30_000,
        "token:" * 50_000,
        "://a:" * 60_000,
        "a" * 300_000 + "@",
        "-----BEGIN PRIVATE KEY-----\n" * 10_000,
        "bearer " * 40_000,
        "key=" + "\\" * 200_000,
    ],
)
def test_the_time_is_linear_whatever_the_text_holds(text: str) -> None:
    started = time.process_time()
    find_secrets(text)
    assert time.process_time() - started < 4
