"""A worker that has lost its session can't stop a thread in a tool: what it brings is shown."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from agents_app.adapters.models.scripted import call, reply
from agents_app.engine import tool
from agents_app.models import Head, Interrupt, LateResult
from agents_app.worker.host import SessionHost
from playhead.jobs import home
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from tests.integration.cast import Person
    from tests.integration.outages.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)


def test_g3_the_late_result_of_a_zombie_is_shown_with_the_call_in_doubt(
    bench: Bench, alice: Person
) -> None:
    """ARCHITECTURE 5: it goes to a side table, never into the log, and a person reads it there."""
    running, back = threading.Event(), threading.Event()

    @tool(effectful=True)
    def pay() -> str:
        """Pay; the worker is taken for dead meanwhile."""
        running.set()
        assert back.wait(timeout=30)
        return "paid 7"

    bench.agent(
        lambda view: reply("Done.") if view.results("pay") else reply(calls=[call("pay")]),
        tools=(pay,),
    )
    session = bench.session()
    asyncio.run(_zombie(session, running, back))
    assert not bench.log(session, "tool_result")
    Head.objects.filter(session_id=session).update(lease_until=timezone.now())
    work_all()

    asked = Interrupt.objects.get(session_id=session, status="pending")
    shown = alice.browser().get(f"/interrupts/{asked.pk}").json()
    assert (shown["kind"], shown["late"]["content"], shown["late"]["success"]) == (
        "in_doubt",
        "paid 7",
        True,
    )
    assert not bench.log(session, "tool_result")


async def _zombie(session: int, running: threading.Event, back: threading.Event) -> None:
    """A worker whose lease is taken while its tool runs, and whose tool then ends."""
    home.set_loop(asyncio.get_running_loop())
    host = SessionHost(sweep=0.02, ttl=1.5, concurrency=1)
    await host.start()
    assert await asyncio.to_thread(running.wait, 30)
    await host.in_thread(_take, session)
    while host.busy:  # noqa: ASYNC110 - the host says it by itself
        await asyncio.sleep(0.02)
    back.set()
    kept = LateResult.objects.filter(session_id=session)
    while not await host.in_thread(kept.exists):  # noqa: ASYNC110 - the rows say it
        await asyncio.sleep(0.02)
    await host.stop()
    home.set_loop(None)


def _take(session: int) -> None:
    head = Head.objects.get(session_id=session)
    later = timezone.now() + timedelta(minutes=5)
    Head.objects.filter(session_id=session).update(
        epoch=head.epoch + 1, owner="another", lease_until=later
    )
