"""Questions from inside a tool: it asks before it acts, and is entered again from the top."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agents_app.engine import AgentSpec, ToolContext, tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, ask_age, by_turn

ENTERED = "entered"


def _session(*tools: Any, turn: Any) -> Session:
    spec = AgentSpec(slug="desk", tools=tools)
    return Session(spec, RuleModel(by_turn(turn, says("Done.")))).start("Go.")


async def _answer(session: Session, value: Any) -> None:
    (question,) = session.questions()
    session.decide(question, "respond", value=value)
    await session.run()


async def test_k7_a_tool_asks_until_it_is_content_and_each_answer_is_given_once() -> None:
    ledger = Ledger()
    session = _session(ask_age(ledger), turn=calls(("ask_age", {"name": "Di"})))
    await session.run()
    for answer in ("x", "-1", "30"):
        await _answer(session, answer)
    assert ledger.what == ["Di is 30"]
    assert [q.payload["generation"] for q in session.of("interrupt")] == [0, 1, 2]
    assert len(session.of("resume")) == 3
    assert session.of("session_end")[0].payload["outcome"] == "finished"
    verdict = await verify(session)
    assert verdict.ok, verdict


async def test_r3_two_different_questions_get_their_own_answers() -> None:
    @tool(effectful=True)
    async def book(ctx: ToolContext) -> str:
        """Book."""
        where = ctx.interrupt("Where to?")
        when = ctx.interrupt({"text": "When?", "to": where})
        return f"booked {where} {when}"

    session = _session(book, turn=calls(("book", {})))
    await session.run()
    await _answer(session, "Rome")
    await _answer(session, "May")
    (result,) = session.of("tool_result")
    assert result.payload["message"]["content"] == "booked Rome May"
    assert (await verify(session)).ok


async def test_r18_a_question_in_a_later_run_is_answered_and_the_run_ends() -> None:
    ledger = Ledger()
    asks = by_turn(calls(("ask_age", {"name": "Di"})), says("Done."))
    spec = AgentSpec(slug="desk", tools=(ask_age(ledger),))
    session = Session(spec, RuleModel(asks)).start("Go.")
    for run in (1, 2):
        assert (await asyncio.wait_for(session.run(), 10)).kind == "interrupted"
        await asyncio.wait_for(_answer(session, str(30 + run)), 10)
        assert [e.payload["outcome"] for e in session.of("session_end")] == ["finished"] * run
        session.say("Again.")
    assert ledger.what == ["Di is 31", "Di is 32"]
    assert (await verify(session)).ok


async def test_r20_a_gate_lets_the_answer_to_the_tool_s_own_question_through() -> None:
    """An approval and a question at one call: neither takes the other's decision for its own."""
    ledger = Ledger()

    @tool(effectful=True, approval=True)
    async def book(ctx: ToolContext) -> str:
        """Book."""
        where = ctx.interrupt("Where to?")
        ledger.note(ctx.key, f"booked {where}")
        return "booked"

    session = _session(book, turn=calls(("book", {})))
    assert (await session.run()).kind == "interrupted"
    (approval,) = session.questions()
    assert approval.payload["kind"] == "approval"
    session.decide(approval, "approve")
    assert (await session.run()).kind == "interrupted"
    (question,) = session.questions()
    assert (question.payload["kind"], ledger.what) == ("question", [])
    assert question.payload["id"] != approval.payload["id"]
    await _answer(session, "Rome")
    assert ledger.what == ["booked Rome"]
    assert len(session.of("interrupt")) == 2
    assert (await verify(session)).ok


async def test_s2_9_e16_a_tool_finds_its_own_state_again() -> None:
    seen: list[tuple[bool, Any, tuple[bool, Any]]] = []

    @tool(effectful=True)
    async def count(ctx: ToolContext) -> str:
        """Count."""
        seen.append((ctx.was_interrupted, ctx.state, ctx.answer))
        done = (ctx.state or {"n": 0})["n"]
        if done < 2:
            ctx.interrupt(f"Go on after {done}?", state={"n": done + 1})
            if not ctx.answer[0]:
                raise AssertionError("never reached")
            ctx.interrupt(f"Go on after {done + 1}?", state={"n": done + 2})
        return f"counted to {done}"

    session = _session(count, turn=calls(("count", {})))
    await session.run()
    await _answer(session, None)
    await _answer(session, None)
    assert seen[0] == (False, None, (False, None))
    assert seen[1] == (True, {"n": 1}, (True, None))
    assert session.of("tool_result")[0].payload["message"]["content"] == "counted to 2"


async def test_e13_s2_6_a_tool_that_needs_a_yes_runs_with_the_answer_and_nothing_runs_again() -> (
    None
):
    @tool(effectful=True)
    async def approve_action(action: str, ctx: ToolContext) -> str:
        """Approve."""
        data = ctx.interrupt("Tool 'approve_action' requires human approval")
        return f"Approved action executed with data: {data}" if data else "Approved action executed"

    session = _session(approve_action, turn=calls(("approve_action", {"action": "x"})))
    outcome = await session.run()
    assert outcome.kind == "interrupted"
    assert [e.payload["id"] for e in session.of("interrupt")] == [outcome.points[0]["id"]]
    await _answer(session, "approved")
    (result,) = session.of("tool_result")
    assert result.payload["message"]["content"] == "Approved action executed with data: approved"
    assert len(session.of("llm_request")) == 2
    assert session.of("session_end")[0].payload["outcome"] == "finished"


