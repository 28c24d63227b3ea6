"""A session that waits for a person rests until something of its present run is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.models.scripted import call, reply
from agents_app.engine import tool
from agents_app.models import Interrupt, Session
from agents_app.services.control import session_cancel
from agents_app.services.sessions import message_add
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from tests.integration.outages.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)


@tool(effectful=True, approval=True)
def pay(amount: int) -> str:
    """Pay."""
    return f"paid {amount}"


def test_a_question_of_a_run_that_has_ended_makes_nothing_due(bench: Bench) -> None:
    """It has no decision and never gets one: its expiry would wake the session once a second."""
    bench.agent(lambda view: reply(calls=[call("pay", amount=1)]), tools=(pay,))
    session = bench.session()
    work_all()
    public_id = Session.objects.get(pk=session).public_id
    session_cancel(by=bench.by, session_id=public_id)
    work_all()
    message_add(by=bench.by, session_id=public_id, text="again")
    work_all()

    old, new = Interrupt.objects.filter(session_id=session).order_by("seq")
    assert (old.status, new.status) == ("cancelled", "pending")
    assert old.expires_at < new.expires_at
    assert bench.head(session).state.due_at == new.expires_at
