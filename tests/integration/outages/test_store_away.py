"""The database is away at the worst moment: nothing is reported that was not kept, nothing is lost.

X-7: a question that could not be saved is none; K-20: the result of what ran is kept when it is
back; K-39: a pause and its question are there together or not at all; K-47: whoever looks for work
looks again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError

from agents_app.adapters.models.scripted import call, reply
from agents_app.adapters.stores import log_store
from agents_app.engine import tool
from agents_app.models import Interrupt
from agents_app.services.decisions import interrupt_decide
from agents_app.worker import writer
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.adapters.models.scripted import Reply, View
    from agents_app.adapters.stores import Append, Claimed
    from tests.integration.outages.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)
PAID: list[str] = []


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the database refuses is sent again soon."""
    monkeypatch.setattr(writer, "REST", 0.01)
    PAID.clear()


class Away:
    """A log store whose database is away when certain events come, and for some claims."""

    def __init__(self, event_type: str = "", *, appends: int = 0, claims: int = 0) -> None:
        self._store: Any = log_store()
        self.event_type, self.appends, self.claims = event_type, appends, claims
        self.seen: list[tuple[str, int]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def lane(self, *_: Any) -> None:
        """Everything goes by ``append``."""

    def claim(self, **how: Any) -> list[Claimed]:
        if self.claims:
            self.claims -= 1
            raise OperationalError("the database is restarting")
        return list(self._store.claim(**how))

    def append(self, appends: Sequence[Append]) -> list[bool]:
        kinds = {stored.event().event_type for each in appends for stored in each.events}
        if self.appends and self.event_type in kinds:
            self.appends -= 1
            self.seen += [
                (self._store.head(each.session).state.status,
                 Interrupt.objects.filter(session_id=each.session).count())
                for each in appends
            ]  # fmt: skip
            raise OperationalError("the database is away")
        return list(self._store.append(appends))


@tool(effectful=True, approval=True)
def pay(to: str) -> str:
    """Pay."""
    PAID.append(to)
    return f"paid {to}"


def _pays(view: View) -> Reply:
    return reply("Done.") if view.results("pay") else reply(calls=[call("pay", to="Bo")])


def _approve(bench: Bench, session: int) -> None:
    asked = Interrupt.objects.get(session_id=session, status="pending")
    interrupt_decide(
        by=bench.by, interrupt_id=asked.pk, decision="approve", digest=asked.digest, given={}
    )


def test_x7_k39_a_question_that_could_not_be_saved_is_no_question(bench: Bench) -> None:
    bench.agent(_pays, tools=(pay,))
    session, store = bench.session(), Away("interrupt", appends=3)
    work_all(store=store)
    assert store.appends == 0
    assert {status for status, _ in store.seen} <= {"queued", "running"}
    assert {rows for _, rows in store.seen} == {0}
    state = bench.head(session).state
    assert (state.status, state.waiting_for, state.pending) == ("waiting", "person", 1)
    assert Interrupt.objects.filter(session_id=session).count() == 1
    _approve(bench, session)
    work_all()
    assert (bench.head(session).state.status, PAID) == ("finished", ["Bo"])


def test_k20_what_an_approved_tool_did_is_kept_when_the_database_is_back(bench: Bench) -> None:
    bench.agent(_pays, tools=(pay,))
    session = bench.session()
    work_all()
    _approve(bench, session)
    store = Away("tool_result", appends=3)
    work_all(store=store)
    assert store.appends == 0
    state = bench.head(session).state
    assert (state.status, state.answer) == ("finished", "Done.")
    [result] = bench.log(session, "tool_result")
    assert result.payload["message"]["content"] == "paid Bo"
    assert PAID == ["Bo"]


def test_k47_a_database_that_is_away_while_work_is_looked_for_strands_nobody(bench: Bench) -> None:
    bench.agent(lambda _: reply("ok"))
    sessions, store = [bench.session() for _ in range(12)], Away(claims=4)
    work_all(store=store)
    assert store.claims == 0
    assert [bench.head(each).state.status for each in sessions] == ["finished"] * 12
