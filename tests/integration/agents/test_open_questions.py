"""A look at a few sessions reads their open questions, not those of the whole workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.models import Interrupt
from agents_app.selectors.workspace_feeds import changes
from playhead.accounts.contracts import Role
from tests.integration.agents.logs import asked, interrupt, pk_of

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


def test_a_look_at_one_session_keeps_what_is_known_of_the_others(bob: Person) -> None:
    made = [
        bob.browser().post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."}).json()["id"]
        for _ in range(2)
    ]
    first, second = map(pk_of, made)
    for number, session in enumerate(made, start=1):
        asked(session, interrupt(str(number)))
    workspace, role = bob.workspace.id, Role.APPROVER
    known = changes(workspace, set(), {}, {}).pending
    assert known == {"int_1": (first, role), "int_2": (second, role)}

    Interrupt.objects.update(status="cancelled")
    part = changes(workspace, {first}, known, {}, whole=False)
    assert part.pending == {"int_2": (second, role)}
    assert changes(workspace, {first}, part.pending, {}).pending == {}
