"""The demo's on-call agent: a plan with an approval in its middle, and what a no changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.demo import AGENTS, SCRIPTS
from agents_app.services.agents import agents_sync
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def demo(workspace: WorkspaceRef, settings: SettingsWrapper, tmp_path: Path) -> Iterator[None]:
    settings.PLAYHEAD_DATA = tmp_path
    specs = {spec.slug: spec for spec in AGENTS}
    definitions.use(definitions.Definitions(specs, SCRIPTS))
    agents_sync(workspace_id=workspace.id)
    yield
    definitions.use(None)


def incident(dana: Person, decision: str) -> Any:
    browser = dana.browser()
    body = {"agent": "on-call", "input": "Customers can't pay. Please look into it."}
    session = browser.post("/sessions", body).json()["id"]
    work_all()
    [question] = browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
    assert question["address"].startswith("agent:on-call;agent:executor;tool:roll_back:c")
    assert question["consequence"] == "Rolls checkout back to 2.13.4 for every customer, now."
    answer = {"decision": decision, "digest": question["digest"]}
    browser.post(f"/interrupts/{question['id']}/decision", answer)
    work_all()
    verdict = browser.post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok", verdict
    events = browser.get(f"/sessions/{session}/events?limit=1000").json()["items"]
    asked = [e["seq"] for e in events if e["event_type"] == "llm_request"]
    prompt = browser.get(f"/sessions/{session}/events/{asked[2]}/prompt").json()
    assert "You are the executor." in str(prompt["messages"][0])
    return browser.get(f"/sessions/{session}").json(), events


def test_e13_a_plan_stops_at_its_approval_and_goes_on(demo: None, dana: Person) -> None:
    session, events = incident(dana, "approve")
    assert session["status"] == "finished"
    assert session["answer"].endswith("the error rate is 0.1 % now.")
    plans = [event["payload"]["steps"] for event in events if event["event_type"] == "plan"]
    assert plans[0][0] == "Look at the open alerts"
    assert ["Roll checkout back to 2.13.4", "Check that checkout is well"] in plans


def test_a_no_changes_the_plan_and_not_the_service(demo: None, dana: Person) -> None:
    session, _ = incident(dana, "reject")
    assert "A person kept checkout on 2.14.0" in session["answer"]
