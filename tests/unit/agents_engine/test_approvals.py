"""The gate: what a person says yes to is what runs, once, and nothing else does."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.engine import AgentSpec, Message, ToolCall, tool
from agents_app.testing import RuleModel, Session, calls, says
from playhead.core.errors import Conflict
from playhead.core.events import Draft, Event
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, look_up, pay

PAY = ("pay", {"to": "Bo", "amount": 5})


def _desk(ledger: Ledger, *turns: Message, **options: Any) -> Session:
    options.setdefault("approval", True)
    spec = AgentSpec(slug="desk", tools=(look_up(ledger), pay(ledger, **options)))
    return Session(spec, RuleModel(by_turn(*turns))).start("Please pay.")


def _results(session: Session) -> dict[str, dict[str, Any]]:
    return {event.payload["call_id"]: event.payload for event in session.of("tool_result")}


async def _verified(session: Session) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict


async def test_law_6_a_question_shows_the_exact_action_and_its_consequence() -> None:
    session = _desk(Ledger(), calls(PAY), says("Done."))
    outcome = await session.run()
    assert outcome.kind == "interrupted"
    (question,) = session.questions()
    asked = question.payload
    assert asked["arguments"] == {"to": "Bo", "amount": 5}
    assert asked["consequence"] == "Pays 5 to Bo."
    assert asked["allowed"] == ["approve", "edit", "reject", "respond"]
    assert asked["schema"]["properties"]["amount"]["type"] == "integer"
    assert asked["on_expiry"] == "reject"
    assert asked["address"] == "agent:desk;tool:pay:c4.0"


async def test_g7_an_approval_is_consumed_once_and_named_by_the_intent() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY), says("Done."))
    await session.run()
    decision = session.decide(session.questions()[0], "approve")
    await session.run()
    (intent,) = session.of("tool_call")
    assert intent.payload["decision"] == decision.seq
    assert ledger.what == ["paid 5 to Bo"]
    await _verified(session)


async def test_x3_k30_of_two_decisions_one_wins() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY), says("Done."))
    await session.run()
    (question,) = session.questions()
    session.decide(question, "reject")
    with pytest.raises(Conflict, match="reject"):
        session.decide(question, "approve")
    await session.run()
    assert ledger.what == []


async def test_k14_an_edited_call_runs_as_edited_and_the_model_is_told() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(("pay", {"to": "Bo", "amount": 50})), says("Done."))
    await session.run()
    session.decide(session.questions()[0], "edit", arguments={"to": "Bo", "amount": 3})
    await session.run()
    assert ledger.what == ["paid 3 to Bo"]
    said = _results(session)["c4.0"]["message"]["content"]
    assert said.startswith("A person changed the arguments of this call before it ran, to ")
    assert '"amount":3' in said
    proposal = session.of("llm_response")[0].payload["message"]["tool_calls"][0]["arguments"]
    assert proposal["amount"] == 50
    await _verified(session)


async def test_k14_no_hook_changes_a_decided_call() -> None:
    class Doubling:
        name = "doubling"

        async def before_tool_call(self, call: ToolCall) -> ToolCall:
            doubled = {**call.arguments, "amount": call.arguments["amount"] * 2}
            return ToolCall("other", call.name, doubled)

    ledger = Ledger()
    spec = AgentSpec(slug="desk", tools=(pay(ledger, approval=True),))
    model = RuleModel(by_turn(calls(PAY), says("Done.")))
    session = Session(spec, model, middlewares=lambda: [Doubling()]).start("Pay.")
    await session.run()
    (question,) = session.questions()
    assert question.payload["arguments"]["amount"] == 10
    assert question.payload["call_id"] == "c4.0"
    session.decide(question, "edit", arguments={"to": "Bo", "amount": 4})
    await session.run()
    assert ledger.what == ["paid 4 to Bo"]
    await _verified(session)


async def test_an_edit_passes_validation_again() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY), says("Done."))
    await session.run()
    session.decide(session.questions()[0], "edit", arguments={"to": "Bo", "amount": "lots"})
    await session.run()
    assert ledger.what == []
    result = _results(session)["c4.0"]
    assert result["error"]["field"] == "amount"
    assert session.of("tool_call") == []
    await _verified(session)


async def test_k17_r10_each_call_of_a_mixed_turn_gets_its_own_end_and_one_result() -> None:
    ledger = Ledger()
    turn = calls(
        ("pay", {"to": "Al", "amount": 1}),
        ("look_up", {"key": "k"}),
        ("pay", {"to": "Bo", "amount": 2}),
        ("pay", {"to": "Cy", "amount": 3}),
    )
    session = _desk(ledger, turn, says("Done."))
    await session.run()
    first, second, third = session.questions()
    session.decide(first, "approve")
    session.decide(second, "reject", message="too early")
    session.decide(third, "respond", value={"receipt": 7})
    await session.run()
    assert ledger.what == ["paid 1 to Al"]
    results = _results(session)
    assert list(results) == ["c4.1", *(i for i in results if i != "c4.1")]
    assert results["c4.2"]["success"] is False
    assert "Ana rejected this call" in results["c4.2"]["message"]["content"]
    assert "too early" in results["c4.2"]["message"]["content"]
    assert results["c4.3"]["success"] is True
    assert results["c4.3"]["message"]["content"] == '{"receipt":7}'
    last = session.model.requests[-1].messages  # type: ignore[attr-defined]
    assert [m.tool_call_id for m in last if m.role == "tool"] == ["c4.0", "c4.1", "c4.2", "c4.3"]
    await _verified(session)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "null"), (False, "false"), (0, "0"), ("", ""), ([], "[]"), ({}, "{}")],
)
async def test_every_json_value_is_a_legal_answer(value: Any, text: str) -> None:
    session = _desk(Ledger(), calls(PAY), says("Done."))
    await session.run()
    session.decide(session.questions()[0], "respond", value=value)
    await session.run()
    result = _results(session)["c4.0"]
    assert result["success"] is True
    assert result["message"]["content"] == text
    await _verified(session)


async def test_x4_k32_expiry_is_a_no_by_the_system() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY), says("Done."), expires_in=60.0)
    await session.run()
    session.clock.advance(61)
    await session.run()
    assert ledger.what == []
    (decision,) = session.of("decision")
    assert decision.payload["by"]["kind"] == "system"
    assert decision.payload["decision"] == "reject"
    assert "nobody decided" in _results(session)["c4.0"]["message"]["content"]
    await _verified(session)


async def test_a_yes_that_nobody_acted_on_for_a_day_is_asked_for_again() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY), says("Done."), expires_in=None)
    await session.run()
    session.pause()
    session.decide(session.questions()[0], "approve")
    assert (await session.run()).kind == "paused"
    session.clock.advance(25 * 3600)
    session.unpause()
    assert (await session.run()).kind == "interrupted"
    assert ledger.what == []
    (again,) = session.questions()
    assert again.payload["generation"] == 1
    session.decide(again, "approve")
    await session.run()
    assert ledger.what == ["paid 5 to Bo"]
    await _verified(session)


async def test_k12_a_decision_about_another_action_executes_nothing() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY), says("Done."))
    await session.run()
    (question,) = session.questions()
    said = {
        "interrupt": question.payload["id"], "of": question.seq, "digest": "d1:another",
        "decision": "approve", "by": {"kind": "user", "id": "u", "name": "U"}, "to": "agent:desk",
    }  # fmt: skip
    session.log.write(Draft("decision", said))
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "bad_decision")
    assert ledger.what == []


async def test_k25_a_later_effect_waits_for_an_earlier_question() -> None:
    """Harmless calls run; an effectful one behind a question waits with it."""
    ledger = Ledger()

    @tool(effectful=True)
    async def ship(what: str) -> str:
        """Ship."""
        ledger.note("ship", f"shipped {what}")
        return "shipped"

    spec = AgentSpec(slug="desk", tools=(look_up(ledger), pay(ledger, approval=True), ship))
    turn = calls(PAY, ("ship", {"what": "box"}), ("look_up", {"key": "k"}))
    session = Session(spec, RuleModel(by_turn(turn, says("Done.")))).start("Go.")
    await session.run()
    assert ledger.what == []
    assert list(_results(session)) == ["c4.2"]
    session.decide(session.questions()[0], "approve")
    await session.run()
    assert sorted(ledger.what) == ["paid 5 to Bo", "shipped box"]
    await _verified(session)


async def test_a_predicate_decides_which_calls_need_a_yes() -> None:
    ledger = Ledger()
    turn = calls(("pay", {"to": "Al", "amount": 1}), ("pay", {"to": "Bo", "amount": 100}))
    session = _desk(ledger, turn, says("Done."), approval=lambda args: args["amount"] > 10)
    await session.run()
    assert ledger.what == ["paid 1 to Al"]
    assert len(session.questions()) == 1


async def test_r8_k42_a_cancelled_approval_leaves_a_valid_history_for_the_next_run() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY, ("look_up", {"key": "k"})), says("Done."))
    await session.run()
    session.cancel()
    outcome = await session.run()
    assert outcome.kind == "cancelled"
    assert ledger.what == []
    result = _results(session)["c4.0"]
    assert (result["source"], result["error"]["code"]) == ("synthetic", "cancelled")
    session.say("Never mind, thanks.")
    await session.run()
    seen = session.model.requests[-1].messages  # type: ignore[attr-defined]
    assert [m.tool_call_id for m in seen if m.role == "tool"] == ["c4.0", "c4.1"]
    await _verified(session)


async def test_k29_each_round_of_questions_is_independent() -> None:
    ledger = Ledger()
    session = _desk(ledger, calls(PAY), calls(("pay", {"to": "Cy", "amount": 6})), says("Done."))
    for _ in range(2):
        await session.run()
        session.decide_all("approve")
    await session.run()
    assert ledger.what == ["paid 5 to Bo", "paid 6 to Cy"]
    ids = [event.payload["id"] for event in session.of("interrupt")]
    assert len(set(ids)) == 2
    await _verified(session)


async def test_r1_parallel_questions_have_ids_of_their_own() -> None:
    session = _desk(Ledger(), calls(PAY, PAY, PAY), says("Done."))
    await session.run()
    assert len({q.payload["id"] for q in session.questions()}) == 3


async def test_k4_e29_a_partial_answer_runs_that_call_and_asks_again_for_the_rest() -> None:
    ledger = Ledger()
    turn = calls(("pay", {"to": "Al", "amount": 1}), ("pay", {"to": "Bo", "amount": 2}))
    session = _desk(ledger, turn, says("Done."))
    await session.run()
    first, second = session.questions()
    session.decide(first, "approve")
    outcome = await session.run()
    assert outcome.kind == "interrupted"
    assert [point["id"] for point in outcome.points] == [second.payload["id"]]
    assert ledger.what == ["paid 1 to Al"]
    session.decide(second, "approve")
    assert (await session.run()).kind == "finished"
    assert ledger.what == ["paid 1 to Al", "paid 2 to Bo"]
    assert len(session.of("llm_request")) == 2
    await _verified(session)


def _kinds(events: list[Event]) -> list[str]:
    return [event.event_type for event in events]


async def test_law_4_the_intent_is_durable_before_the_tool_runs() -> None:
    ledger = Ledger()
    seen: list[list[str]] = []
    holder: list[Session] = []

    @tool(effectful=True)
    async def ship() -> str:
        """Ship."""
        seen.append(holder[0].types())
        return "shipped"

    spec = AgentSpec(slug="desk", tools=(ship,))
    session = Session(spec, RuleModel(by_turn(calls(("ship", {})), says("Done.")))).start("Go.")
    holder.append(session)
    await session.run()
    assert seen[0][-1] == "tool_call"
    assert ledger.twice() == []


async def test_r26_a_yes_in_one_session_is_none_in_another_with_the_same_call_ids() -> None:
    ledgers = Ledger(), Ledger()
    first, second = (_desk(ledger, calls(PAY), says("Done.")) for ledger in ledgers)
    await first.run()
    await second.run()
    ids = [session.questions()[0].payload["address"] for session in (first, second)]
    assert ids[0] == ids[1]
    first.decide(first.questions()[0], "approve")
    assert (await first.run()).kind == "finished"
    assert (await second.run()).kind == "interrupted"
    assert [ledger.what for ledger in ledgers] == [["paid 5 to Bo"], []]
