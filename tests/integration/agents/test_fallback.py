"""A fallback through the worker: the answer is of who gave it, and the session verifies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.adapters.models import resolve
from agents_app.engine import AgentSpec, Message, ModelError
from agents_app.services.agents import agents_sync
from agents_app.testing import RuleModel
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)
USES: tuple[Any, ...] = (
    {"use": "model-fallback", "models": ["scripted:echo"]},
    {"use": "model-retry", "max_retries": 1, "initial_delay": 0},
)


@pytest.fixture
def desk(workspace: WorkspaceRef) -> Iterator[None]:
    broken = AgentSpec(slug="broken", model="broken:one", middleware=USES)
    definitions.use(definitions.Definitions({"broken": broken}, {}))
    agents_sync(workspace_id=workspace.id)
    yield
    definitions.use(None)


def test_the_answer_is_of_the_model_that_gave_it(desk: None, dana: Person) -> None:
    error = ModelError("502", code="server_error", permanent=False)
    browser = dana.browser()
    session = browser.post("/sessions", {"agent": "broken", "input": "Hello?"}).json()["id"]
    work_all(models=lambda n: RuleModel(lambda _: error) if n.startswith("broken:") else resolve(n))
    assert browser.get(f"/sessions/{session}").json()["status"] == "finished"
    events = browser.get(f"/sessions/{session}/events?limit=100").json()["items"]
    of = {kind: [e["payload"] for e in events if e["event_type"] == kind] for kind in KINDS}
    tries = [(a["n"], a["model"], a["reason"]) for a in of["llm_attempt"]]
    assert tries == [(2, "broken:one", "retry"), (3, "scripted:echo", "fallback")]
    [response] = of["llm_response"]
    assert (response["model"], response["price"]) == ("scripted:echo", "scripted")
    assert [each["final"] for each in of["llm_error"]] == [False, False]
    verdict = browser.post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok", verdict


KINDS = ("llm_attempt", "llm_error", "llm_response")


class Brief:
    """A plug-in that sends one message more, no tools, and no parameters."""

    name = "brief"

    async def wrap_llm_call(self, request: Any, call: Any) -> Any:
        more = Message("user", "Be brief.")
        bare = replace(request, tools=(), params={})
        return await call(replace(bare, messages=(*request.messages, more)))


def test_the_prompt_that_is_shown_is_what_was_sent(workspace: WorkspaceRef, dana: Person) -> None:
    loaded = plugins.current()
    parts = replace(loaded.parts, middleware={**loaded.parts.middleware, "brief": Brief})
    plugins.use(replace(loaded, parts=parts))
    tools = (loaded.tools["calculator"],)
    spec = AgentSpec(
        slug="brief", tools=tools, params={"temperature": 1}, middleware=({"use": "brief"},)
    )
    definitions.use(definitions.Definitions({"brief": spec}, {}))
    agents_sync(workspace_id=workspace.id)
    try:
        browser = dana.browser()
        session = browser.post("/sessions", {"agent": "brief", "input": "Hello?"}).json()["id"]
        work_all()
        events = browser.get(f"/sessions/{session}/events?limit=100").json()["items"]
        [seq] = [e["seq"] for e in events if e["event_type"] == "llm_request"]
        prompt = browser.get(f"/sessions/{session}/events/{seq}/prompt").json()
    finally:
        definitions.use(None)
        plugins.use(None)
    said = [each["message"]["content"] for each in prompt["messages"]]
    assert said == ["Hello?", "Be brief."]
    assert (prompt["tools"], prompt["params"]) == ([], {})
    assert [each["reason"] for each in prompt["attempts"]] == ["edited"]