async def test_e29_two_tools_ask_in_parallel_and_are_answered_apart() -> None:
    @tool(effectful=True)
    async def first(ctx: ToolContext) -> str:
        """Ask."""
        return f"A:{ctx.interrupt('A needs approval')}"

    @tool(effectful=True)
    async def second(ctx: ToolContext) -> str:
        """Ask."""
        return f"B:{ctx.interrupt('B needs approval')}"

    session = _session(first, second, turn=calls(("first", {}), ("second", {})))
    outcome = await session.run()
    assert sorted(point["info"] for point in outcome.points) == [
        "A needs approval",
        "B needs approval",
    ]
    asked = {q.payload["info"]: q for q in session.questions()}
    session.decide(asked["A needs approval"], "respond", value="yes")
    outcome = await session.run()
    assert [point["info"] for point in outcome.points] == ["B needs approval"]
    session.decide(asked["B needs approval"], "respond", value="ok")
    await session.run()
    last = session.model.requests[-1].messages  # type: ignore[attr-defined]
    assert [m.content for m in last if m.role == "tool"] == ["A:yes", "B:ok"]
    assert (await verify(session)).ok


async def test_k2_all_questions_are_there_before_the_run_is_reported_waiting() -> None:
    release = asyncio.Event()

    @tool(effectful=True)
    async def quick(ctx: ToolContext) -> str:
        """Ask at once."""
        return str(ctx.interrupt("quick?"))

    @tool(effectful=True)
    async def slow(ctx: ToolContext) -> str:
        """Ask late."""
        await release.wait()
        return str(ctx.interrupt("slow?"))

    session = _session(quick, slow, turn=calls(("quick", {}), ("slow", {})))
    running = asyncio.ensure_future(session.run())
    await session.until(lambda: len(session.questions()) == 1)
    assert not running.done()
    release.set()
    outcome = await running
    assert len(outcome.points) == 2


async def test_r11_e33_a_finished_sibling_is_not_run_again() -> None:
    ran: list[str] = []

    @tool
    async def plain() -> str:
        """Run."""
        ran.append("plain")
        return "ok"

    @tool(effectful=True)
    async def asks(ctx: ToolContext) -> str:
        """Ask."""
        return str(ctx.interrupt("?"))

    session = _session(plain, asks, turn=calls(("plain", {}), ("asks", {})))
    await session.run()
    await _answer(session, 1)
    assert ran == ["plain"]


async def test_r6_a_tool_that_swallows_every_error_cannot_swallow_its_question() -> None:
    @tool(effectful=True)
    async def greedy(ctx: ToolContext) -> str:
        """Swallow."""
        try:
            return str(ctx.interrupt("?"))
        except Exception:
            return "swallowed"

    @tool(effectful=True)
    async def greediest(ctx: ToolContext) -> str:
        """Swallow more."""
        try:
            return str(ctx.interrupt("?"))
        except BaseException:
            return "swallowed"

    session = _session(greedy, turn=calls(("greedy", {})))
    assert (await session.run()).kind == "interrupted"
    session = _session(greediest, turn=calls(("greediest", {})))
    assert (await session.run()).kind == "interrupted"


async def test_r36_a_plain_function_runs_in_a_thread_and_may_ask_too() -> None:
    @tool(effectful=True)
    def blocking(ctx: ToolContext) -> str:
        """Ask from a thread."""
        return f"got {ctx.interrupt('thread?')}"

    session = _session(blocking, turn=calls(("blocking", {})))
    assert (await session.run()).kind == "interrupted"
    await _answer(session, 5)
    assert session.of("tool_result")[0].payload["message"]["content"] == "got 5"


async def test_e18_addresses_are_of_agents_and_tools_only() -> None:
    session = _session(ask_age(Ledger()), turn=calls(("ask_age", {"name": "Di"})))
    await session.run()
    (question,) = session.questions()
    assert question.payload["address"] == "agent:desk;tool:ask_age:c4.0"
    assert question.payload["parents"] == [{"address": "agent:desk", "info": None}]


async def test_e35_a_cancelled_call_with_a_question_ends_with_the_run() -> None:
    session = _session(ask_age(Ledger()), turn=calls(("ask_age", {"name": "Di"})))
    await session.run()
    session.cancel()
    assert (await session.run()).kind == "cancelled"
    (result,) = session.of("tool_result")
    assert result.payload["error"]["code"] == "outcome_unknown"
    assert (await verify(session)).ok


@pytest.mark.parametrize("value", [None, False, 0, "", [], {}, {"n": None}])
async def test_e20_e23_every_json_value_is_a_state_and_an_answer(value: Any) -> None:
    """What is empty is there: a tool tells it from nothing by whether it was interrupted."""
    entered: list[tuple[bool, Any, tuple[bool, Any]]] = []

    @tool(effectful=True)
    async def asks(ctx: ToolContext) -> str:
        """Ask."""
        entered.append((ctx.was_interrupted, ctx.state, ctx.answer))
        return str(ctx.interrupt("?", state=value) == value)

    session = _session(asks, turn=calls(("asks", {})))
    await session.run()
    await _answer(session, value)
    assert entered == [(False, None, (False, None)), (True, value, (True, value))]
    assert session.of("tool_result")[0].payload["message"]["content"] == "True"
    assert (await verify(session)).ok
