"""A recorded session of the refund desk: asked, edited by a person, paid, answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.services.agents import agents_sync
from tests.integration.replay.desk import DESK, PAID, SCRIPT
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Browser, Person


@pytest.fixture
def desk(workspace: WorkspaceRef) -> Iterator[None]:
    """The workspace has the agent ``desk``, and nothing was paid yet."""
    PAID.clear()
    definitions.use(definitions.Definitions({"desk": DESK}, {"desk": SCRIPT}))
    agents_sync(workspace_id=workspace.id)
    yield
    definitions.use(None)


@pytest.fixture
def approver(dana: Person, desk: None) -> Browser:
    """An approver's browser."""
    return dana.browser()


class Session:
    """A session as a test drives it, through the doors."""

    def __init__(self, browser: Browser, session_id: str) -> None:
        self.browser = browser
        self.id = session_id

    def get(self, path: str = "") -> Any:
        answer = self.browser.get(f"/sessions/{self.id}{path}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, path: str, body: object = None, expect: int = 201) -> Any:
        answer = self.browser.post(f"/sessions/{self.id}{path}", body)
        assert answer.status_code == expect, answer.content
        return answer.json() if answer.content else None

    def events(self, *types: str) -> list[dict[str, Any]]:
        found = self.get("/events?limit=1000")["items"]
        return [event for event in found if not types or event["event_type"] in types]

    def seq(self, event_type: str, place: int = 0) -> int:
        return int(self.events(event_type)[place]["seq"])

    def decide(self, decision: str, **more: Any) -> None:
        pending = self.browser.get(f"/interrupts?status=pending&session={self.id}")
        [question] = pending.json()["items"]
        body = {"decision": decision, "digest": question["digest"], **more}
        answer = self.browser.post(f"/interrupts/{question['id']}/decision", body)
        assert answer.status_code == 200, answer.content
        work_all()

    def branch(self, at: int, **more: Any) -> Session:
        [made] = self.post("/branches", {"at": at, **more})["sessions"]
        work_all()
        return Session(self.browser, made["id"])

    def verify(self) -> Any:
        return self.post("/verify", expect=200)


def start(browser: Browser, text: str) -> Session:
    answer = browser.post("/sessions", {"agent": "desk", "input": text})
    assert answer.status_code == 201, answer.content
    work_all()
    return Session(browser, answer.json()["id"])


@pytest.fixture
def session(approver: Browser) -> Session:
    """A finished session: a person lowered the amount."""
    made = start(approver, "My order 7 broke.")
    made.decide("edit", arguments={"order": "7", "amount": 25})
    assert made.get()["status"] == "finished"
    return made
