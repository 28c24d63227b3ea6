"""Programs come in by API key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from playhead.accounts.models import ApiKey
from playhead.accounts.services.keys import api_key_revoke
from tests.integration.cast import Browser

if TYPE_CHECKING:
    from tests.integration.cast import Person


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_key_opens_what_its_role_opens_without_a_csrf_token(alice: Person) -> None:
    program = Browser()
    me = program.get("/me", **bearer(alice.key()))
    assert me.json()["kind"] == "api_key"
    body = {"email": "dora@example.com", "role": "viewer"}
    assert program.post("/users", body, **bearer(alice.key())).status_code == 201


def test_a_key_of_a_lesser_role_is_refused(bob: Person) -> None:
    answer = Browser().get("/users", **bearer(bob.key()))
    assert answer.status_code == 403
    assert answer.json()["required_role"] == "admin"


@pytest.mark.parametrize(
    "header", ["Bearer phk_unknown", "Bearer ", "Basic YWxpY2U6", "phk_x", "Bearer \u00e9"]
)
def test_a_wrong_key_is_refused_even_with_a_good_cookie(alice: Person, header: str) -> None:
    answer = alice.browser().get("/me", Authorization=header)
    assert answer.status_code == 401


def test_a_revoked_key_opens_nothing(alice: Person) -> None:
    token = alice.key()
    key = ApiKey.objects.get()
    api_key_revoke(workspace_id=alice.workspace.id, key_id=key.pk)
    assert Browser().get("/me", **bearer(token)).status_code == 401


def test_only_digest_and_prefix_of_a_key_are_stored_and_its_use_is_noted(alice: Person) -> None:
    token = alice.key()
    key = ApiKey.objects.get()
    assert token not in str(vars(key))
    assert token.startswith(key.prefix)
    assert key.last_used_at is None
    Browser().get("/me", **bearer(token))
    assert ApiKey.objects.get().last_used_at is not None
