"""What belongs to a child's tool is found in the definition of the agent that asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec, agent_tool, tool
from agents_app.services.agents import agents_sync
from agents_app.testing import RuleModel, calls, says
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)

GIVEN: list[str] = []


@tool(effectful=True, approval=True, secret=["moon"])
async def unlock(who: str, moon: str) -> str:
    """Unlock."""
    GIVEN.append(moon)
    return f"unlocked for {who}"


CHILD = AgentSpec(slug="child", instructions="Child", tools=[unlock])
MIDDLE = AgentSpec(slug="middle", instructions="Middle", tools=[agent_tool(CHILD, name="ask")])
ROOT = AgentSpec(slug="root", instructions="Root", tools=[agent_tool(MIDDLE, name="ask")])


def model(_: Any) -> RuleModel:
    def rule(request: Any) -> Any:
        if any(message.role == "tool" for message in request.messages):
            return says("done")
        if request.messages[0].content == "Child":
            return calls(("unlock", {"who": "u", "moon": "plain-old-moon"}))
        return calls(("ask", {"task": "t"}))

    return RuleModel(rule)


@pytest.fixture
def asking(alice: Person, workspace: Any) -> Iterator[str]:
    """A session whose grandchild asks for an approval."""
    GIVEN.clear()
    definitions.use(definitions.Definitions({"root": ROOT}))
    agents_sync(workspace_id=workspace.id)
    session = alice.browser().post("/sessions", {"agent": "root", "input": "go"}).json()["id"]
    work_all(20, models=model)
    yield session
    definitions.use(None)


def test_a_secret_that_an_approver_gives_to_a_childs_tool_is_in_no_event(
    alice: Person, asking: str
) -> None:
    browser = alice.browser()
    [question] = browser.get(f"/interrupts?status=pending&session={asking}").json()["items"]
    edit = {
        "decision": "edit",
        "digest": question["digest"],
        "arguments": {"who": "eve", "moon": "plain-new-moon"},
    }
    assert browser.post(f"/interrupts/{question['id']}/decision", edit).status_code == 200
    work_all(20, models=model)
    events = browser.get(f"/sessions/{asking}/events?limit=200").json()["items"]
    assert GIVEN == ["plain-new-moon"]
    assert "unlocked for eve" in str(events)
    assert [event["event_type"] for event in events if "new-moon" in str(event)] == []


def test_a_branch_says_what_a_childs_tool_does(alice: Person, asking: str) -> None:
    browser = alice.browser()
    path = f"/sessions/{asking}/branches"
    answer = browser.post(path, {"at": 4, "effects": {"unlock": "stub"}})
    assert answer.status_code == 201
    unknown = browser.post(path, {"at": 4, "effects": {"nobody": "stub"}})
    assert unknown.status_code == 422
    assert "effects.nobody" in unknown.content.decode()
