"""Law 6: a question expires by the database's clock, whatever time it is on a worker's machine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models.functions import Now

from agents_app.adapters import definitions
from agents_app.adapters.models.scripted import Rule, Script, View, call, reply
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec, tool
from agents_app.models import Interrupt
from agents_app.services.agents import agents_sync
from agents_app.worker import runner
from playhead.core.clock import SystemClock, parse_stamp
from tests.integration.agents.logs import pk_of
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.core.events import Event
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)

WRONG = pytest.mark.parametrize("hours", [1, -1], ids=["ahead", "behind"])


@tool(effectful=True, approval=True, expires_in=600)
def pay(to: str) -> str:
    """Pay somebody; a yes counts for ten minutes."""
    return f"paid {to}"


@tool(effectful=True, approval=True, expires_in=0.3)
def pay_soon(to: str) -> str:
    """Pay somebody; a yes counts for a moment."""
    return f"paid {to}"


def _answer(view: View) -> Any:
    if view.turn:
        return reply("Done.")
    name = "pay_soon" if "soon" in view.user else "pay"
    return reply(calls=[call(name, to="Ann"), call(name, to="Bo")])


@pytest.fixture
def payer(dana: Person) -> Iterator[Person]:
    """An approver of a workspace with an agent that asks for two payments at once."""
    spec = AgentSpec(slug="payer", model="scripted:payer", tools=(pay, pay_soon))
    script = Script([Rule(lambda _: True, _answer)], pace=0.0)
    definitions.use(definitions.Definitions({"payer": spec}, {"payer": script}))
    agents_sync(workspace_id=dana.workspace.id)
    yield dana
    definitions.use(None)


class WrongClock(SystemClock):
    """A machine whose time is wrong by hours."""

    hours = 0

    def now(self) -> datetime:
        return super().now() + timedelta(hours=self.hours)


def start(who: Person, text: str) -> str:
    made = who.browser().post("/sessions", {"agent": "payer", "input": text})
    return str(made.json()["id"])


def wrong_by(monkeypatch: pytest.MonkeyPatch, hours: int) -> None:
    monkeypatch.setattr(WrongClock, "hours", hours)
    monkeypatch.setattr(runner, "SYSTEM_CLOCK", WrongClock())


def events(session: str, event_type: str) -> list[Event]:
    return [row.event() for row in log_store().read(pk_of(session), types={event_type})]


def decide(who: Person, question: Interrupt, decision: str) -> Any:
    body = {"decision": decision, "digest": question.digest}
    return who.browser().post(f"/interrupts/{question.pk}/decision", body)


@WRONG
def test_k34_what_a_worker_asks_expires_by_the_database(
    payer: Person, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """The time of expiry is written by that clock, and so is the time of every event."""
    before = datetime.now(UTC) - timedelta(seconds=1)
    wrong_by(monkeypatch, hours)
    session = start(payer, "Pay.")
    work_all()
    after = datetime.now(UTC) + timedelta(seconds=1)
    for question in events(session, "interrupt"):
        asked, over = parse_stamp(question.ts), parse_stamp(question.payload["expires_at"])
        assert before <= asked <= after
        assert before <= over - timedelta(seconds=600) <= after


@WRONG
def test_k34_a_question_in_time_is_not_closed_by_a_worker_whose_clock_is_wrong(
    payer: Person, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    session = start(payer, "Pay.")
    work_all()
    first, second = Interrupt.objects.order_by("seq")
    assert decide(payer, first, "approve").status_code == 200
    wrong_by(monkeypatch, hours)
    work_all()
    second.refresh_from_db()
    assert second.status == "pending"
    assert decide(payer, second, "approve").status_code == 200
    work_all()
    assert [e.payload["source"] for e in events(session, "tool_result")] == ["live", "live"]


@WRONG
def test_k34_a_question_that_is_over_is_closed_by_a_worker_whose_clock_is_wrong(
    payer: Person, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    session = start(payer, "Pay soon.")
    work_all()
    assert Interrupt.objects.filter(status="pending").count() == 2
    wrong_by(monkeypatch, hours)
    work_all(until=lambda: not Interrupt.objects.filter(status="pending").exists())
    work_all()
    assert Interrupt.objects.filter(status="expired", expires_at__lte=Now()).count() == 2
    assert {e.payload["by"]["kind"] for e in events(session, "decision")} == {"system"}
    assert [e.payload["success"] for e in events(session, "tool_result")] == [False, False]
