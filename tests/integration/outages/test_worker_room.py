"""A worker holds what it has room for, and gives back what it gets while it stops."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.models.scripted import reply
from agents_app.adapters.stores import log_store
from agents_app.models import Head
from agents_app.worker.host import SessionHost
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from agents_app.adapters.stores import Claimed
    from tests.integration.outages.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)


class Gate:
    """A log store whose claims, once they have got something, come back when the test says so."""

    def __init__(self) -> None:
        self._store: Any = log_store()
        self.claimed, self.go = threading.Event(), threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def claim(self, **how: Any) -> list[Claimed]:
        found: list[Claimed] = self._store.claim(**how)
        if found:
            self.claimed.set()
            assert self.go.wait(timeout=30)
        return found


async def _until(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, 30)


def test_wake_ups_at_once_take_no_more_than_there_is_room_for(bench: Bench) -> None:
    bench.agent(lambda view: reply("ok " * 50), pace=0.1)
    sessions = [bench.session() for _ in range(8)]

    async def woken() -> int:
        host = SessionHost(concurrency=2, sweep=30)
        await host.start()
        await asyncio.gather(*(host.advance(session) for session in sessions))
        held = 0
        while not held:
            held = await host.in_thread(lambda: Head.objects.exclude(owner=None).count())
        await host.stop(grace=0)
        return held

    assert asyncio.run(woken()) == 2


def test_a_claim_under_way_when_the_worker_stops_is_given_back(bench: Bench) -> None:
    """Its thread has the lease already: nobody would run the session until that lapsed."""
    bench.agent(lambda view: reply("ok"))
    session = bench.session()

    async def stopped() -> None:
        gate = Gate()
        host = SessionHost(store=gate, sweep=0.01)  # type: ignore[arg-type]
        await host.start()
        await _until(gate.claimed)
        stopping = asyncio.create_task(host.stop())
        await asyncio.sleep(0)
        gate.go.set()
        await stopping

    asyncio.run(stopped())
    head = bench.head(session)
    assert (head.owner, head.attempts) == (None, 0)
    work_all()
    assert bench.head(session).state.status == "finished"
