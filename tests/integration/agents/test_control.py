"""Messages, pause, resume and cancel: events that people write between those of a worker."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import close_old_connections

from agents_app.adapters.stores import log_store
from agents_app.models import Session
from playhead.audit.models import AuditEntry
from playhead.core.events import Draft
from tests.integration.agents.logs import ROOT, asked, pk_of, work

if TYPE_CHECKING:
    from playhead.core.events import Event
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


@pytest.fixture
def session(bob: Person) -> str:
    made = bob.browser().post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."})
    return str(made.json()["id"])


def log(session: str, *types: str) -> list[Event]:
    rows = log_store().read(pk_of(session), types=types or None)
    return [row.event() for row in rows]


def end(session: str) -> None:
    payload = {"run": 1, "outcome": "finished", "answer": "Done.", "steps": 1}
    work(session, Draft("session_end", payload, f"{ROOT}/0"))


def status(session: str) -> str:
    return log_store().head(pk_of(session)).state.status


def test_a_message_waits_for_its_run(bob: Person, session: str) -> None:
    answer = bob.browser().post(f"/sessions/{session}/messages", {"content": "And Bo 7."})
    assert answer.status_code == 202, answer.content
    assert answer.json()["payload"]["policy"] == "enqueue"
    assert log_store().head(pk_of(session)).state.inbox == 1


def test_a_message_to_an_ended_session_starts_the_next_run(bob: Person, session: str) -> None:
    end(session)
    answer = bob.browser().post(f"/sessions/{session}/messages", {"content": "And Bo 7."})
    assert answer.json()["payload"]["policy"] == "start"
    shown = bob.browser().get(f"/sessions/{session}").json()
    assert (shown["status"], shown["run"], shown["answer"]) == ("queued", 2, None)


def test_pause_and_resume_are_said_once(bob: Person, session: str) -> None:
    browser = bob.browser()
    for _ in range(2):
        assert browser.post(f"/sessions/{session}/pause").json()["status"] == "paused"
    for _ in range(2):
        assert browser.post(f"/sessions/{session}/resume").json()["status"] == "queued"
    assert [event.payload["on"] for event in log(session, "pause")] == [True, False]


def test_k10_a_question_outlives_a_pause(bob: Person, session: str) -> None:
    asked(session)
    browser = bob.browser()
    assert browser.post(f"/sessions/{session}/pause").json()["status"] == "paused"
    assert browser.post(f"/sessions/{session}/resume").json()["pending"] == 1


def test_cancel_says_why_and_wakes_what_waits(bob: Person, session: str) -> None:
    asked(session)
    answer = bob.browser().post(f"/sessions/{session}/cancel", {"reason": "Wrong order."})
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    [event] = log(session, "cancel")
    assert event.payload["reason"] == "Wrong order."
    assert event.payload["to"] == ROOT
    assert AuditEntry.objects.filter(what="session.cancel", object_id=session).count() == 1


@pytest.mark.parametrize("act", ["pause", "resume", "cancel"])
def test_what_has_ended_is_not_steered(bob: Person, session: str, act: str) -> None:
    end(session)
    answer = bob.browser().post(f"/sessions/{session}/{act}")
    assert (answer.status_code, answer.json()["code"]) == (409, "session_ended")


def test_an_imported_record_is_never_written_to(bob: Person, session: str) -> None:
    Session.objects.filter(public_id=session).update(imported=True)
    answer = bob.browser().post(f"/sessions/{session}/messages", {"content": "Hello?"})
    assert (answer.status_code, answer.json()["code"]) == (409, "imported")


@pytest.mark.django_db(transaction=True)
def test_k90_messages_of_many_at_once_all_find_their_place(bob: Person, session: str) -> None:
    from agents_app.services.sessions import message_add
    from playhead.accounts.selectors.principals import principal_of_user

    by = principal_of_user(bob.user)

    def say(n: int) -> dict[str, Any]:
        try:
            return message_add(by=by, session_id=session, text=f"Number {n}.")
        finally:
            close_old_connections()

    with ThreadPoolExecutor(12) as pool:
        said = list(pool.map(say, range(24)))
    assert sorted(event["seq"] for event in said) == list(range(3, 27))
    events = log(session)
    assert [event.seq for event in events] == list(range(1, 27))
    texts = {event.payload["message"]["content"] for event in events[2:]}
    assert texts == {f"Number {n}." for n in range(24)}
