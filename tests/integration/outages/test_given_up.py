"""A session that nothing can be made of ends, visibly, and its next message finds one that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from agents_app import facade
from agents_app.adapters.models.scripted import call, reply
from agents_app.engine import tool
from agents_app.models import Head, Interrupt, RootKey, Session
from agents_app.services.sessions import message_add
from replay_app.selectors.proofs import session_verify
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from agents_app.adapters.models.scripted import Reply, View
    from tests.integration.outages.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)


@tool(effectful=True, approval=True)
def pay(amount: int) -> str:
    """Pay."""
    return f"paid {amount}"


def _pays_when_asked(view: View) -> Reply:
    return (
        reply("Hello.") if "hello" in view.user else reply("I pay.", calls=[call("pay", amount=1)])
    )


def _lost(session: int, attempts: int) -> None:
    """The worker that had the session is gone, again."""
    Head.objects.filter(session_id=session).update(
        attempts=attempts, status="running", owner="gone", lease_until=timezone.now()
    )


def _say_hello(bench: Bench, session: int) -> None:
    message_add(
        by=bench.by, session_id=Session.objects.get(pk=session).public_id, text="hello again"
    )


def test_a_question_that_its_process_gives_up_is_closed_with_the_run(bench: Bench) -> None:
    """The kernel ends it: the open call has its one result, the question is closed."""
    bench.agent(_pays_when_asked, tools=(pay,))
    session = bench.session()
    work_all()
    _lost(session, attempts=3)
    work_all(only=session)
    head = bench.head(session)
    assert head.state.status == "failed"
    assert head.state.error is not None
    assert head.state.error["code"] == "worker_died"
    (result,) = bench.log(session, "tool_result")
    assert result.payload["success"] is False
    assert Interrupt.objects.get(session_id=session).status == "cancelled"

    _say_hello(bench, session)
    work_all()
    assert bench.head(session).state.answer == "Hello."
    (asked,) = bench.log(session, "interrupt")
    assert asked.payload["kind"] == "approval"


@pytest.mark.parametrize("begun", [False, True], ids=["before its first step", "within a step"])
def test_a_session_that_cannot_even_be_opened_is_given_up(bench: Bench, begun: bool) -> None:
    """The key that sealed it is not there: nobody can read it, and it is not tried for ever."""
    bench.agent(_pays_when_asked, tools=(pay,))
    session = bench.session()
    if begun:
        work_all()
    good = RootKey.objects.get(root_id=session).wrapped
    RootKey.objects.filter(root_id=session).update(wrapped=b"x" * 60)
    _lost(session, attempts=4)
    work_all()
    head = bench.head(session)
    assert (head.state.status, head.epoch) == ("failed", 2 if begun else 1)

    RootKey.objects.filter(root_id=session).update(wrapped=good)
    row = Session.objects.get(pk=session)
    ref = facade.session_ref(workspace_id=str(row.workspace_id), session_id=row.public_id)
    derivation = session_verify(session=ref).derivation
    assert (derivation.verdict, derivation.complete) == ("ok", True)

    _say_hello(bench, session)
    work_all()
    assert bench.head(session).state.answer == "Hello."
    asked = {event.payload["kind"] for event in bench.log(session, "interrupt")}
    assert "version" not in asked
