"""Jobs are wake-ups: after commit, by name, and losing one raises nothing."""

from __future__ import annotations

import asyncio
import queue
import threading
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from playhead import jobs
from playhead.jobs import adapters, home
from playhead.jobs.adapters import CeleryJobs, InProcessJobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.fixtures import SettingsWrapper


class Noting:
    """Carries a job by noting it."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, str | int]]] = []

    def send(self, name: str, ids: jobs.registry.Ids) -> None:
        self.sent.append((name, dict(ids)))


@pytest.fixture
def noting() -> Iterator[Noting]:
    port = Noting()
    jobs.use(port)
    yield port
    jobs.use(None)


@pytest.mark.django_db(transaction=True)
def test_a_job_is_sent_after_the_commit_and_not_without_one(noting: Noting) -> None:
    with transaction.atomic():
        jobs.enqueue("agents.advance", session_id="sess_1")
        assert noting.sent == []
    assert noting.sent == [("agents.advance", {"session_id": "sess_1"})]

    with transaction.atomic():
        jobs.enqueue("agents.advance", session_id="sess_2")
        transaction.set_rollback(True)
    assert len(noting.sent) == 1


async def test_outside_of_a_transaction_no_connection_is_asked_for(noting: Noting) -> None:
    jobs.enqueue("agents.advance", session_id="sess_1")  # on the loop, where Django refuses one
    assert len(noting.sent) == 1


@pytest.mark.django_db(transaction=True)
def test_with_wake_ups_switched_off_nothing_is_sent(
    noting: Noting, settings: SettingsWrapper
) -> None:
    settings.PLAYHEAD_WAKEUPS = False
    jobs.enqueue("agents.advance", session_id="sess_1")
    assert noting.sent == []


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_is_asked_once_and_fails_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from playhead.config.celery_app import app

    asked: queue.Queue[str] = queue.Queue()
    failed = threading.Event()

    def fail(name: str, **_options: object) -> None:
        asked.put(name)
        failed.set()
        raise OSError("refused")

    monkeypatch.setattr(app, "send_task", fail)
    port = CeleryJobs()
    port.send("agents.advance", {"session_id": "sess_1"})
    assert failed.wait(5)
    for _ in range(2_000):
        port.send("agents.advance", {"session_id": "sess_1"})
    while not port._waiting.empty():
        threading.Event().wait(0.01)
    assert asked.qsize() == 1
    assert "sweeps carry the work" in caplog.text


async def test_in_one_process_a_job_runs_in_a_thread_and_a_failure_hurts_nobody() -> None:
    done, loop = asyncio.Event(), asyncio.get_running_loop()
    seen: list[tuple[str, int]] = []

    @jobs.job("test.fails")
    def fails() -> None:
        raise LookupError

    @jobs.job("test.notes")
    def notes(session_id: str) -> None:
        seen.append((session_id, threading.get_ident()))
        loop.call_soon_threadsafe(done.set)

    port = InProcessJobs(loop, threads=1)
    port.send("test.fails", {})
    port.send("test.unknown", {"x": 1})
    port.send("test.notes", {"session_id": "sess_1"})
    await asyncio.wait_for(done.wait(), 5)
    port.close()
    port.send("test.notes", {"session_id": "late"})
    assert [session for session, _ in seen] == ["sess_1"]
    assert seen[0][1] != threading.get_ident()


async def test_an_async_job_runs_on_the_home_loop_and_periodic_ones_by_themselves() -> None:
    ran: asyncio.Queue[asyncio.AbstractEventLoop] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    @jobs.job("test.ticks", every=0.01)
    async def ticks() -> None:
        ran.put_nowait(asyncio.get_running_loop())

    home.set_loop(loop)
    port = InProcessJobs(loop)
    port.start_timers()
    try:
        assert [await asyncio.wait_for(ran.get(), 5) for _ in range(2)] == [loop, loop]
    finally:
        port.close()
        home.set_loop(None)
        adapters.registry._jobs.pop("test.ticks")


def test_two_jobs_of_one_name_are_a_mistake() -> None:
    @jobs.job("test.once")
    def one() -> None: ...

    with pytest.raises(ValueError, match=r"test\.once"):

        @jobs.job("test.once")
        def other() -> None: ...
