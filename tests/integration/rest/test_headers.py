"""What every answer tells the browser, and what the cookies are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from playhead.rest.renderer import encoded
from tests.integration.cast import PASSWORD, Browser

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from tests.integration.cast import Person


@pytest.fixture
def built(tmp_path: Path, settings: SettingsWrapper) -> Path:
    """A front end as the build leaves it."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-Bx12.js").write_text("console.log(1)")
    (tmp_path / "favicon.svg").write_text("<svg/>")
    page = '<html><meta name="csp-nonce" content="__CSP_NONCE__"><script src="/assets/x.js">'
    (tmp_path / "index.html").write_text(page)
    settings.PLAYHEAD_FRONTEND = tmp_path
    return tmp_path


def directives(policy: str) -> dict[str, list[str]]:
    return {part.split()[0]: part.split()[1:] for part in policy.split(";")}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/api/v1/me", "/health/live", "/assets/index-Bx12.js"])
def test_every_answer_is_guarded(built: Path, path: str) -> None:
    answer = Client().get(path)
    policy = directives(answer["Content-Security-Policy"])
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == ["'self'"]
    assert policy["frame-ancestors"] == ["'none'"]
    assert policy["connect-src"] == ["'self'"]
    assert policy["base-uri"] == ["'none'"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in answer


@pytest.mark.parametrize("path", ["/", "/sessions/sess_1", "/login/link/phl_x", "/r/token"])
def test_every_view_of_the_console_is_the_page_and_is_never_kept(built: Path, path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert b"<html>" in answer.content


def test_a_page_gets_a_nonce_of_its_own_for_styles(built: Path) -> None:
    pages = [Client().get("/") for _ in range(2)]
    nonces = [page.content.decode().split('content="')[1].split('"')[0] for page in pages]
    assert len(set(nonces)) == 2
    styles = directives(pages[0]["Content-Security-Policy"])["style-src"]
    assert styles == ["'self'", f"'nonce-{nonces[0]}'"]


@pytest.mark.parametrize("path", ["/r/some-token", "/login/link/some-token"])
def test_an_address_with_a_token_is_told_to_nobody(built: Path, path: str) -> None:
    assert Client().get(path)["Referrer-Policy"] == "no-referrer"


def test_hashed_files_are_kept_for_ever_and_others_are_not(built: Path) -> None:
    assert "immutable" in Client().get("/assets/index-Bx12.js")["Cache-Control"]
    assert "immutable" not in Client().get("/favicon.svg")["Cache-Control"]


@pytest.mark.parametrize(
    "path", ["/assets/gone.js", "/api/v2/me", "/static/nothing.css", "/health/nothing"]
)
def test_what_is_no_view_is_not_answered_with_the_page(built: Path, path: str) -> None:
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize("path", ["/../secret.key", "/assets/../../secret.key", "/%2e%2e/secret"])
def test_no_path_leads_out_of_the_build(built: Path, path: str) -> None:
    (built.parent / "secret.key").write_text("the secret")
    assert b"the secret" not in Client().get(path).getvalue()


def test_without_a_build_the_page_says_what_to_do(
    tmp_path: Path, settings: SettingsWrapper
) -> None:
    settings.PLAYHEAD_FRONTEND = tmp_path / "none"
    answer = Client().get("/")
    assert answer.status_code == 503
    assert b"make run" in answer.content


def test_the_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites(alice: Person) -> None:
    browser = Browser()
    browser.post("/auth/login", {"email": alice.email, "password": PASSWORD})
    session = browser.client.cookies["playhead_session"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert browser.client.cookies["playhead_csrf"]["samesite"] == "Lax"


def test_the_api_describes_itself_without_help_from_elsewhere() -> None:
    assert Client().get("/api/v1/openapi.json").json()["info"]["title"] == "Playhead"
    page = Client().get("/api/v1/docs").content.decode()
    assert "https://" not in page
    assert "<script>" not in page


@pytest.mark.django_db
def test_i44_answers_are_text_in_utf_8_and_no_escapes(alice: Person) -> None:
    """An answer and a problem; half a character, which UTF-8 does not have, stays an escape."""
    name = "Zoë 世界 😀"
    answer = alice.browser().patch(f"/users/{alice.id}", {"name": name})
    assert answer.status_code == 200, answer.content
    assert name in answer.content.decode()
    problem = alice.browser().get("/sessions/会话")
    assert "会话" in problem.content.decode()
    assert encoded('{"a": "é\ud800"}') == b'{"a": "\xc3\xa9\\ud800"}'
