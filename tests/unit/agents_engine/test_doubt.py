"""A crash between intent and result: an effectful call is in doubt, and a person decides."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, tool
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, pay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import ToolCall, ToolResult
    from agents_app.engine.ports import ToolHandler
    from playhead.core.events import Event

PAY = ("pay", {"to": "Bo", "amount": 5})
SAID_ONCE = "Error: once: RuntimeError: an effectful call runs once; this one brought no result"


def _crash_before_result(session: Session, _number: int, events: Sequence[Event]) -> None:
    if any(event.event_type == "tool_result" for event in events):
        raise Crashed


async def _in_doubt(ledger: Ledger, **options: Any) -> Session:
    spec = AgentSpec(slug="desk", tools=(pay(ledger, **options),))
    session = Session(spec, RuleModel(by_turn(calls(PAY), says("Done.")))).start("Pay.")
    session.before_commit = _crash_before_result
    with pytest.raises(Crashed):
        await session.run()
    session.before_commit = None
    await session.resume()
    return session


async def _verified(session: Session) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict


async def test_x8_an_effectful_call_is_not_run_again() -> None:
    ledger = Ledger()
    session = await _in_doubt(ledger)
    (question,) = session.questions()
    assert question.payload["kind"] == "in_doubt"
    assert question.payload["allowed"] == ["happened", "did_not", "retry", "give_up"]
    assert ledger.what == ["paid 5 to Bo"]
    assert session.of("lease")[0].payload["epoch"] == 1
    await _verified(session)


async def test_happened_is_the_result_that_the_person_gives() -> None:
    ledger = Ledger()
    session = await _in_doubt(ledger)
    decision = session.decide(session.questions()[0], "happened", value={"receipt": 9})
    await session.run()
    (result,) = session.of("tool_result")
    assert result.payload["message"]["content"] == '{"receipt":9}'
    assert (result.payload["source"], result.cause) == ("person", decision.seq)
    assert ledger.what == ["paid 5 to Bo"]
    await _verified(session)


async def test_did_not_is_an_error_result() -> None:
    session = await _in_doubt(Ledger())
    session.decide(session.questions()[0], "did_not")
    assert (await session.run()).kind == "finished"
    (result,) = session.of("tool_result")
    assert result.payload["error"]["code"] == "did_not_happen"
    await _verified(session)


async def test_retry_runs_it_once_more_and_no_more() -> None:
    ledger = Ledger()
    session = await _in_doubt(ledger)
    session.decide(session.questions()[0], "retry")
    await session.run()
    assert ledger.what == ["paid 5 to Bo"] * 2
    assert len(session.of("resume")) == 1
    await _verified(session)


async def test_an_open_resume_is_in_doubt_like_an_open_intent() -> None:
    ledger = Ledger()
    session = await _in_doubt(ledger)
    session.decide(session.questions()[0], "retry")
    session.before_commit = _crash_before_result
    with pytest.raises(Crashed):
        await session.run()
    session.before_commit = None
    await session.resume()
    (again,) = session.questions()
    assert again.payload["generation"] == 1
    assert ledger.what == ["paid 5 to Bo"] * 2
    session.decide(again, "happened", value="paid")
    assert (await session.run()).kind == "finished"
    await _verified(session)


async def test_give_up_ends_the_run() -> None:
    session = await _in_doubt(Ledger())
    session.decide(session.questions()[0], "give_up")
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "gave_up")
    assert session.of("tool_result")[0].payload["error"]["code"] == "outcome_unknown"
    await _verified(session)
    session.say("What now?")
    assert (await session.run()).kind == "finished"
    await _verified(session)


async def test_a_cancel_while_in_doubt_leaves_the_outcome_unknown() -> None:
    session = await _in_doubt(Ledger())
    session.cancel()
    assert (await session.run()).kind == "cancelled"
    assert session.of("tool_result")[0].payload["error"]["code"] == "outcome_unknown"
    await _verified(session)


async def test_g6_an_idempotent_call_runs_again_with_the_same_key() -> None:
    ledger = Ledger()
    session = await _in_doubt(ledger, idempotent=True)
    assert session.of("session_end")[0].payload["outcome"] == "finished"
    keys = [key for key, _ in ledger.done]
    assert keys == [f"sess_test:{session.of('tool_call')[0].seq}"] * 2
    await _verified(session)


async def test_e35_e65_a_harmless_call_that_was_cut_off_runs_again_with_what_the_intent_holds() -> (
    None
):
    """Twice, with the same arguments: hooks have changed them once, and the model is not asked."""
    ran: list[int] = []

    @tool
    async def count(number: int) -> str:
        """Count."""
        ran.append(number)
        return f"counted to {number}"

    class Adding:
        async def before_tool_call(self, call: ToolCall) -> ToolCall:
            return replace(call, arguments={"number": call.arguments["number"] + 1})

    spec = AgentSpec(slug="desk", tools=(count,))
    model = RuleModel(by_turn(calls(("count", {"number": 4})), says("Done.")))
    session = Session(spec, model, middlewares=lambda: [Adding()]).start("Go.")
    session.before_commit = _crash_before_result
    with pytest.raises(Crashed):
        await session.run()
    session.before_commit = None
    assert (await session.resume()).answer == "Done."
    assert ran == [5, 5]
    assert (len(session.of("tool_call")), len(session.of("llm_request"))) == (1, 2)
    assert session.of("tool_result")[0].payload["message"]["content"] == "counted to 5"
    await _verified(session)


async def test_a_result_that_was_known_is_not_in_doubt() -> None:
    """Three calls, a refund after a second, a report that takes long, a crash meanwhile."""
    ledger, hold = Ledger(), asyncio.Event()

    @tool(effectful=True)
    async def report() -> str:
        """Take long."""
        await hold.wait()
        return "reported"

    spec = AgentSpec(slug="desk", tools=(pay(ledger), report))
    model = RuleModel(by_turn(calls(PAY, ("report", {})), says("Done.")))
    session = Session(spec, model).start("Go.")
    running = asyncio.ensure_future(session.run())
    await session.until(lambda: len(session.of("tool_result")) == 1)
    assert session.process is not None
    session.process.kill()
    with pytest.raises(Crashed):
        await running
    await session.resume()
    (question,) = session.questions()
    assert question.payload["tool"] == "report"
    assert ledger.what == ["paid 5 to Bo"]
    await _verified(session)


async def test_a_timeout_of_an_effectful_call_is_in_doubt_and_of_another_an_error() -> None:
    @tool(effectful=True, timeout=0.01)
    async def pays() -> str:
        """Never come back."""
        await asyncio.Event().wait()
        return ""

    @tool(timeout=0.01)
    async def looks() -> str:
        """Never come back."""
        await asyncio.Event().wait()
        return ""

    for each, kind in ((pays, "interrupted"), (looks, "finished")):
        spec = AgentSpec(slug="desk", tools=(each,))
        model = RuleModel(by_turn(calls((each.name, {})), says("Done.")))
        session = Session(spec, model).start("Go.")
        assert (await session.run()).kind == kind
        await _verified(session)


async def test_r41_nothing_retries_an_effectful_call_by_itself() -> None:
    """A wrap that tries again is told that the call runs once; the port ran once."""
    ran: list[str] = []

    @tool(effectful=True)
    async def once() -> str:
        """Fail."""
        ran.append("once")
        raise RuntimeError("no")

    class Trying:
        name = "trying"

        async def wrap_tool_call(self, call: ToolCall, run: ToolHandler) -> ToolResult:
            with suppress(RuntimeError):
                return await run(call)
            return await run(call)

    spec = AgentSpec(slug="desk", tools=(once,))
    model = RuleModel(by_turn(calls(("once", {})), says("Done.")))
    session = Session(spec, model, middlewares=lambda: [Trying()]).start("Go.")
    await session.run()
    assert ran == ["once"]
    (result,) = session.of("tool_result")
    assert result.payload["message"]["content"] == SAID_ONCE
    await _verified(session)


async def test_a_tool_that_ends_after_its_run_was_closed_writes_nothing_more() -> None:
    hold = asyncio.Event()

    @tool(effectful=True)
    async def stubborn() -> str:
        """Cannot be stopped."""
        try:
            await hold.wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
        return "late"

    spec = AgentSpec(slug="desk", tools=(stubborn,))
    model = RuleModel(by_turn(calls(("stubborn", {})), says("Done.")))
    session = Session(spec, model).start("Go.")
    running = asyncio.ensure_future(session.run())
    await session.until(lambda: bool(session.of("tool_call")))
    session.cancel()
    assert (await running).kind == "cancelled"
    assert len(session.of("tool_result")) == 1
    await _verified(session)


async def test_k42_a_cancelled_slow_call_has_a_result_and_the_next_run_a_valid_history() -> None:
    @tool
    async def slow() -> str:
        """Take for ever."""
        await asyncio.Event().wait()
        return ""

    spec = AgentSpec(slug="desk", tools=(slow,))
    model = RuleModel(by_turn(calls(("slow", {})), says("Done.")))
    session = Session(spec, model).start("Go.")
    running = asyncio.ensure_future(session.run())
    await session.until(lambda: bool(session.of("tool_call")))
    session.cancel()
    assert (await running).kind == "cancelled"
    (result,) = session.of("tool_result")
    assert result.payload["error"]["code"] == "cancelled"
    session.model = RuleModel(lambda request: says(request.messages[-1].content))
    session.say("Still there?")
    assert (await session.run()).answer == "Still there?"
    seen = session.model.requests[-1].messages
    assert [m.role for m in seen] == ["user", "assistant", "tool", "user"]
    await _verified(session)


async def test_a_cancel_during_a_model_call_ends_the_run_at_once() -> None:
    model = RuleModel(lambda request: says("never"))
    model.gate = asyncio.Event()
    session = Session(AgentSpec(slug="desk"), model).start("Go.")
    running = asyncio.ensure_future(session.run())
    await session.until(lambda: bool(model.requests))
    session.cancel()
    assert (await running).kind == "cancelled"
    assert session.of("llm_error")[0].payload["code"] == "cancelled"
    await _verified(session)
    model.gate.set()
    session.say("Again?")
    assert (await session.run()).kind == "finished"
    await _verified(session)
