"""A question that asks for a role which nobody here has: the owner's, and no list dies of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.models import Interrupt
from agents_app.selectors.interrupts import pending_roles
from playhead.accounts.contracts import Role
from tests.integration.agents.logs import asked

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


def test_a_question_for_a_role_that_is_none_is_the_owners(alice: Person, dana: Person) -> None:
    """As an imported log, or one of an older release, may have it."""
    made = alice.browser().post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."})
    asked(made.json()["id"])
    Interrupt.objects.update(required_role="manager")

    assert [role for _, role in pending_roles(workspace_id=alice.workspace.id).values()] == [
        Role.ADMIN
    ]
    shown = {
        person.email: person.browser().get("/interrupts?status=pending") for person in (alice, dana)
    }
    assert {answer.status_code for answer in shown.values()} == {200}
    can = {who: answer.json()["items"][0]["can_decide"] for who, answer in shown.items()}
    assert can == {alice.email: True, dana.email: False}
    question = shown[dana.email].json()["items"][0]
    body = {"decision": "approve", "digest": question["digest"]}
    refused = dana.browser().post(f"/interrupts/{question['id']}/decision", body)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
