"""Memory through the worker: as middleware, and as tools; of a workspace, and of nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.adapters.memories.tools import memory_tools
from agents_app.adapters.models.scripted import Rule, Script, View, call, reply
from agents_app.adapters.plugins import current
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec
from agents_app.models import Memory
from agents_app.services.agents import agents_sync
from tests.integration.agents.logs import pk_of
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "sk-proj-Abc123Def456Ghi789"
SEEN: list[list[str]] = []


def _answer(view: View) -> Any:
    SEEN.append([m.content for m in view.messages])
    if view.user.startswith("Keep") and not view.turn:
        return reply(calls=[call("remember", text=view.user[5:])])
    if view.user.startswith("Find") and not view.turn:
        return reply(calls=[call("recall", query=view.user[5:])])
    return reply(view.messages[-1].content if view.turn else "我记住了。")


@pytest.fixture
def desks(dana: Person, charlie: Person) -> Iterator[tuple[Person, Person]]:
    SEEN.clear()
    script = Script([Rule(lambda _: True, _answer)], pace=0.0)
    tools = tuple(current().tools[name] for name in ("remember", "recall"))
    model = "scripted:desk"
    specs = {
        "desk": AgentSpec(slug="desk", model=model, tools=tools),
        "mind": AgentSpec(slug="mind", model=model, middleware=({"use": "memory"},)),
    }
    uses = ({"use": "memory", "store": "vector"},)
    specs["likes"] = AgentSpec(slug="likes", model=model, middleware=uses)
    definitions.use(definitions.Definitions(specs, {"desk": script}))
    for person in (dana, charlie):
        agents_sync(workspace_id=person.workspace.id)
    yield dana, charlie
    definitions.use(None)


def run(who: Person, agent: str, text: str) -> str:
    made = who.browser().post("/sessions", {"agent": agent, "input": text})
    assert made.status_code == 201, made.content
    work_all()
    return str(made.json()["id"])


def answer(who: Person, session: str) -> str:
    return str(who.browser().get(f"/sessions/{session}").json()["answer"])


@pytest.mark.parametrize("agent", ["mind", "likes"])
def test_s1_7_a_later_session_recalls_what_an_earlier_one_said(
    desks: tuple[Person, Person], agent: str
) -> None:
    """In Chinese; not in another workspace; and the session verifies without the memory."""
    dana, charlie = desks
    run(dana, agent, "订单一〇四三要退款到银行卡。")
    later = run(dana, agent, "那个订单的退款到银行卡了吗?")
    assert "订单一〇四三要退款到银行卡。" in SEEN[-1][0]
    run(charlie, agent, "那个订单的退款到银行卡了吗?")
    assert len(SEEN[-1]) == 1
    rows = log_store().read(pk_of(later), types=("effect",))
    assert [row.event().payload["kind"] for row in rows] == ["memory.read", "memory.write"]
    Memory.objects.all().delete()
    verdict = dana.browser().post(f"/sessions/{later}/verify").json()
    assert (verdict["chain"]["ok"], verdict["derivation"]["verdict"]) == (True, "ok")


def test_s1_6_memory_is_offered_as_tools_too(desks: tuple[Person, Person]) -> None:
    dana, charlie = desks
    run(dana, "desk", "Keep Ann prefers a bank transfer.")
    assert "bank transfer" in answer(dana, run(dana, "desk", "Find transfers of Ann"))
    assert "bank transfer" not in answer(charlie, run(charlie, "desk", "Find transfers of Ann"))
    (row,) = Memory.objects.all()
    assert (row.space, row.text) == ("agent:desk", "Ann prefers a bank transfer.")


def test_a_book_is_not_remembered_and_the_model_is_told(desks: tuple[Person, Person]) -> None:
    dana, _ = desks
    said = answer(dana, run(dana, "desk", "Keep " + "Ann " * 5001))
    assert "argument text: at most 20,000 characters" in said
    assert not Memory.objects.exists()


def test_what_is_remembered_of_a_person_is_of_who_says_it(
    desks: tuple[Person, Person], erin: Person
) -> None:
    """In a session of somebody else too: the tools and the middleware mean the same person."""
    dana, _ = desks
    tools = tuple(memory_tools("text", "user")[f"tool.{each}"] for each in ("remember", "recall"))
    uses = ({"use": "memory", "scope": "user", "keep": "turns"},)
    spec = AgentSpec(slug="desk", model="scripted:desk", tools=tools, middleware=uses)
    scripts = definitions.current().scripts
    definitions.use(definitions.Definitions({"desk": spec}, scripts))
    agents_sync(workspace_id=dana.workspace.id)
    session = run(dana, "desk", "Good day.")
    said = {"content": "Keep Ann prefers a bank transfer."}
    assert erin.browser().post(f"/sessions/{session}/messages", said).status_code == 202
    work_all()
    spaces = {row.text.partition("\n")[0]: row.space for row in Memory.objects.all()}
    hers = f"agent:desk;user:{erin.user.pk}"
    assert spaces.pop("Ann prefers a bank transfer.") == hers
    assert spaces.pop("They said: Keep Ann prefers a bank transfer.") == hers
    assert set(spaces.values()) == {f"agent:desk;user:{dana.user.pk}"}


def test_no_secret_is_remembered(desks: tuple[Person, Person]) -> None:
    """A tool gets the real value, a middleware the mark: neither is kept."""
    dana, _ = desks
    run(dana, "desk", f"Keep the key is {KEY} for the shop.")
    run(dana, "mind", f"The key is {KEY}, remember it.")
    assert Memory.objects.count() == 2
    assert not Memory.objects.filter(text__contains=KEY[8:]).exists()


def test_law_10_what_only_this_session_knows_for_a_secret_is_not_remembered(
    desks: tuple[Person, Person],
) -> None:
    """Nothing tells from the word alone that it is a password, and no other session would know."""
    dana, _ = desks
    first = run(dana, "desk", "Good day. My password: Tr0ub4dor-and-3")
    said = {"content": "Keep Ann signs in with Tr0ub4dor-and-3 these days."}
    assert dana.browser().post(f"/sessions/{first}/messages", said).status_code == 202
    work_all()
    assert "I will remember" in answer(dana, first)
    (row,) = Memory.objects.all()
    assert row.text.startswith("Ann signs in with [REDACTED:")
    assert "Tr0ub4dor" not in row.text + row.terms
    assert "Tr0ub4dor" not in answer(dana, run(dana, "desk", "Find Ann"))
