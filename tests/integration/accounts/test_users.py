"""Admins manage the people of their workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from playhead.audit.models import AuditEntry
from tests.integration.cast import Browser

if TYPE_CHECKING:
    from tests.integration.cast import Person


def test_an_admin_makes_a_user_who_signs_in_by_the_link_of_the_answer(alice: Person) -> None:
    made = alice.browser().post("/users", {"email": "Dora@Example.com", "role": "approver"})
    assert made.status_code == 201
    assert made.json()["email"] == "dora@example.com"
    assert made.json()["last_login"] is None
    token = made.json()["link"].removeprefix("/login/link/")
    dora = Browser().post("/auth/link", {"token": token})
    assert dora.json()["role"] == "approver"
    assert dora.json()["can"]["approve"] is True
    assert dora.json()["can"]["edit"] is False


def test_a_role_change_holds_at_once_in_the_open_session(alice: Person, bob: Person) -> None:
    browser = bob.browser()
    assert browser.get("/users").status_code == 403
    alice.browser().patch(f"/users/{bob.id}", {"role": "admin"})
    assert browser.get("/users").status_code == 200


def test_a_deactivated_user_is_out_at_once(alice: Person, bob: Person) -> None:
    browser = bob.browser()
    answer = alice.browser().patch(f"/users/{bob.id}", {"active": False})
    assert answer.json()["active"] is False
    assert browser.get("/me").status_code == 401


def test_a_new_password_signs_out_everywhere_but_here(alice: Person) -> None:
    here, there = alice.browser(), alice.browser()
    changed = here.patch(f"/users/{alice.id}", {"password": "another-long-secret"})
    assert changed.status_code == 200
    assert here.get("/me").status_code == 200
    assert there.get("/me").status_code == 401


@pytest.mark.parametrize("change", [{"role": "editor"}, {"active": False}])
def test_the_last_admin_stays(alice: Person, change: dict[str, object]) -> None:
    answer = alice.browser().patch(f"/users/{alice.id}", change)
    assert answer.status_code == 409
    assert answer.json()["code"] == "last_admin"
    assert alice.browser().get("/users").json()["items"][0]["role"] == "admin"


def test_an_email_is_taken_once(alice: Person, bob: Person) -> None:
    answer = alice.browser().post("/users", {"email": bob.email.upper(), "role": "viewer"})
    assert answer.status_code == 409
    assert answer.json()["code"] == "email_taken"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"email": "no address", "role": "viewer"}, "email"),
        ({"email": "d@example.com", "role": "king"}, "role"),
        ({"email": "d@example.com", "role": "viewer", "password": "123"}, "password"),
        ({"role": "viewer"}, "email"),
        ({"email": "d\u0000@example.com", "role": "viewer"}, "email"),
    ],
)
def test_a_wrong_field_is_named_and_its_value_not_repeated(
    alice: Person, body: dict[str, str], field: str
) -> None:
    answer = alice.browser().post("/users", body)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert "123" not in answer.content.decode().replace("0123", "")


def test_a_stranger_sees_and_changes_nobody_here(alice: Person, charlie: Person) -> None:
    browser = charlie.browser()
    emails = [user["email"] for user in browser.get("/users").json()["items"]]
    assert emails == [charlie.email]
    assert browser.patch(f"/users/{alice.id}", {"role": "viewer"}).status_code == 404
    assert browser.post(f"/users/{alice.id}/link").status_code == 404


def test_what_an_admin_does_is_in_the_audit_trail_without_secrets(alice: Person) -> None:
    body = {"email": "dora@example.com", "role": "viewer", "password": "a-long-enough-secret"}
    made = alice.browser().post("/users", body).json()
    entry = AuditEntry.objects.get(what="user.create")
    assert (entry.who_id, entry.object_id) == (alice.id, made["id"])
    trail = " ".join(str(vars(row)) for row in AuditEntry.objects.all())
    assert "a-long-enough-secret" not in trail
    assert made["link"].removeprefix("/login/link/") not in trail


def test_the_audit_trail_only_grows(alice: Person) -> None:
    alice.browser().post("/users", {"email": "dora@example.com", "role": "viewer"})
    entry = AuditEntry.objects.get(what="user.create")
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    with pytest.raises(TypeError):
        AuditEntry.objects.update(what="nothing")
    with pytest.raises(TypeError):
        AuditEntry.objects.all().delete()
