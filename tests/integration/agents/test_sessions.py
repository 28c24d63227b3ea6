"""Starting, listing, reading and naming sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents_app.adapters.stores import log_store
from agents_app.models import Session
from tests.integration.agents.logs import asked, interrupt, pk_of

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


def start(who: Person, text: str = "Pay Ann 40.", **more: object) -> dict[str, object]:
    response = who.browser().post("/sessions", {"agent": "clerk", "input": text, **more})
    assert response.status_code == 201, response.content
    return dict(response.json())


def test_a_session_starts_with_two_events_in_one_commit(bob: Person) -> None:
    session = start(bob)
    events = [row.event() for row in log_store().read(pk_of(str(session["id"])))]
    assert [event.event_type for event in events] == ["session_start", "user_message"]
    assert events[0].payload["definition"]["instructions"] == "You are a clerk."
    assert events[1].payload["message"] == {"role": "user", "content": "Pay Ann 40."}
    assert events[1].payload["by"] == {
        "kind": "user",
        "id": bob.id,
        "name": events[1].payload["by"]["name"],
    }
    assert (session["status"], session["head_seq"], session["run"]) == ("queued", 2, 1)
    assert session["title"] == "Pay Ann 40."
    assert session["last"] == {"seq": 2, "event_type": "user_message", "label": "Pay Ann 40."}


def test_overrides_and_limits_are_part_of_the_definition(bob: Person) -> None:
    session = start(bob, limits={"max_steps": 3}, overrides={"params": {"temperature": 0}})
    first = log_store().read(pk_of(str(session["id"])), upto=1)[0].event().payload
    assert first["limits"]["max_steps"] == 3
    assert first["definition"]["params"] == {"temperature": 0}


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"agent": "nobody", "input": "x"}, 404, "agent"),
        ({"agent": "clerk", "input": "x", "version": 9}, 404, "version"),
        ({"agent": "clerk", "input": ""}, 422, "input"),
        ({"agent": "clerk"}, 422, "input"),
        ({"agent": "clerk", "input": "x", "overrides": {"model": "nope"}}, 422, "overrides.model"),
        ({"agent": "clerk", "input": "x", "limits": {"max_steps": 0}}, 422, "limits.max_steps"),
        ({"agent": "clerk", "input": "x", "imput": "y"}, 422, "imput"),
    ],
)
def test_what_does_not_fit_is_named(
    bob: Person, body: dict[str, object], status: int, field: str
) -> None:
    response = bob.browser().post("/sessions", body)
    assert response.status_code == status, response.content
    assert response.json()["errors"][0]["field"] == field
    assert Session.objects.count() == 0


def test_the_same_idempotency_key_starts_one_session(bob: Person) -> None:
    browser = bob.browser()
    body = {"agent": "clerk", "input": "Once."}
    answers = [browser.post("/sessions", body, **{"Idempotency-Key": "k1"}) for _ in range(2)]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert Session.objects.count() == 1


def test_the_list_filters_searches_and_pages(bob: Person) -> None:
    ids = [str(start(bob, f"Pay person {n}.")["id"]) for n in range(5)]
    asked(ids[0])
    browser = bob.browser()
    waiting = browser.get("/sessions?status=waiting").json()["items"]
    assert [each["id"] for each in waiting] == [ids[0]]
    found = browser.get("/sessions?q=person 3").json()["items"]
    assert [each["id"] for each in found] == [ids[3]]
    seen, cursor = [], ""
    while cursor is not None:
        page = browser.get(f"/sessions?limit=2&cursor={cursor}").json()
        seen += [each["id"] for each in page["items"]]
        cursor = page["next"]
    assert seen == ids[::-1]
    assert browser.get("/sessions?status=odd").status_code == 422
    assert browser.get("/sessions?cursor=odd").status_code == 400


@pytest.mark.parametrize("path", ["/sessions", "/interrupts?status=pending", "/agents"])
def test_i54_a_list_takes_as_many_queries_for_many_rows_as_for_one(bob: Person, path: str) -> None:
    """Each session has a question, a title and an answer to its name: nothing is asked per row."""
    browser, took = bob.browser(), []
    for number in (1, 7):
        while Session.objects.count() < number:
            session = str(start(bob, f"Number {Session.objects.count()}.")["id"])
            asked(session, interrupt(str(number * 10 + Session.objects.count())))
        browser.get(path)
        with CaptureQueriesContext(connection) as queries:
            found = browser.get(path).json()["items"]
        assert path == "/agents" or len(found) == number
        took.append(len(queries))
    assert took[0] == took[1] <= 9


def test_a_session_is_renamed_and_tagged(bob: Person) -> None:
    session = start(bob)
    changed = bob.browser().patch(
        f"/sessions/{session['id']}", {"title": " New\nname ", "tags": ["b", "a", "a"]}
    )
    assert (changed.json()["title"], changed.json()["tags"]) == ("New name", ["a", "b"])


def test_read_with_wait_answers_at_once_when_nobody_is_at_work(bob: Person) -> None:
    session = start(bob)
    asked(str(session["id"]))
    response = bob.browser().get(f"/sessions/{session['id']}?wait=30")
    assert response.json()["status"] == "waiting"
    assert response.json()["pending"] == 1
