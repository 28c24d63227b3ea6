"""What shapes the prompt and the tools, all at once through the worker; the session verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.adapters.models.scripted import Rule, Script, View, call, reply
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec, tool
from agents_app.services.agents import agents_sync
from tests.integration.agents.logs import pk_of
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = 8


@tool
def read(page: int) -> str:
    """Read a page."""
    return f"page {page} " + "x" * 400


@tool(effectful=True)
def pay(to: str, amount: int) -> str:
    """Pay somebody."""
    return f"paid {amount} to {to}"


@tool
def fly(to: str) -> str:
    """Fly somewhere."""
    return to


def _answer(view: View) -> Any:
    said = view.messages[-1].content
    if "<messages>" in said:
        return reply("Seven pages were read.")
    if "The tools:" in said:
        return reply('{"tools": ["read", "pay"]}')
    pages = [int(m.content.split()[1]) for m in view.messages if m.content.startswith("page")]
    if max(pages, default=0) < PAGES:
        return reply(calls=[call("read", page=max(pages, default=0) + 1)])
    if "pay" not in view.calls:
        return reply(calls=[call("pay", to="Bo", amount=500)])
    return reply("All read, nothing paid.")


USES = (
    {"use": "personal-data"},
    {"use": "summarisation", "messages": 12, "keep": 6},
    {"use": "context-editing", "trigger": 200, "keep": 2},
    {"use": "tool-selection", "max_tools": 2},
    {
        "use": "tool-permission",
        "rules": [{"tool": "pay", "when": [{"argument": "amount", "op": "over", "value": 100}],
                   "then": "deny", "reason": "Too much."}],
    },
)  # fmt: skip


@pytest.fixture
def reader(dana: Person) -> Iterator[Person]:
    script = Script([Rule(lambda _: True, _answer)], pace=0.0)
    spec = AgentSpec(
        slug="reader", model="scripted:reader", instructions="Read.", tools=(read, pay, fly),
        middleware=USES,
    )  # fmt: skip
    definitions.use(definitions.Definitions({"reader": spec}, {"reader": script}))
    agents_sync(workspace_id=dana.workspace.id)
    yield dana
    definitions.use(None)


def test_prompts_get_shorter_tools_fewer_and_calls_refused(reader: Person) -> None:
    browser = reader.browser()
    body = {"agent": "reader", "input": "Read all and tell ann@example.org."}
    session = browser.post("/sessions", body).json()["id"]
    work_all()
    events = [row.event() for row in log_store().read(pk_of(session))]
    assert browser.get(f"/sessions/{session}").json()["answer"] == "All read, nothing paid."
    internal = [e for e in events if e.payload.get("internal")]
    assert {(e.scope or "").rpartition("mw:")[2] for e in internal} == {
        "summarisation", "tool-selection",
    }  # fmt: skip
    last = [e for e in events if e.event_type == "llm_request" and e not in internal][-1]
    prompt = browser.get(f"/sessions/{session}/events/{last.seq}/prompt").json()
    texts = [each["message"]["content"] for each in prompt["messages"]]
    assert any("Seven pages were read." in text for text in texts)
    assert "[cleared]" in texts
    assert "ann@example.org" not in "".join(texts)
    assert [each["function"]["name"] for each in prompt["tools"]] == ["read", "pay"]
    denied = [e for e in events if e.event_type == "tool_result" and not e.payload["success"]]
    assert [e.payload["error"]["code"] for e in denied] == ["not_permitted"]
    verdict = browser.post(f"/sessions/{session}/verify").json()
    assert (verdict["chain"]["ok"], verdict["derivation"]["verdict"]) == (True, "ok")
