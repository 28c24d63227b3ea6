"""What an agent's owner has sealed is sealed where it enters: at the doors and in the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters import definitions
from agents_app.adapters.models.scripted import Rule, Script, View, call, reply
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec, tool
from agents_app.models import Vault
from agents_app.services.agents import agents_sync
from tests.integration.agents.logs import pk_of
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)

PERSON = "ann.smith@example.org"
TOLD: list[str] = []


@tool
def tell(to: str) -> str:
    """Tell somebody."""
    TOLD.append(to)
    return f"told {to}"


def _answer(view: View) -> object:
    if view.turn:
        return reply(f"I told {view.user.rpartition(' ')[2]}.")
    return reply(calls=[call("tell", to=view.user.rpartition(" ")[2])])


def agent(*, choice: str) -> AgentSpec:
    uses = ({"use": "guardrail", "personal_data": choice},)
    return AgentSpec(slug="teller", model="scripted:teller", tools=(tell,), middleware=uses)


@pytest.fixture
def teller(dana: Person, request: pytest.FixtureRequest) -> Iterator[Person]:
    TOLD.clear()
    script = Script([Rule(lambda _: True, _answer)], pace=0.0)  # type: ignore[arg-type, return-value]
    spec = agent(choice=request.param)
    definitions.use(definitions.Definitions({"teller": spec}, {"teller": script}))
    agents_sync(workspace_id=dana.workspace.id)
    yield dana
    definitions.use(None)


def session_of(who: Person) -> str:
    browser = who.browser()
    made = browser.post("/sessions", {"agent": "teller", "input": f"Tell {PERSON}"})
    work_all()
    browser.post(f"/sessions/{made.json()['id']}/messages", {"content": f"Again {PERSON}"})
    work_all()
    return str(made.json()["id"])


@pytest.mark.parametrize("teller", ["seal"], indirect=True)
def test_i52_personal_data_is_sealed_where_the_owner_says_so(teller: Person) -> None:
    """Messages, arguments, results, answers and the title; the model and the tool get the value."""
    session = session_of(teller)
    rows = log_store().read(pk_of(session))
    assert not [row.seq for row in rows if PERSON.encode() in row.body]
    assert TOLD == [PERSON, PERSON]
    assert Vault.objects.filter(type="email").count() == 1
    sealed = {row.event_type for row in rows if row.sealed}
    assert {"user_message", "llm_response", "tool_call", "tool_result"} <= sealed
    browser = teller.browser()
    for path in ("", "/events?bodies=1&limit=1000", "/heads", "/export?format=jsonl"):
        assert PERSON not in browser.get(f"/sessions/{session}{path}").getvalue().decode()
    verdict = browser.post(f"/sessions/{session}/verify").json()
    assert (verdict["chain"]["ok"], verdict["derivation"]["verdict"]) == (True, "ok")


@pytest.mark.parametrize("teller", ["off"], indirect=True)
def test_without_that_choice_the_owners_log_keeps_them(teller: Person) -> None:
    session = session_of(teller)
    assert any(PERSON.encode() in row.body for row in log_store().read(pk_of(session)))
    assert not Vault.objects.exists()


@pytest.mark.parametrize("teller", ["off"], indirect=True)
def test_a_branch_on_a_version_that_seals_seals(teller: Person) -> None:
    """The choice of any version that runs in a tree holds for what is written from then on."""
    session = session_of(teller)
    spec = agent(choice="seal")
    definitions.use(definitions.Definitions({"teller": spec}, definitions.current().scripts))
    agents_sync(workspace_id=teller.workspace.id)
    browser = teller.browser()
    at = next(r.seq for r in log_store().read(pk_of(session)) if r.event_type == "llm_response")
    body = {"at": at, "overrides": {"version": 2}}
    made = browser.post(f"/sessions/{session}/branches", body).json()["sessions"][0]
    work_all()
    own = [row for row in log_store().read(pk_of(made["id"])) if row.session_id == made["id"]]
    assert "llm_response" in {row.event_type for row in own}
    assert not [row.seq for row in own if PERSON.encode() in row.body]


def test_the_log_of_a_session_has_no_secret_of_its_agents_definition(dana: Person) -> None:
    """Whoever reads the log would have the key; the session runs without it."""
    secret = "sk-proj-QQQQWWWWEEEERRRRTTTT1234567890uiopasdfgh"
    when = {"argument": "login", "op": "is", "value": {"password": "hunter2-hunter2"}}
    rule = {"when": [when], "then": "deny", "reason": f"Not with {secret}."}
    spec = AgentSpec(
        slug="open", instructions=f"Use {secret}.", params={"api_key": "hunter2-hunter2"},
        middleware=({"use": "tool-permission", "rules": [rule]},),
    )  # fmt: skip
    definitions.use(definitions.Definitions({"open": spec}, {}))
    agents_sync(workspace_id=dana.workspace.id)
    browser = dana.browser()
    made = browser.post("/sessions", {"agent": "open", "input": "Hi."}).json()
    events = browser.get(f"/sessions/{made['id']}/events?limit=10").getvalue().decode()
    definitions.use(None)
    assert secret not in events
    assert "hunter2" not in events
