"""A browser's cookie alone changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.cast import Person


def test_without_the_token_a_change_is_refused(alice: Person) -> None:
    browser = alice.browser()
    browser.csrf = ""
    answer = browser.post("/users", {"email": "dora@example.com", "role": "viewer"})
    assert answer.status_code == 403
    assert answer.json()["code"] == "csrf_failed"


def test_with_the_token_of_another_browser_a_change_is_refused(alice: Person) -> None:
    browser = alice.browser()
    browser.csrf = alice.browser().csrf
    assert browser.post("/auth/logout").status_code == 403


def test_a_foreign_origin_is_refused_even_with_the_token(alice: Person) -> None:
    answer = alice.browser().post("/auth/logout", Origin="https://evil.example")
    assert answer.status_code == 403


def test_with_the_token_of_me_a_change_is_done(alice: Person) -> None:
    assert alice.browser().post("/auth/logout", Origin="http://testserver").status_code == 204
