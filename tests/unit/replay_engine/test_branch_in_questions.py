"""A fork inside an effectful tool's own question: its effect is the branch's, by its policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.engine import AgentSpec, ToolContext, tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import branch
from tests.unit.agents_engine.scenarios import Ledger, by_turn
from tests.unit.replay_engine.parents import crash_at, desk, holds, results, seq_of

if TYPE_CHECKING:
    from collections.abc import Mapping

ASK = calls(("ask_age", {"name": "Di"}))


async def _answered(ledger: Ledger) -> Session:
    """A parent whose tool asked, was answered, and had its effect."""
    parent = desk(ledger, ASK, says("Done."))
    await parent.run()
    parent.decide_all("respond", value="30")
    assert (await parent.run()).kind == "finished"
    assert ledger.what == ["Di is 30"]
    return parent


def _with_another_answer(parent: Session, effects: Mapping[str, str]) -> Session:
    at = seq_of(parent, "decision")
    return branch(parent, at, replace={"value": "40"}, effects=effects)


async def test_another_answer_live_runs_with_the_branchs_own_key() -> None:
    ledger = Ledger()
    parent = await _answered(ledger)
    child = _with_another_answer(parent, {"ask_age": "live"})
    assert (await child.run()).kind == "finished"
    assert results(child, "ask_age") == [("live", "Di is 40")]
    keys = [key for key, _ in ledger.done]
    assert keys == [f"{parent.id}:{seq_of(parent, 'tool_call')}", f"{child.id}:{_resumed(child)}"]
    await holds(child)


def _resumed(child: Session) -> int:
    return next(e.seq for e in child.of("resume") if e.session_id == child.id)


async def test_another_answer_recorded_takes_the_parents_result_and_runs_nothing() -> None:
    ledger = Ledger()
    parent = await _answered(ledger)
    child = _with_another_answer(parent, {})
    assert (await child.run()).kind == "finished"
    assert results(child, "ask_age") == [("recorded", "Di is 30")]
    assert len(ledger.done) == 1
    await holds(child)


async def test_another_answer_stub_runs_nothing() -> None:
    ledger = Ledger()
    child = _with_another_answer(await _answered(ledger), {"ask_age": "stub"})
    assert (await child.run()).kind == "finished"
    assert results(child, "ask_age")[0][0] == "stub"
    assert len(ledger.done) == 1
    await holds(child)


@pytest.mark.parametrize("decision", ["retry", "happened", "did_not"])
async def test_another_answer_ask_asks_before_anything_runs(decision: str) -> None:
    ledger = Ledger()
    child = _with_another_answer(await _answered(ledger), {"ask_age": "ask"})
    assert (await child.run()).kind == "interrupted"
    assert len(ledger.done) == 1
    [question] = child.questions()
    assert question.payload["kind"] == "in_doubt"
    assert "asks before this call runs" in question.payload["info"]
    child.decide(question, decision, **({"value": "Di is 50"} if decision == "happened" else {}))
    assert (await child.run()).kind == "finished"
    [(source, text)] = results(child, "ask_age")
    if decision == "retry":
        assert (source, text) == ("live", "Di is 40")
        assert ledger.done[1][0].startswith(f"{child.id}:")
    else:
        assert source == "person"
        assert len(ledger.done) == 1
    await holds(child)


@pytest.mark.parametrize(
    ("policy", "asks", "source"),
    [("recorded", True, "live"), ("ask", True, "live"), ("live", False, "live"),
     ("stub", False, "stub")],
)  # fmt: skip
async def test_k62_a_question_that_is_open_at_the_fork_is_asked_again_and_the_policy_holds(
    policy: str, asks: bool, source: str
) -> None:
    """The parent still waits: there is no result to take; a person says whether it runs here."""
    ledger = Ledger()
    parent = desk(ledger, ASK, says("Done."))
    await parent.run()
    child = branch(parent, parent.log.seq + 1, effects={"ask_age": policy})
    outcome = await child.run()
    if policy != "stub":
        assert outcome.kind == "interrupted"
        [question] = child.questions()
        assert question.session_id == child.id
        assert question.payload["info"] == "How old is Di?"
        child.decide(question, "respond", value="40")
        await child.run()
    assert [q.payload["kind"] for q in child.questions()] == (["in_doubt"] if asks else [])
    assert ledger.done == [] or not asks
    child.decide_all("retry")
    await child.run()
    assert [each[0] for each in results(child, "ask_age")] == [source]
    assert [key.split(":")[0] for key, _ in ledger.done] == ([child.id] if source == "live" else [])
    await holds(child)


async def test_no_code_of_the_tool_runs_to_ask_again() -> None:
    entered: list[str] = []

    @tool(effectful=True)
    async def book(ctx: ToolContext) -> str:
        """Book."""
        entered.append(ctx.key)
        return f"booked {ctx.interrupt({'where': 'to?'}, schema={'type': 'string'}, state=[1])}"

    spec = AgentSpec(slug="desk", tools=(book,))
    parent = Session(spec, RuleModel(by_turn(calls(("book", {})), says("Done.")))).start("Go.")
    await parent.run()
    child = branch(parent, parent.log.seq + 1)
    await child.run()
    assert len(entered) == 1
    [again], [asked] = child.questions(), parent.questions()
    for field in ("info", "schema", "state", "digest", "arguments"):
        assert again.payload[field] == asked.payload[field]
    await holds(child, complete=False)


async def test_a_fork_between_resume_and_result_takes_the_parents_result() -> None:
    ledger = Ledger()
    parent = await _answered(ledger)
    child = branch(parent, seq_of(parent, "tool_result"), effects={"ask_age": "live"})
    assert (await child.run()).kind == "finished"
    assert results(child, "ask_age") == [("recorded", "Di is 30")]
    assert len(ledger.done) == 1
    await holds(child)


@pytest.mark.parametrize("policy", ["recorded", "ask", "live", "stub"])
async def test_x8_a_crash_at_any_commit_of_such_a_branch_runs_nothing_twice(policy: str) -> None:
    calm = _with_another_answer(await _answered(Ledger()), {"ask_age": policy})
    await _to_the_end(calm)
    for at in range(1, calm.commits + 1):
        ledger = Ledger()
        child = _with_another_answer(await _answered(ledger), {"ask_age": policy})
        child.before_commit = crash_at(at)
        await _to_the_end(child)
        assert ledger.twice() == [], at
        assert len(ledger.done) <= 2
        await holds(child)


async def _to_the_end(session: Session) -> None:
    while (await session.finish()).kind == "interrupted":
        for question in session.questions():
            doubt = "crash" if "worker stopped" in question.payload["info"] else "fork"
            session.decide(question, "did_not" if doubt == "crash" else "retry")
