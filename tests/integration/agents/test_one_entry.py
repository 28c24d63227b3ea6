"""One scripted model, one tool set, one question: every paradigm by the same entry (H-06 … H-12).

Each row runs in three ways: ``AgentLoop.run(text)``, a session in memory as a worker runs it, and a
real worker on the database that is configured. The calls are counted, and each log is verified.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.engine import AgentLoop, AgentSpec, Limits, Message, RunFailed, tool
from agents_app.engine.parts import BUILT_IN
from agents_app.services.agents import agents_sync
from agents_app.testing import ScriptedModel, Session, calls, says
from replay_app.engine import Player
from replay_app.engine.verify import derive
from replay_app.testing import verify
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

QUESTION = "Is the door there?"
INSTRUCTIONS = "You keep the house."


@tool
def look_up(key: str) -> str:
    """Look something up."""
    return f"{key} is there"


TOOLS = (look_up,)
LOOKS = calls(("look_up", {"key": "door"}))
REACTS = "Thought: look\nAction: look_up[door]"


@dataclass(frozen=True, slots=True)
class Row:
    """A paradigm, what the model answers in order, and what is to come of it."""

    name: str
    script: list[str | Message]
    asked: int
    ran: int = 0
    strategy: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    steps: int = 10
    kind: str = "finished"
    answer: str = "It is."
    code: str | None = None

    def model(self) -> ScriptedModel:
        return ScriptedModel([says(each) if isinstance(each, str) else each
                              for each in self.script])  # fmt: skip

    def spec(self) -> AgentSpec:
        return AgentSpec(
            slug="house", strategy=self.strategy or self.name, options=self.options,
            instructions=INSTRUCTIONS, tools=TOOLS, limits=Limits(max_steps=self.steps),
            model="scripted:house",
        )  # fmt: skip


ROWS = [
    Row("simple", ["It is."], 1),
    Row("function-calling", [LOOKS, "It is."], 2, 1),
    Row(
        "function-calling by json_schema",
        ['{"tool": "look_up", "arguments": {"key": "door"}}', '{"answer": "It is."}'],
        2,
        1,
        strategy="function-calling",
        options={"by": "json_schema"},
    ),
    Row("react", [REACTS, "Action: Finish[It is.]"], 2, 1),
    Row("chain-of-thought", ["A door is a thing.\nAnswer: It is."], 1),
    # Reflection: 1 + 2 for each of n rounds at most, fewer when nothing is found to improve.
    Row("reflection, content at once", ["It is.", "No need for improvement."], 2,
        strategy="reflection"),
    Row("reflection, one round", ["Perhaps.", "Be sure.", "It is.", "No need for improvement."], 4,
        strategy="reflection"),
    Row("reflection, n=2 never content", ["A", "Worse.", "B", "Worse.", "It is."], 5,
        strategy="reflection", options={"rounds": 2}),
    # Plan and solve: n steps and the plan.
    Row("plan-and-solve, n=1", ['["say"]', "It is."], 2, strategy="plan-and-solve"),
    Row("plan-and-solve, n=3", ['["look", "think", "say"]', "I see.", "I think.", "It is."], 4,
        strategy="plan-and-solve"),
    Row("plan-execute-replan", ['["look"]', LOOKS, "There is one.", '{"answer": "It is."}'], 4, 1),
    # A limit is no answer that could not be read.
    Row("react at its limit", [REACTS] * 3, 3, 3, strategy="react", steps=3, kind="limit",
        answer="maximum steps"),
    Row("react, unreadable", ["Thought: hm"] * 2, 2, strategy="react", options={"repairs": 1},
        kind="failed", answer="", code="unreadable_reply"),
]  # fmt: skip
EACH = pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])


@EACH
async def test_h06_by_run(row: Row) -> None:
    """``AgentLoop(…).run(text)``."""
    model, spec = row.model(), row.spec()
    strategy = BUILT_IN.strategy(spec)
    loop = AgentLoop(model, TOOLS, max_steps=row.steps, strategy=strategy,
                     instructions=INSTRUCTIONS)  # fmt: skip
    if row.kind == "failed":
        with pytest.raises(RunFailed) as failed:
            await loop.run(QUESTION)
        assert failed.value.code == row.code
    else:
        assert row.answer in await loop.run(QUESTION)
    ran = [event for event in loop.events if event.event_type == "tool_call"]
    assert (len(model.requests), len(ran)) == (row.asked, row.ran)
    derivation, _ = await derive(Player(loop.events, loop.spec, strategy=strategy))
    assert derivation.verdict == "ok", derivation


@EACH
async def test_h06_in_a_session(row: Row) -> None:
    """A session in memory, by the strategy's name and options."""
    model = row.model()
    session = Session(row.spec(), model).start(QUESTION)
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == (row.kind, row.code)
    assert row.answer in (outcome.answer or "")
    assert (len(model.requests), len(session.of("tool_call"))) == (row.asked, row.ran)
    verdict = await verify(session)
    assert verdict.ok, verdict


@pytest.fixture
def house() -> Iterator[None]:
    yield
    definitions.use(None)


@EACH
@pytest.mark.django_db(transaction=True)
def test_h06_through_the_worker(
    row: Row, house: None, workspace: WorkspaceRef, bob: Person
) -> None:
    """The same definition in a database, run by a worker, verified by the server."""
    model = row.model()
    definitions.use(definitions.Definitions({"house": row.spec()}, {}))
    agents_sync(workspace_id=workspace.id)
    browser = bob.browser()
    made = browser.post("/sessions", {"agent": "house", "input": QUESTION}).json()
    work_all(models=lambda _name: model)
    session = browser.get(f"/sessions/{made['id']}").json()
    assert session["status"] == row.kind, session
    assert row.answer in (session["answer"] or "")
    assert (session["error"] or {}).get("code") == row.code
    log = browser.get(f"/sessions/{made['id']}/events?limit=500").json()["items"]
    types = [event["event_type"] for event in log]
    assert (len(model.requests), types.count("tool_call")) == (row.asked, row.ran)
    assert types.count("llm_request") == row.asked
    verdict = browser.post(f"/sessions/{made['id']}/verify", {}).json()
    assert verdict["chain"]["ok"]
    assert verdict["derivation"]["verdict"] == "ok", verdict
    assert verdict["snapshots"]["ok"]
