"""A budget through the doors: a session waits for it, a person with the role gives more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec, Limits
from agents_app.services.agents import agents_sync
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(workspace: WorkspaceRef) -> Iterator[None]:
    spec = AgentSpec(slug="desk", limits=Limits(max_tokens=1, max_cost="1", budget_role="approver"))
    definitions.use(definitions.Definitions({"desk": spec}, {}))
    agents_sync(workspace_id=workspace.id)
    yield
    definitions.use(None)


def start(dana: Person, **body: Any) -> Any:
    return dana.browser().post("/sessions", {"agent": "desk", "input": "Hello?", **body})


def test_a_session_waits_for_its_budget_and_goes_on_with_more(desk: None, dana: Person) -> None:
    browser = dana.browser()
    session = start(dana).json()["id"]
    work_all()
    shown = browser.get(f"/sessions/{session}").json()
    assert (shown["status"], shown["waiting_for"]) == ("waiting", "budget")
    [question] = browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
    assert (question["kind"], question["required_role"]) == ("budget", "approver")
    path, bound = f"/interrupts/{question['id']}/decision", {"digest": question["digest"]}
    for wrong in ({}, {"value": 0}, {"value": "many"}):
        answer = browser.post(path, {"decision": "raise", **bound, **wrong})
        assert answer.status_code == 422, answer.content
    given = browser.post(path, {"decision": "raise", **bound, "value": 5000})
    assert given.status_code == 200, given.content
    work_all()
    assert browser.get(f"/sessions/{session}").json()["status"] == "finished"
    verdict = browser.post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok", verdict


def asked(dana: Person, session: str) -> tuple[str, dict[str, Any]]:
    work_all()
    listed = dana.browser().get(f"/interrupts?status=pending&session={session}").json()
    [question] = listed["items"]
    return f"/interrupts/{question['id']}/decision", question


def test_a_maximum_below_what_the_request_needs_is_refused(desk: None, dana: Person) -> None:
    path, question = asked(dana, start(dana).json()["id"])
    body = {"decision": "raise", "digest": question["digest"]}
    least = question["info"]["used"] + question["info"]["need"]
    refused = dana.browser().post(path, {**body, "value": least - 1})
    assert refused.status_code == 422
    [error] = refused.json()["errors"]
    assert error["field"] == "value"
    assert f"It takes at least {least}" in error["message"]
    assert dana.browser().post(path, {**body, "value": least}).status_code == 200


def test_no_amount_is_taken_where_no_price_is_known(
    workspace: WorkspaceRef, dana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any amount would be asked about again: only the limit itself can go."""
    monkeypatch.setattr("agents_app.worker.runner.price", lambda *_: (None, None))
    spec = AgentSpec(slug="desk", limits=Limits(max_cost="1"))
    definitions.use(definitions.Definitions({"desk": spec}, {}))
    agents_sync(workspace_id=workspace.id)
    session = start(dana).json()["id"]
    path, question = asked(dana, session)
    assert question["info"]["why"] == "unknown_price"
    body = {"decision": "raise", "digest": question["digest"]}
    refused = dana.browser().post(path, {**body, "value": "500"})
    assert refused.status_code == 422
    [error] = refused.json()["errors"]
    assert error["field"] == "value"
    assert "price of the model is not known" in error["message"]
    assert dana.browser().post(path, {**body, "value": None}).status_code == 200
    work_all()
    assert dana.browser().get(f"/sessions/{session}").json()["status"] == "finished"
    definitions.use(None)


def test_a_run_that_gets_no_more_ends_by_its_limit(desk: None, dana: Person) -> None:
    browser = dana.browser()
    session = start(dana).json()["id"]
    work_all()
    [question] = browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
    answer = {"decision": "give_up", "digest": question["digest"]}
    browser.post(f"/interrupts/{question['id']}/decision", answer)
    work_all()
    shown = browser.get(f"/sessions/{session}").json()
    assert (shown["status"], shown["outcome"]) == ("limit", "limit")
    assert "maximum tokens (1)" in shown["answer"]


def test_who_starts_a_session_makes_limits_stricter_and_not_laxer(desk: None, dana: Person) -> None:
    refused = start(dana, limits={"max_cost": "2"})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "limits.max_cost"
    assert start(dana, limits={"max_cost": "0.5", "max_model_calls": 1}).status_code == 201
