"""The refund desk on each API, through a worker: its story, and totals that are the provider's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.adapters.models.scripted import Rule, Script
from agents_app.demo import AGENTS, SCRIPTS
from agents_app.demo.refund_rules import REFUND_SCRIPT
from agents_app.services.agents import agents_sync
from agents_app.testing.model_server import ModelServer, serving
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from agents_app.adapters.models.scripted import Reply, View
    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Browser, Person

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "The grinder of order 1055 arrived broken. I would like my money back."
KEY = "sk-proj-Zz81kQpV0tY7mXc2RbN4wE6uH9aJ3dLs"
MODELS = {
    "openai:gpt-test": {},
    "openai-responses:gpt-test": {"reasoning": {"effort": "medium"}},
    "anthropic:claude-test": {
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "cache": True,
        "max_tokens": 4000,
    },
}


def thinks(view: View) -> Reply:
    """What the rules say, after a thought that holds a secret."""
    return replace(REFUND_SCRIPT.answer(view), reasoning=f"Their key is {KEY}, which I keep.")


@pytest.fixture
def server(
    workspace: WorkspaceRef, settings: SettingsWrapper, tmp_path: Path
) -> Iterator[ModelServer]:
    settings.PLAYHEAD_DATA = tmp_path
    specs = {spec.slug: spec for spec in AGENTS}
    definitions.use(definitions.Definitions(specs, SCRIPTS))
    agents_sync(workspace_id=workspace.id)
    with serving(Script([Rule(lambda _: True, thinks)], pace=0)) as made:
        settings.OPENAI_BASE_URL = settings.ANTHROPIC_BASE_URL = made.url
        yield made
    definitions.use(None)


def paid_back(browser: Browser, model: str) -> str:
    """A session that asks a person, pays, and is asked another question."""
    overrides = {"model": model, "params": MODELS[model]}
    body = {"agent": "refund-desk", "input": QUESTION, "overrides": overrides}
    session: str = browser.post("/sessions", body).json()["id"]
    work_all()
    [question] = browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
    answer = {"decision": "approve", "digest": question["digest"]}
    browser.post(f"/interrupts/{question['id']}/decision", answer)
    work_all()
    browser.post(f"/sessions/{session}/messages", {"content": "How long may a customer return?"})
    work_all()
    return session


def responses(browser: Browser, session: str) -> list[Any]:
    events = browser.get(f"/sessions/{session}/events?limit=1000").json()["items"]
    assert [e for e in events if e["event_type"] == "llm_error"] == []
    return [e["payload"] for e in events if e["event_type"] == "llm_response"]


@pytest.mark.parametrize("model", MODELS)
def test_i34_the_story_runs_on_each_api_and_totals_are_the_providers_own(
    server: ModelServer, dana: Person, model: str
) -> None:
    browser = dana.browser()
    session = paid_back(browser, model)
    shown = browser.get(f"/sessions/{session}").json()
    assert shown["status"] == "finished"
    assert len(server.used) == 5
    for name in ("input", "output", "cached", "reasoning"):
        assert shown["usage"][name] == sum(getattr(used, name) for used in server.used), name
    assert shown["usage"]["cached"] > 0
    assert shown["usage"]["reasoning"] > 0
    assert shown["cost"] is None  # nobody knows the prices of that address
    answers = responses(browser, session)
    assert [len(each["message"].get("tool_calls", ())) for each in answers] == [2, 1, 0, 1, 0]
    columns = browser.get(f"/sessions/{session}/heads?format=columns").json()["data"]
    told = [n for n, kind in zip(columns["tokens_in"], columns["type"], strict=True)
            if kind == "llm_response"]  # fmt: skip
    assert told == [used.input for used in server.used]
    verdict = browser.post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok", verdict


@pytest.mark.parametrize("model", list(MODELS)[1:])
def test_a_secret_in_signed_reasoning_is_sealed_in_the_log_and_whole_on_the_wire(
    server: ModelServer, dana: Person, model: str
) -> None:
    """The server refuses reasoning that was changed: each answer says that it was not."""
    browser = dana.browser()
    session = paid_back(browser, model)
    answers = responses(browser, session)
    assert all(each["message"]["items"] for each in answers)
    assert KEY not in json.dumps(answers)
    assert "[REDACTED:" in json.dumps(answers[0]["message"]["items"])
    assert KEY in server.bodies[-1].decode()
