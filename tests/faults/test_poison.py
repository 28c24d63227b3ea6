"""Sessions that take their worker down, or that no worker can open: they end, nobody else does."""

from __future__ import annotations

from subprocess import TimeoutExpired
from typing import TYPE_CHECKING

from test_crashes import assert_whole

if TYPE_CHECKING:
    import subprocess

    from conftest import Installation


def _workers_until_ended(installation: Installation, session: int) -> None:
    """Somebody starts the worker again whenever it has died."""
    worker: subprocess.Popen[str] | None = None
    while not installation.head(session).state.ended:
        if worker is None or worker.poll() is not None:
            worker = installation.worker()
        try:
            worker.wait(timeout=0.2)
        except TimeoutExpired:
            continue


def test_a_session_that_kills_its_process_is_ended_by_one_of_its_own(
    installation: Installation,
) -> None:
    """Its first worker got an answer; two more die of it, and one of its own; then it ends."""
    session, sibling = installation.start_session("poison"), installation.start_session("line")
    _workers_until_ended(installation, session)

    assert len(installation.effects("poison", session)) == 4
    state = installation.head(session).state
    assert (state.status, (state.error or {}).get("code")) == ("failed", "worker_died")
    assert installation.head(session).epoch == 5
    (cancel,) = [e for e in installation.events(session) if e.event_type == "cancel"]
    assert cancel.payload["by"]["kind"] == "system"
    assert_whole(installation, session)
    installation.until(sibling, "finished", "waiting")


def test_a_session_that_nobody_can_open_is_given_up_after_five_claims(
    installation: Installation,
) -> None:
    """Two in a worker, two in a process of its own, and one that ends it unread; no more."""
    from agents_app.models import RootKey

    session = installation.start_session("talk")
    RootKey.objects.filter(root_id=session).update(wrapped=b"x" * 60)
    installation.worker()
    installation.until(session, "failed", within=60)
    assert installation.head(session).epoch == 5


def test_s_a_tool_that_exits_gets_an_error_and_its_worker_lives_on(
    installation: Installation,
) -> None:
    """``sys.exit`` and ``KeyboardInterrupt``, in a coroutine, a thread and a task: its errors."""
    session = installation.start_session("leaves")
    worker = installation.worker()
    installation.until(session, "finished", within=60)
    sibling = installation.start_session("line")
    installation.until(sibling, "finished", within=60)
    assert worker.poll() is None
    assert installation.head(session).epoch == 1
    results = [e.payload for e in installation.events(session) if e.event_type == "tool_result"]
    assert [result["success"] for result in results] == [False] * 4
    said = " ".join(result["message"]["content"] for result in results)
    assert said.count("SystemExit") == 3
    assert said.count("KeyboardInterrupt") == 1
    assert_whole(installation, session)
