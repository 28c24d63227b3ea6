"""Signing in by password, and guessing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings as configured

from playhead.audit.models import AuditEntry
from tests.integration.cast import PASSWORD, Browser

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from tests.integration.cast import Person

CONFIGURED = list(configured.PASSWORD_HASHERS)


def test_the_right_password_signs_in_whatever_the_case_of_the_email(alice: Person) -> None:
    browser = Browser()
    answer = browser.post("/auth/login", {"email": "Alice@Example.com", "password": PASSWORD})
    assert answer.status_code == 200
    assert answer.json()["workspace"]["name"] == "Acme"
    assert answer.json()["can"] == {
        "operate": True,
        "approve": True,
        "edit": True,
        "admin": True,
        "reveal": True,
    }


@pytest.mark.parametrize(
    ("email", "password"),
    [("alice@example.com", "wrong"), ("nobody@example.com", PASSWORD), ("charlie@example.com", "")],
)
def test_the_refusal_does_not_say_what_was_wrong(
    alice: Person, charlie: Person, email: str, password: str
) -> None:
    answer = Browser().post("/auth/login", {"email": email, "password": password or " "})
    assert answer.status_code == 401
    assert answer.json()["code"] == "bad_credentials"
    assert email not in answer.content.decode()


def test_the_sixth_try_has_to_wait_even_with_the_right_password(alice: Person) -> None:
    browser = Browser()
    for _ in range(5):
        wrong = browser.post("/auth/login", {"email": alice.email, "password": "wrong"})
        assert wrong.status_code == 401
    answer = browser.post("/auth/login", {"email": alice.email, "password": PASSWORD})
    assert answer.status_code == 429
    assert answer.json()["code"] == "too_many_tries"
    assert int(answer["Retry-After"]) > 60


def test_tries_of_one_do_not_lock_out_another(alice: Person, bob: Person) -> None:
    for _ in range(6):
        Browser().post("/auth/login", {"email": alice.email, "password": "wrong"})
    answer = Browser().post("/auth/login", {"email": bob.email, "password": PASSWORD})
    assert answer.status_code == 200


def test_a_success_forgets_the_tries(alice: Person) -> None:
    for _ in range(3):
        for _ in range(4):
            Browser().post("/auth/login", {"email": alice.email, "password": "wrong"})
        answer = Browser().post("/auth/login", {"email": alice.email, "password": PASSWORD})
        assert answer.status_code == 200


def test_signing_in_changes_the_session_so_that_a_planted_one_is_worth_nothing(
    alice: Person,
) -> None:
    browser = Browser()
    planted = browser.client.session
    planted["seen"] = True
    planted.save()
    browser.client.cookies["playhead_session"] = planted.session_key
    browser.post("/auth/login", {"email": alice.email, "password": PASSWORD})
    assert browser.client.cookies["playhead_session"].value != planted.session_key
    attacker = Browser()
    attacker.client.cookies["playhead_session"] = planted.session_key
    assert attacker.get("/me").status_code == 401


def test_signing_out_ends_the_session(alice: Person) -> None:
    browser = alice.browser()
    stolen = browser.client.cookies["playhead_session"].value
    assert browser.post("/auth/logout").status_code == 204
    assert browser.get("/me").status_code == 401
    thief = Browser()
    thief.client.cookies["playhead_session"] = stolen
    assert thief.get("/me").status_code == 401


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}], ids=["foreign", "opaque"]
)
def test_a_foreign_page_cannot_sign_its_visitor_in(alice: Person, headers: dict[str, str]) -> None:
    body = {"email": alice.email, "password": PASSWORD}
    answer = Browser().post("/auth/login", body, **headers)
    assert answer.status_code == 403
    assert answer.json()["code"] == "foreign_origin"


def test_a_form_cannot_sign_in(alice: Person) -> None:
    answer = Browser().client.post(
        "/api/v1/auth/login", {"email": alice.email, "password": PASSWORD}
    )
    assert answer.status_code == 400


def test_passwords_are_kept_by_argon2(alice: Person, settings: SettingsWrapper) -> None:
    settings.PASSWORD_HASHERS = CONFIGURED
    body = {"password": "another-long-secret"}
    assert alice.browser().patch(f"/users/{alice.id}", body).status_code == 200
    assert alice.user.password.startswith("argon2$argon2id$")
    answer = Browser().post("/auth/login", {"email": alice.email, **body})
    assert answer.status_code == 200


def test_a_new_password_of_ones_own_keeps_this_browser_and_ends_the_others(alice: Person) -> None:
    here, there = alice.browser(), alice.browser()
    sent = {"old": PASSWORD, "new": "another-horse-battery"}
    assert here.post("/me/password", sent).status_code == 204
    assert (here.get("/me").status_code, there.get("/me").status_code) == (200, 401)
    login = {"email": alice.email, "password": sent["new"]}
    assert Browser().post("/auth/login", {**login, "password": PASSWORD}).status_code == 401
    assert Browser().post("/auth/login", login).status_code == 200
    assert AuditEntry.objects.filter(what="user.password", object_id=alice.id).count() == 1


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"old": "wrong", "new": "another-horse-battery"}, "old"),
        ({"new": "another-horse-battery"}, "old"),
        ({"old": PASSWORD, "new": "short"}, "new"),
        ({"old": PASSWORD}, "new"),
    ],
)
def test_a_change_of_password_is_refused_by_field(
    alice: Person, sent: dict[str, str], field: str
) -> None:
    answer = alice.browser().post("/me/password", sent)
    assert answer.status_code == 422
    assert [each["field"] for each in answer.json()["errors"]] == [field]


def test_who_came_by_a_link_sets_a_first_password_and_a_key_has_none(dana: Person) -> None:
    new = {"new": "another-horse-battery"}
    assert dana.browser_by_key().post("/me/password", new).status_code == 403
    assert dana.browser().post("/me/password", new).status_code == 204
    assert dana.browser().post("/me/password", new).status_code == 422


def test_guessing_ones_old_password_is_slow(alice: Person) -> None:
    browser = alice.browser()
    wrong = {"old": "wrong", "new": "another-horse-battery"}
    codes = [browser.post("/me/password", wrong).status_code for _ in range(7)]
    assert (codes[0], codes[-1]) == (422, 429)
