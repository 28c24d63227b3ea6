"""A worker that is stopped past its lease and comes back (G3), and wake-ups that are lost."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from conftest import wait
from test_crashes import assert_whole

if TYPE_CHECKING:
    from conftest import Installation

TTL = 3.0


def test_a_stopped_worker_is_taken_over_within_two_seconds_and_cannot_write_again(
    installation: Installation,
) -> None:
    session = installation.start_session("sleepy")
    first = installation.worker(session)
    wait(lambda: installation.effects("pay", session), within=10, what=lambda: "no effect")
    second = installation.worker(session)
    second.send_signal(signal.SIGSTOP)
    first.send_signal(signal.SIGSTOP)
    epoch = installation.head(session).epoch
    wait(lambda: installation.head(session).lost, within=TTL + 1, what=lambda: "the lease holds")
    second.send_signal(signal.SIGCONT)
    over = time.monotonic()
    wait(
        lambda: installation.head(session).epoch > epoch,
        within=2,
        what=lambda: str(installation.head(session)),
    )
    taken = time.monotonic() - over
    first.send_signal(signal.SIGCONT)
    installation.until(session, "waiting")
    installation.answer(session, "happened", value="paid 7")
    installation.until(session, "finished")

    assert taken <= 2
    assert len(installation.effects("pay", session)) == 1
    assert_whole(installation, session)


def test_without_any_wake_up_an_approval_is_found_by_the_sweep(installation: Installation) -> None:
    """The broker swallows everything in this run (``PLAYHEAD_WAKEUPS=0``)."""
    session = installation.start_session("wire")
    installation.worker()
    installation.until(session, "waiting")
    installation.answer(session, "edit", arguments={"amount": 4})
    installation.until(session, "finished")

    assert [e["amount"] for e in installation.effects("wire", session)] == [4]
    assert_whole(installation, session)


def test_sigterm_gives_the_lease_back_without_waiting_for_its_end(
    installation: Installation,
) -> None:
    session = installation.start_session("talk")
    first = installation.worker(session)
    wait(
        lambda: any(e.event_type == "llm_request" for e in installation.events(session)),
        within=10,
        what=lambda: "no request",
    )
    first.terminate()
    first.wait(timeout=10)
    installation.worker(session)
    installation.until(session, "finished")

    assert not [e for e in installation.events(session) if e.event_type == "lease"]
    assert_whole(installation, session)


def test_sigterm_while_a_tool_runs_for_longer_than_the_grace_gives_the_lease_back(
    installation: Installation,
) -> None:
    """A thread can't be stopped; the process ends all the same, and nobody waits for a lease."""
    session = installation.start_session("sleepy")
    worker = installation.playhead_worker()
    wait(lambda: installation.effects("pay", session), within=20, what=lambda: "no effect")
    worker.terminate()
    worker.wait(timeout=30)

    assert installation.head(session).owner is None
    installation.worker(session)
    installation.until(session, "waiting")
    assert installation.question(session).kind == "in_doubt"
