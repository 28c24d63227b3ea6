"""A rate limit through the worker: all sessions count together, and who is over waits for time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec
from agents_app.models import Head, Rate
from agents_app.services.agents import agents_sync
from agents_app.worker.rates import WorkspaceRates
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(workspace: WorkspaceRef) -> Iterator[None]:
    limit = {"use": "rate-limit", "requests": 1}
    spec = AgentSpec(slug="desk", middleware=(limit,))
    definitions.use(definitions.Definitions({"desk": spec}, {}))
    agents_sync(workspace_id=workspace.id)
    yield
    definitions.use(None)


def test_who_is_over_waits_for_time_and_holds_no_worker(desk: None, dana: Person) -> None:
    browser = dana.browser()
    body = {"agent": "desk", "input": "Hello?"}
    ids = [browser.post("/sessions", body).json()["id"] for _ in range(3)]
    work_all()
    shown = {each: browser.get(f"/sessions/{each}").json() for each in ids}
    statuses = sorted(each["status"] for each in shown.values())
    assert statuses == ["finished", "waiting", "waiting"]
    waiting = [each for each in shown.values() if each["status"] == "waiting"]
    assert {each["waiting_for"] for each in waiting} == {"time"}
    assert len({each["due_at"] for each in waiting}) == 2
    assert not Head.objects.exclude(owner=None).exclude(owner="").exists()
    events = browser.get(f"/sessions/{waiting[0]['id']}/events").json()["items"]
    assert [e["payload"]["code"] for e in events if e["event_type"] == "llm_error"] == ["throttled"]


def test_those_who_come_at_once_have_different_places(workspace: WorkspaceRef) -> None:
    async def unused(*_: Any) -> None: ...

    rates = WorkspaceRates(workspace.id, unused)

    def take(_: int) -> float:
        try:
            [until] = rates._take({"agent:desk:requests": 30.0}, 1000.0)
            return until
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        places = sorted(pool.map(take, range(8)))
    assert places == [1000.0 + 30 * n for n in range(1, 9)]
    assert Rate.objects.get().until == places[-1]
