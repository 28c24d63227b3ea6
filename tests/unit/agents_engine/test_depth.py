"""What lies below a pause: nothing that was answered is asked again, nothing done is done again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Limits, ModelError, agent_tool, tool
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, ask_age, by_agent, by_turn, look_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.tools import Tool
    from playhead.core.events import Event


def desk_above(*tools: Tool, asks: Any) -> Session:
    """A desk that asks its clerk, who has these tools and calls as told."""
    clerk = AgentSpec(slug="clerk", instructions="Clerk of the desk.", tools=tools)
    spec = AgentSpec(slug="desk", instructions="Desk of the house.", tools=(agent_tool(clerk),))
    rule = by_agent(
        desk=by_turn(calls(("ask_clerk", {"task": "Ask."})), says("All is known.")),
        clerk=by_turn(asks, says("Asked.")),
    )
    return Session(spec, RuleModel(rule)).start("Who is how old?")


def asked(session: Session) -> Counter[str]:
    """How often the model of each agent was asked."""
    requests = session.model.requests  # type: ignore[attr-defined]
    return Counter(request.messages[0].content.split()[0] for request in requests)


async def test_r16_a_late_question_in_a_child_leaves_the_answered_ones_answered() -> None:
    """Two questions one after the other, each answered for another process."""
    ledger = Ledger()
    session = desk_above(
        ask_age(ledger), asks=calls(("ask_age", {"name": "Di"}), ("ask_age", {"name": "Ed"}))
    )
    assert (await session.run()).kind == "interrupted"
    first, second = session.questions()
    session.decide(first, "respond", value="30")
    assert (await session.run()).kind == "interrupted"
    assert [question.seq for question in session.questions()] == [second.seq]
    assert ledger.what == ["Di is 30"]
    session.decide(second, "respond", value="40")
    assert (await session.run()).answer == "All is known."
    assert ledger.what == ["Di is 30", "Ed is 40"]
    assert len(session.of("interrupt")) == 2
    assert asked(session) == {"Desk": 2, "Clerk": 2}
    assert (await verify(session)).ok


async def test_r15_a_child_that_failed_earlier_is_no_hindrance_to_a_later_question() -> None:
    """Its error is plain data in the log: another process reads it and takes the answer."""
    ledger = Ledger()
    clerk = AgentSpec(slug="clerk", instructions="Clerk of the desk.")
    spec = AgentSpec(
        slug="desk", instructions="Desk of the house.", tools=(agent_tool(clerk), ask_age(ledger))
    )
    refused = ModelError("no such key", code="auth", permanent=True)
    rule = by_agent(
        desk=by_turn(
            calls(("ask_clerk", {"task": "Ask."})), calls(("ask_age", {"name": "Di"})),
            says("All is known."),
        ),
        clerk=lambda _: refused,
    )  # fmt: skip
    session = Session(spec, RuleModel(rule)).start("Who is how old?")
    assert (await session.run()).kind == "interrupted"
    assert session.of("child_end")[0].payload["outcome"] == "failed"
    (question,) = session.questions()
    session.decide(question, "respond", value="30")
    assert (await session.run()).answer == "All is known."
    assert ledger.what == ["Di is 30"]
    assert (await verify(session)).ok


async def test_r16_what_a_child_wrote_is_durable_before_its_parent_rests() -> None:
    session = desk_above(ask_age(Ledger()), asks=calls(("ask_age", {"name": "Di"})))
    await session.run()
    assert session.types()[-1] == "interrupt"
    assert len(session.of("child_start")) == 1
    assert not session.of("step_end")


async def test_k59_what_a_child_has_is_not_asked_of_the_model_above_it_again() -> None:
    """The process dies in the depth: the next one goes on there."""
    session = desk_above(look_up(Ledger()), asks=calls(("look_up", {"key": "a"})))

    def die(_session: Session, _number: int, events: Sequence[Event]) -> None:
        if any(
            event.event_type == "tool_call" and "agent:clerk" in str(event.scope)
            for event in events
        ):
            session.after_commit = None
            raise Crashed

    session.after_commit = die
    with pytest.raises(Crashed):
        await session.run()
    before = asked(session)
    assert before == {"Desk": 1, "Clerk": 1}
    assert (await session.resume()).answer == "All is known."
    assert asked(session) - before == {"Desk": 1, "Clerk": 1}
    assert (await verify(session)).ok


async def test_s2_16_after_a_yes_come_the_tools_text_a_completion_and_the_end() -> None:
    @tool(effectful=True, approval=True)
    async def approve_action() -> str:
        """Act."""
        return "Approved action executed"

    turns = iter(["plan", "call", "done", "end"])
    said = {
        "plan": says('["act"]'), "call": calls(("approve_action", {})),
        "done": says("It is done."), "end": says('{"answer": "All is done."}'),
    }  # fmt: skip
    spec = AgentSpec(
        slug="desk", instructions="Desk.", strategy="plan-execute-replan", tools=(approve_action,)
    )
    session = Session(spec, RuleModel(lambda _request: said[next(turns)])).start("Act.")
    assert (await session.run()).kind == "interrupted"
    seq = session.events[-1].seq
    session.decide(session.questions()[0], "approve")
    outcome = await session.run()
    after = [event for event in session.events if event.seq > seq]
    results = [e.payload["message"]["content"] for e in after if e.event_type == "tool_result"]
    completions = [
        e.payload["message"]["content"] for e in after if e.event_type == "llm_response"
    ]  # fmt: skip
    assert results == ["Approved action executed"]
    assert completions[0] == "It is done."
    assert after[-1].event_type == "session_end"
    assert outcome.answer == "All is done."
    assert (await verify(session)).ok


async def test_k15_a_call_that_is_rejected_again_and_again_ends_at_the_limit() -> None:
    """The model insists, the person does too: the questions have an end."""
    ran: list[str] = []

    @tool(effectful=True, approval=True)
    async def pay(to: str) -> str:
        """Pay."""
        ran.append(to)
        return "paid"

    spec = AgentSpec(slug="desk", tools=(pay,), limits=Limits(max_steps=3))
    session = Session(spec, RuleModel(by_turn(calls(("pay", {"to": "Bo"}))))).start("Pay.")
    outcome = await session.run()
    while outcome.kind == "interrupted":
        session.decide_all("reject")
        outcome = await session.run()
    assert outcome.kind == "limit"
    assert len(session.of("interrupt")) == 3
    assert ran == []
    assert (await verify(session)).ok
