"""Signing in by a one-time link."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from playhead.accounts.models import LoginLink
from playhead.accounts.services.links import login_link_create, login_link_use
from playhead.core.errors import PlayheadError
from tests.integration.cast import Browser

if TYPE_CHECKING:
    from tests.integration.cast import Person


def test_a_link_signs_in_and_is_used_up(alice: Person) -> None:
    token = login_link_create(user_id=alice.id)
    browser = Browser()
    answer = browser.post("/auth/link", {"token": token})
    assert answer.status_code == 200
    assert answer.json()["email"] == alice.email
    assert answer.json()["role"] == "admin"
    assert browser.get("/me").status_code == 200

    again = Browser().post("/auth/link", {"token": token})
    assert again.status_code == 410
    assert again.json()["code"] == "link_spent"


def test_a_link_expires(alice: Person) -> None:
    token = login_link_create(user_id=alice.id, life=timedelta(seconds=-1))
    assert Browser().post("/auth/link", {"token": token}).status_code == 410


def test_an_unknown_token_is_refused(alice: Person) -> None:
    assert Browser().post("/auth/link", {"token": "phl_" + "x" * 43}).status_code == 410


def test_a_link_of_a_deactivated_user_opens_nothing(alice: Person, bob: Person) -> None:
    token = login_link_create(user_id=bob.id)
    assert alice.browser().patch(f"/users/{bob.id}", {"active": False}).status_code == 200
    assert Browser().post("/auth/link", {"token": token}).status_code == 410


def test_only_the_digest_of_the_token_is_stored(alice: Person) -> None:
    token = login_link_create(user_id=alice.id)
    stored = LoginLink.objects.get(user_id=alice.id)
    assert token not in str(vars(stored))
    assert len(stored.digest) == 64


@pytest.mark.django_db(transaction=True)
def test_of_many_that_use_a_link_at_once_one_comes_in(alice: Person) -> None:
    token = login_link_create(user_id=alice.id)

    def use(_: int) -> bool:
        try:
            login_link_use(token=token)
        except PlayheadError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as threads:
        assert sorted(threads.map(use, range(6))) == [False] * 5 + [True]
