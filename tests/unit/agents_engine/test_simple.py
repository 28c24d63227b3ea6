"""The plain conversation: one call of the model a run, whatever the agent could do."""

from __future__ import annotations

from agents_app.engine import AgentSpec
from agents_app.testing import RuleModel, Session, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, look_up


async def test_s1_32_h07_a_simple_agent_asks_the_model_once_and_offers_no_tool() -> None:
    spec = AgentSpec(slug="chat", strategy="simple", tools=(look_up(Ledger()),))
    model = RuleModel(lambda _: says("Good day."))
    session = Session(spec, model).start("Hello.")
    outcome = await session.run()
    assert (outcome.kind, outcome.answer) == ("finished", "Good day.")
    (request,) = model.requests
    assert not request.tools
    assert len(session.of("llm_request")) == len(session.of("step_end")) == 1
    assert (await verify(session)).ok


async def test_s1_32_a_second_question_sees_the_first_and_takes_one_call_too() -> None:
    model = RuleModel(lambda _: says("Good day."))
    session = Session(AgentSpec(slug="chat", strategy="simple"), model).start("Hello.")
    await session.run()
    session.say("And again.")
    await session.run()
    assert [message.content for message in model.requests[1].messages][-3:] == [
        "Hello.",
        "Good day.",
        "And again.",
    ]
    assert len(model.requests) == 2
