"""What people see of a question that a tool asks, and what they may say while it is open."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec, ToolContext, tool
from agents_app.services.agents import agents_sync
from agents_app.testing import RuleModel, calls, says
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine import Message
    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Browser, Person

pytestmark = pytest.mark.django_db(transaction=True)
KEPT = "what-the-tool-keeps-for-itself"
SAID: list[list[str]] = []


@tool(effectful=True)
def settle(ctx: ToolContext) -> str:
    """Settle it."""
    return f"settled by {ctx.interrupt('How?', state={'note': KEPT})} with {ctx.state['note']}"


def model(_name: str) -> RuleModel:
    def rule(request: Any) -> Message:
        SAID.append([message.content for message in request.messages])
        if request.messages[-1].content.startswith("Settle"):
            return calls(("settle", {}))
        return says(f"已办 after {len(request.messages)}")

    return RuleModel(rule)


@pytest.fixture
def asked(workspace: WorkspaceRef, alice: Person) -> Iterator[tuple[Browser, str]]:
    """A session that waits for an answer to a tool's question."""
    SAID.clear()
    definitions.use(definitions.Definitions({"desk": AgentSpec(slug="desk", tools=(settle,))}))
    agents_sync(workspace_id=workspace.id)
    browser = alice.browser()
    made = browser.post("/sessions", {"agent": "desk", "input": "Settle 订单一〇四三."}).json()
    work_all(models=model)
    yield browser, made["id"]
    definitions.use(None)


def answer(browser: Browser, session: str) -> None:
    [question] = browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
    said = {"decision": "respond", "digest": question["digest"], "value": "hand"}
    assert browser.post(f"/interrupts/{question['id']}/decision", said).status_code == 200
    work_all(models=model)


def results(browser: Browser, session: str) -> list[str]:
    found = browser.get(f"/sessions/{session}/events?types=tool_result&bodies=1").json()["items"]
    return [event["payload"]["message"]["content"] for event in found]


def test_e16_what_a_tool_keeps_for_itself_is_not_shown_with_its_question(
    asked: tuple[Browser, str],
) -> None:
    browser, session = asked
    listed = browser.get(f"/interrupts?session={session}")
    [question] = listed.json()["items"]
    shown = browser.get(f"/interrupts/{question['id']}")
    seen = browser.get(f"/sessions/{session}")
    for response in (listed, shown, seen):
        assert response.status_code == 200
        assert KEPT not in response.content.decode()
    answer(browser, session)
    assert results(browser, session) == [f"settled by hand with {KEPT}"]


def test_k10_a_message_while_a_question_is_open_waits_for_a_run_of_its_own(
    asked: tuple[Browser, str],
) -> None:
    """It takes no answer's place, closes no question, and is read when the first run has ended."""
    browser, session = asked
    message = browser.post(f"/sessions/{session}/messages", {"content": "And hurry."})
    assert (message.status_code, message.json()["payload"]["policy"]) == (202, "enqueue")
    work_all(models=model)
    shown = browser.get(f"/sessions/{session}").json()
    assert (shown["status"], shown["pending"], shown["run"]) == ("waiting", 1, 1)
    assert len(SAID) == 1
    answer(browser, session)
    shown = browser.get(f"/sessions/{session}").json()
    assert (shown["status"], shown["pending"], shown["run"]) == ("finished", 0, 2)
    assert [said[-1].startswith("settled by hand") for said in SAID] == [False, True, False]
    assert SAID[2][-1] == "And hurry."
    assert "And hurry." not in SAID[1]
    assert len(results(browser, session)) == 1
    verdict = browser.post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"


@pytest.mark.parametrize("word", ["订单一〇四三", "已办"])
def test_i44_text_is_found_and_downloaded_as_it_was_written(
    asked: tuple[Browser, str], word: str
) -> None:
    browser, session = asked
    answer(browser, session)
    found = browser.get(f"/sessions?q={word}").json()["items"]
    assert [each["id"] for each in found] == [session]
    for path in ("/events?bodies=1", "/export?format=jsonl", ""):
        response: Any = browser.get(f"/sessions/{session}{path}")
        assert response.status_code == 200, path
        body = response.getvalue().decode() if response.streaming else response.content.decode()
        assert word in body, path
        assert json.dumps(word)[1:-1] not in body, path


ELSEWHERE = "sess_of_nobody"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""), ("GET", "/events"), ("GET", "/events/1"), ("GET", "/events/1/prompt"),
        ("GET", "/heads"), ("GET", "/state?at=1"), ("GET", "/export?format=jsonl"),
        ("GET", "/compare/other"), ("POST", "/verify"), ("POST", "/resume"), ("POST", "/pause"),
        ("POST", "/cancel"), ("POST", "/messages"), ("POST", "/branches"), ("POST", "/shares"),
    ],
)  # fmt: skip
def test_e69_s2_25_a_session_that_is_not_there_is_named(
    alice: Person, workspace: WorkspaceRef, method: str, path: str
) -> None:
    """At every door, whatever else the request says; a name without end is said in part."""
    body = {"/messages": {"content": "Hello?"}, "/branches": {"at": 3}}.get(path, {})
    for name, shown in ((ELSEWHERE, f"'{ELSEWHERE}'"), ("x" * 500, f"'{'x' * 64}…'")):
        response = alice.browser().send(method, f"/sessions/{name}{path}", body)
        problem = response.json()
        assert (response.status_code, problem["code"]) == (404, "not_found"), response.content
        assert problem["detail"] == f"There is no session {shown}."


def test_e69_x1_a_question_that_is_not_there_is_named(alice: Person) -> None:
    body = {"decision": "approve", "digest": "d1:00"}
    response = alice.browser().post("/interrupts/int_of_nobody/decision", body)
    assert response.json()["detail"] == "There is no question 'int_of_nobody'."
