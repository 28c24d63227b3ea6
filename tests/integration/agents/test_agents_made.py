"""Agents made in the browser: created, checked, versioned, published, rolled back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.models import Agent, AgentVersion
from agents_app.services.agents import agents_sync
from playhead.audit.models import AuditEntry
from tests.integration.agents.makers import PAYER, problems

if TYPE_CHECKING:
    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


def test_the_parts_say_everything_that_an_agent_can_be_made_of(victor: Person) -> None:
    parts = victor.browser().get("/agents/parts").json()
    strategies = {each["name"]: each for each in parts["strategies"]}
    assert strategies["reflection"]["options"]["properties"]["rounds"] == {
        "default": 3,
        "type": "integer",
        "description": "how often a draft is reviewed and refined at most.",
    }
    assert all(each["summary"] for each in parts["strategies"] + parts["middleware"])
    tools = {each["name"]: each for each in parts["tools"]}
    assert (tools["pay"]["approval"], tools["pay"]["source"]) == (True, "agent:clerk")
    assert [each["slug"] for each in parts["agents"]] == ["clerk"]
    assert parts["limits"]["properties"]["max_steps"]["maximum"] == 1000
    (default,) = (each["name"] for each in parts["models"] if each["default"])
    assert default == "scripted:echo"


def test_an_agent_is_made_and_runs_as_it_is_written(erin: Person, bob: Person) -> None:
    made = erin.browser().post("/agents", {"definition": PAYER, "note": "First."})
    assert made.status_code == 201, made.content
    agent = made.json()
    assert (agent["origin"], agent["published"], agent["newest"]) == ("console", 1, 1)
    tools = {each["name"]: each for each in agent["tools"]}
    assert tools["pay"]["required_role"] == "admin"
    assert list(tools) == ["pay", "transfer_to_clerk"]
    session = bob.browser().post("/sessions", {"agent": "payer", "input": "Hello"})
    assert session.status_code == 201
    assert (session.json()["version"], session.json()["published"]) == (1, True)


def test_everything_that_is_wrong_is_told_at_once_by_field(erin: Person) -> None:
    wrong = {
        "slug": "Payer!",
        "modle": "x",
        "model": "nobody:x",
        "strategy": "reakt",
        "tools": [
            {"name": "pey"},
            {"name": "pay", "approval": False, "effectful": False, "required_role": "viewer"},
            {"agent": "nobody"},
        ],
        "middleware": [{"use": "guardrail", "injektion": "off"}, {"use": "cashing"}],
        "limits": {"max_steps": 0, "windw": 2},
        "samples": [1],
    }
    answer = erin.browser().post("/agents/check", {"definition": wrong})
    assert answer.status_code == 200
    told = problems(answer)
    assert told.keys() == {
        "slug", "modle", "model", "strategy", "tools.0.name", "tools.1.approval",
        "tools.1.effectful", "tools.1.required_role", "tools.2.agent",
        "middleware.0.injektion", "middleware.1.use", "limits.max_steps", "limits.windw",
        "samples.0",
    }  # fmt: skip
    for field, hint in {
        "modle": "did you mean model?",
        "strategy": "did you mean react?",
        "tools.0.name": "did you mean pay?",
        "middleware.0.injektion": "did you mean injection?",
        "middleware.1.use": "did you mean caching?",
        "limits.windw": "did you mean window?",
    }.items():
        assert hint in told[field], field
    misplaced = {**PAYER, "middleware": [{"use": "caching"}, {"use": "guardrail"}]}
    assert problems(erin.browser().post("/agents/check", {"definition": misplaced})).keys() == {
        "middleware.0.use"
    }
    refused = erin.browser().post("/agents", {"definition": wrong})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert {each["field"] for each in refused.json()["errors"]} == told.keys()
    assert not Agent.objects.filter(origin="console").exists()


def test_a_version_is_made_from_the_newest_or_is_stale(erin: Person, alice: Person) -> None:
    erin.browser().post("/agents", {"definition": PAYER})
    brief = {**PAYER, "instructions": "Be brief."}
    first = erin.browser().post(
        "/agents/payer/versions", {"definition": brief, "base": 1, "note": "Brief."}
    )
    assert first.status_code == 201
    assert (first.json()["version"], first.json()["published"]) == (2, False)
    late = alice.browser().post("/agents/payer/versions", {"definition": PAYER, "base": 1})
    assert (late.status_code, late.json()["code"]) == (409, "stale")
    assert "by Erin" in late.json()["detail"]
    assert AgentVersion.objects.filter(agent__slug="payer").count() == 2


def test_a_version_keeps_what_was_written_and_can_be_had_as_yaml(erin: Person) -> None:
    erin.browser().post("/agents", {"definition": PAYER})
    assert erin.browser().get("/agents/payer/versions/1").json()["definition"] == PAYER
    file = erin.browser().get("/agents/payer/versions/1?format=yaml")
    assert file["Content-Type"].startswith("text/yaml")
    assert "instructions: |-\n  Pay people.\n  Ask first.\n" in file.content.decode()


def test_publishing_an_older_version_rolls_back(erin: Person, bob: Person) -> None:
    erin.browser().post("/agents", {"definition": PAYER})
    brief = {**PAYER, "name": "Brief payer"}
    body = {"definition": brief, "base": 1, "publish": True}
    erin.browser().post("/agents/payer/versions", body)
    assert erin.browser().get("/agents/payer").json()["name"] == "Brief payer"
    assert erin.browser().post("/agents/payer/publish", {"version": 1}).json()["published"] == 1
    session = bob.browser().post("/sessions", {"agent": "payer", "input": "Hello"})
    assert session.json()["version"] == 1
    rows = erin.browser().get("/agents/payer/versions").json()["items"]
    assert [(each["version"], each["published"], each["sessions"]) for each in rows] == [
        (2, False, 0),
        (1, True, 1),
    ]
    done = AuditEntry.objects.filter(object_type="agent").order_by("pk")
    assert [each.what for each in done] == [
        "agent.version", "agent.publish", "agent.create",
        "agent.version", "agent.publish", "agent.publish",
    ]  # fmt: skip


def test_an_unpublished_version_is_tried_out_by_editors_alone(erin: Person, bob: Person) -> None:
    erin.browser().post("/agents", {"definition": PAYER, "publish": False})
    body = {"agent": "payer", "input": "Hello"}
    assert bob.browser().post("/sessions", body).status_code == 404
    refused = bob.browser().post("/sessions", {**body, "version": 1})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    tried = erin.browser().post("/sessions", {**body, "version": 1})
    assert (tried.status_code, tried.json()["published"]) == (201, False)


def test_an_agent_of_the_code_is_copied_and_not_edited(erin: Person) -> None:
    written = erin.browser().get("/agents/clerk/versions/1").json()["definition"]
    assert written["tools"] == [{"name": "pay"}, {"name": "open_vault"}]
    body = {"definition": written, "base": 1}
    refused = erin.browser().post("/agents/clerk/versions", body)
    assert (refused.status_code, refused.json()["code"]) == (409, "read_only")
    taken = erin.browser().post("/agents", {"definition": written})
    assert (taken.status_code, taken.json()["code"]) == (409, "slug_taken")
    copied = erin.browser().post("/agents", {"definition": {**written, "slug": "my-clerk"}})
    assert copied.status_code == 201, copied.content


def test_the_code_never_takes_over_an_agent_that_people_made(
    erin: Person, workspace: WorkspaceRef, caplog: pytest.LogCaptureFixture
) -> None:
    Agent.objects.filter(slug="clerk").delete()
    mine = {"slug": "clerk", "model": "scripted:echo"}
    assert erin.browser().post("/agents", {"definition": mine}).status_code == 201
    assert agents_sync(workspace_id=workspace.id) == []
    assert "clerk" in caplog.text
    assert erin.browser().get("/agents/clerk").json()["tools"] == []


def test_a_tool_that_is_off_says_so_before_an_agent_has_it(erin: Person) -> None:
    tools = {each["name"]: each for each in erin.browser().get("/agents/parts").json()["tools"]}
    assert tools["http_get"]["off"].startswith("http_get is off: name its hosts")
    assert tools["clock"]["off"] is None
    asked = {
        "slug": "web",
        "model": "scripted:echo",
        "tools": [{"name": "clock"}, {"name": "http_get"}],
    }
    told = erin.browser().post("/agents/check", {"definition": asked}).json()
    assert not told["problems"]
    assert [each["field"] for each in told["warnings"]] == ["tools.1.name"]
    assert told["warnings"][0]["message"] == tools["http_get"]["off"]


@pytest.mark.parametrize("cost", ["cheap", 0.5])
def test_an_amount_that_is_none_is_told_how_it_is_written(erin: Person, cost: object) -> None:
    asked = {"slug": "web", "model": "scripted:echo", "limits": {"max_cost": cost}}
    told = problems(erin.browser().post("/agents/check", {"definition": asked}))
    assert told == {"limits.max_cost": 'is a text like "0.50"'}


def test_a_bound_is_a_number_and_nothing_that_counts_as_one(erin: Person) -> None:
    limits = {"max_steps": True, "max_tokens": True, "window": "5", "max_calls_of": {"pay": 2.0}}
    asked = {"slug": "web", "model": "scripted:echo", "limits": limits}
    told = problems(erin.browser().post("/agents/check", {"definition": asked}))
    assert told.keys() >= {"limits.max_steps", "limits.max_tokens", "limits.window"}
