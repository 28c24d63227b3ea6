"""Who may: Alice owns, Dana approves, Bob operates, Victor looks, Charlie is a stranger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from agents_app.models import Event, Session
from tests.integration.agents.logs import asked, interrupt
from tests.integration.cast import API
from tests.integration.rest.routes import routes

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")

#: (method, path, body) of what changes something, with {s} for a session that waits.
CHANGES = [
    ("POST", "/sessions", {"agent": "clerk", "input": "x"}),
    ("PATCH", "/sessions/{s}", {"title": "Mine"}),
    ("POST", "/sessions/{s}/messages", {"content": "x"}),
    ("POST", "/sessions/{s}/pause", {}),
    ("POST", "/sessions/{s}/resume", {}),
    ("POST", "/sessions/{s}/branches", {"at": 2}),
    ("POST", "/sessions/{s}/verify", {}),
    ("POST", "/sessions/{s}/shares", {}),
    ("POST", "/sessions/{s}/cancel", {}),
]
READS = [
    "/sessions/{s}",
    "/sessions/{s}/events",
    "/sessions/{s}/events/1",
    "/sessions/{s}/events/3/prompt",
    "/sessions/{s}/heads",
    "/sessions/{s}/state",
    "/sessions/{s}/export",
    "/sessions/{s}/shares",
    "/sessions/{s}/compare/{s}",
    "/interrupts/int_1",
    "/agents/clerk",
]


@pytest.fixture
def session(dana: Person) -> str:
    made = dana.browser().post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."})
    asked(made.json()["id"])
    return str(made.json()["id"])


def written() -> tuple[int, int, list[str]]:
    titles = list(Session.objects.order_by("pk").values_list("title", flat=True))
    return Session.objects.count(), Event.objects.count(), titles


@pytest.mark.parametrize("by_key", [False, True], ids=["cookie", "key"])
def test_a_viewer_reads_everything_and_changes_nothing(
    victor: Person, session: str, by_key: bool
) -> None:
    who = victor.browser_by_key() if by_key else victor.browser()
    for path in READS:
        assert who.get(path.format(s=session)).status_code == 200, path
    before = written()
    for method, path, body in CHANGES:
        answer = who.send(method, path.format(s=session), body)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), path
    assert written() == before


@pytest.mark.parametrize("by_key", [False, True], ids=["cookie", "key"])
def test_a_stranger_finds_nothing(charlie: Person, session: str, by_key: bool) -> None:
    who = charlie.browser_by_key() if by_key else charlie.browser()
    before = written()
    for path in READS:
        assert who.get(path.format(s=session)).status_code == 404, path
    for method, path, body in CHANGES:
        assert who.send(method, path.format(s=session), body).status_code == 404, path
    assert who.get("/sessions").json()["items"] == []
    assert who.get("/interrupts").json()["items"] == []
    assert who.get("/agents").json()["items"] == []
    assert written() == before


def test_an_operator_runs_sessions_and_does_not_decide(bob: Person, session: str) -> None:
    who = bob.browser()
    body = {"decision": "approve", "digest": interrupt().payload["digest"]}
    assert who.post("/interrupts/int_1/decision", body).status_code == 403
    for method, path, sent in CHANGES:
        answer = who.send(method, path.format(s=session), sent)
        assert answer.status_code in (200, 201, 202), (path, answer.content)


def test_nobody_gets_in_without_a_name(session: str) -> None:
    for route in routes():
        if route.is_public:
            continue
        path = route.url.replace("/1", f"/{session}", 1)
        answer = Client().generic(route.method, API + path, "{}", content_type="application/json")
        assert answer.status_code == 401, (route.method, path)


def test_an_owner_of_another_workspace_decides_nothing(charlie: Person, session: str) -> None:
    body = {"decision": "approve", "digest": interrupt().payload["digest"]}
    assert charlie.browser().post("/interrupts/int_1/decision", body).status_code == 404


def test_who_sees_no_personal_data_finds_nothing_by_it(dana: Person, bob: Person) -> None:
    """A search must not tell what the page does not show."""
    made = dana.browser().post(
        "/sessions", {"agent": "clerk", "input": "Write to ann@example.org."}
    )
    assert made.status_code == 201

    def found(who: Person, word: str) -> int:
        return len(who.browser().get(f"/sessions?q={word}").json()["items"])

    assert (found(dana, "ann@example"), found(bob, "ann@example")) == (1, 0)
    assert (found(dana, "write"), found(bob, "write")) == (1, 1)
