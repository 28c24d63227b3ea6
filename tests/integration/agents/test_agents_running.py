"""Agents of people at work: their policies hold, and each session keeps its version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.engine import AgentSpec, agent_tool, tool
from agents_app.services.agents import agents_sync
from agents_app.testing import RuleModel, calls, says
from tests.integration.agents.test_plugins import FILES
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)

NOTED: list[str] = []


@tool
def note(text: str) -> str:
    """Note something."""
    NOTED.append(text)
    return f"noted {text}"


SCRIBE = AgentSpec(slug="scribe", name="Scribe", instructions="Scribe", tools=[note])
DESK: dict[str, Any] = {
    "slug": "desk",
    "model": "scripted:echo",
    "instructions": "Desk",
    "tools": [{"name": "note", "approval": True, "required_role": "operator"}, {"agent": "scribe"}],
}


def model(_: Any) -> RuleModel:
    """Desk: ask the scribe when told so, else note what was said."""

    def rule(request: Any) -> Any:
        if request.messages[-1].role == "tool":
            return says("done")
        said = request.messages[-1].content
        if request.messages[0].content == "Desk" and said.startswith("ask"):
            return calls(("ask_scribe", {"task": said}))
        return calls(("note", {"text": said}))

    return RuleModel(rule)


@pytest.fixture(autouse=True)
def _scribe(workspace: WorkspaceRef) -> Iterator[None]:
    NOTED.clear()
    definitions.use(definitions.Definitions({"scribe": SCRIBE}))
    agents_sync(workspace_id=workspace.id)
    yield
    definitions.use(None)


def start(who: Person, text: str, **more: Any) -> str:
    made = who.browser().post("/sessions", {"agent": "desk", "input": text, **more})
    assert made.status_code == 201, made.content
    work_all(models=model)
    return str(made.json()["id"])


def session_of(who: Person, session: str) -> dict[str, Any]:
    return dict(who.browser().get(f"/sessions/{session}").json())


def approve(who: Person, session: str) -> int:
    browser = who.browser()
    [question] = browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
    body = {"decision": "approve", "digest": question["digest"]}
    return int(browser.post(f"/interrupts/{question['id']}/decision", body).status_code)


def test_an_approval_that_only_the_agent_asks_for_holds(erin: Person, bob: Person) -> None:
    erin.browser().post("/agents", {"definition": DESK})
    session = start(bob, "hello")
    assert (session_of(bob, session)["status"], NOTED) == ("waiting", [])
    assert approve(bob, session) == 200  # the agent says that an operator may
    work_all(models=model)
    assert (session_of(bob, session)["answer"], NOTED) == ("done", ["hello"])
    verdict = bob.browser().post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"


def test_an_agent_of_the_code_below_one_of_people_has_its_tools(erin: Person, bob: Person) -> None:
    erin.browser().post("/agents", {"definition": DESK})
    session = start(bob, "ask for it")
    assert (session_of(bob, session)["answer"], NOTED) == ("done", ["ask for it"])
    verdict = bob.browser().post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"


def test_s3_68_a_session_keeps_its_version_and_the_next_one_has_the_new(
    erin: Person, bob: Person
) -> None:
    """Configuration is hot: no restart, and nobody's run changes under them."""
    erin.browser().post("/agents", {"definition": DESK})
    waiting = start(bob, "one")
    free = {**DESK, "tools": [{"name": "note"}]}
    body = {"definition": free, "base": 1, "publish": True}
    assert erin.browser().post("/agents/desk/versions", body).status_code == 201
    start(bob, "two")
    assert NOTED == ["two"]
    assert approve(bob, waiting) == 200
    work_all(models=model)
    assert (session_of(bob, waiting)["version"], NOTED) == (1, ["two", "one"])
    again = bob.browser().post(f"/sessions/{waiting}/messages", {"content": "three"})
    assert again.status_code == 202
    work_all(models=model)
    assert (session_of(bob, waiting)["status"], NOTED) == ("waiting", ["two", "one"])


def test_a_tool_whose_code_has_gone_answers_with_an_error(
    erin: Person, bob: Person, workspace: WorkspaceRef
) -> None:
    erin.browser().post("/agents", {"definition": DESK})
    definitions.use(definitions.Definitions({}))
    session = start(bob, "hello")
    assert session_of(bob, session)["answer"] == "done"
    events = bob.browser().get(f"/sessions/{session}/events").json()["items"]
    assert "there is no tool named 'note'" in str(events)
    told = erin.browser().post("/agents/check", {"definition": DESK}).json()["problems"]
    assert [each["field"] for each in told] == ["tools.0.name", "tools.1.agent"]


def test_x6_a_yes_to_a_call_whose_code_went_is_answered_with_an_error(
    erin: Person, bob: Person
) -> None:
    """The process that goes on with the session has no such tool any more."""
    erin.browser().post("/agents", {"definition": DESK})
    session = start(bob, "hello")
    assert session_of(bob, session)["status"] == "waiting"
    definitions.use(definitions.Definitions({}))
    assert approve(bob, session) == 200
    work_all(models=model)
    shown = session_of(bob, session)
    assert (shown["status"], shown["answer"], NOTED) == ("finished", "done", [])
    events = bob.browser().get(f"/sessions/{session}/events").json()["items"]
    [result] = [each["payload"] for each in events if each["event_type"] == "tool_result"]
    assert result["error"]["code"] == "tool_gone"
    assert "note is not installed here any more" in result["message"]["content"]
    assert not [each for each in events if each["event_type"] == "lease"]
    verdict = bob.browser().post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"


def test_a_tool_named_in_an_agent_below_is_found(tmp_path: Path, settings: SettingsWrapper) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "dice.py").write_text(FILES["dice.py"])
    settings.PLAYHEAD_DATA = tmp_path
    plugins.use(None)
    (tmp_path / "croupier.py").write_text(
        "from agents_app.engine import AgentSpec, agent_tool\n"
        "player = AgentSpec(slug='player', tools=['roll'])\n"
        "AGENTS = [AgentSpec(slug='croupier', tools=[agent_tool(player)])]\n"
    )
    try:
        found = definitions.load([], tmp_path)
    finally:
        plugins.use(None)
    assert found.problems == ()
    below = found.specs["croupier"].tools[0].agent
    assert below is not None
    assert [each.name for each in below.tools] == ["roll"]
    assert agent_tool(below).problem() is None
