"""No credential survives the formatter, wherever it stands."""

from __future__ import annotations

import logging

import pytest

from playhead.ops.logs import Formatter

SECRETS = {
    "a key of ours": ("key phk_Zm9vYmFyYmF6cXV4Zm9vYmFy used", "phk_Zm9vYmFyYmF6cXV4Zm9vYmFy"),
    "a login link": ("GET /login/link/phl_Zm9vYmFyYmF6cXV4 HTTP", "phl_Zm9vYmFyYmF6cXV4"),
    "a share": ("Not Found: /api/v1/shares/abcdefghijklmnopqrstuvwx/replay", "abcdefghijklmnopq"),
    "a share page": ("GET /r/abcdefghijklmnopqrstuvwx", "abcdefghijklmnopq"),
    "a bearer token": ("Authorization: Bearer eyJhbGciOi.xyz", "eyJhbGciOi"),
    "a provider's key": ("OPENAI sk-proj-abcdefghijklmnop1234", "abcdefghijklmnop1234"),
    "a database url": ("postgresql://alice:hunter2@db/x", "hunter2"),
    "a password": ("login password=hunter2&x=1", "hunter2"),
}


def line(message: str, *, failing: bool = False) -> str:
    record = logging.LogRecord("playhead.test", logging.INFO, "x.py", 1, message, None, None)
    if failing:
        error = LookupError(message)
        record.exc_info = (LookupError, error, None)
        record.msg = "it failed"
    return Formatter().format(record)


@pytest.mark.parametrize(("message", "secret"), SECRETS.values(), ids=SECRETS.keys())
@pytest.mark.parametrize("failing", [False, True], ids=["message", "traceback"])
def test_a_secret_is_masked(message: str, secret: str, failing: bool) -> None:
    assert secret in message
    written = line(message, failing=failing)
    assert secret not in written
    assert "[secret]" in written


def test_plain_text_stays_and_the_time_is_utc() -> None:
    written = line("session sess_01 finished in 3 steps; see https://example.com/r/short")
    assert written.endswith("finished in 3 steps; see https://example.com/r/short")
    assert written.split()[0].endswith("Z")
