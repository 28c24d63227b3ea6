"""Plan, execute, replan: both forms of the planner, the executor, limits, agents in a ring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Limits, Message, ToolCall, agent_tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, ask_age, by_agent, by_turn, look_up

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest

PLAN = '{"steps": ["Step 1", "Step 2", "Step 3"]}'


def in_order(*turns: Message | str) -> Any:
    """Answers in their order; the last one repeats."""
    said = [says(turn) if isinstance(turn, str) else turn for turn in turns]
    asked: list[ModelRequest] = []

    def rule(request: ModelRequest) -> Message:
        asked.append(request)
        return said[min(len(asked), len(said)) - 1]

    return rule


async def planned(*turns: Message | str, **spec: Any) -> tuple[Session, Any]:
    agent = AgentSpec(slug="desk", strategy="plan-execute-replan", **spec)
    session = Session(agent, RuleModel(in_order(*turns))).start("Open the shop.")
    outcome = await session.run()
    assert (await verify(session)).ok
    return session, outcome


def prompts(session: Session, slug: str) -> list[ModelRequest]:
    asked = [event.scope or "" for event in session.of("llm_request")]
    requests = session.model.requests  # type: ignore[attr-defined]
    return [r for scope, r in zip(asked, requests, strict=True) if f";agent:{slug}" in scope]


async def test_e01_e03_a_planner_by_formatted_output_is_offered_no_tools() -> None:
    session, outcome = await planned(
        PLAN, "Done.", '{"answer": "Open."}', tools=(look_up(Ledger()),)
    )
    assert outcome.answer == "Open."
    (asked,) = prompts(session, "planner")
    assert asked.tools == ()
    assert session.of("plan")[0].payload["steps"] == ["Step 1", "Step 2", "Step 3"]


@pytest.mark.parametrize("by", ["text", "tool"])
async def test_e05_a_planner_without_a_plan_ends_with_a_named_error_and_leaves_none(
    by: str,
) -> None:
    session, outcome = await planned("I would rather not", options={"by": by})
    assert (outcome.kind, outcome.code) == ("failed", "no_plan")
    assert session.of("plan") == []
    session, outcome = await planned('{"steps": ["Step 1", ', options={"by": by})
    assert (outcome.kind, outcome.code) == ("failed", "no_plan")
    assert session.of("plan") == []


async def test_e02_a_planner_by_tool_call_is_offered_that_tool_once_and_no_other() -> None:
    session, outcome = await planned(
        calls(("submit_plan", {"steps": ["Step 1"]})), "Done.",
        calls(("respond", {"answer": "Open."})),
        tools=(look_up(Ledger()),), options={"by": "tool"},
    )  # fmt: skip
    assert outcome.answer == "Open."
    offered = {
        slug: [tool["function"]["name"] for each in prompts(session, slug) for tool in each.tools]
        for slug in ("planner", "executor", "replanner")
    }
    assert offered == {
        "planner": ["submit_plan"],
        "executor": ["look_up"],
        "replanner": ["submit_plan", "respond"],
    }
    assert session.of("plan")[0].payload["steps"] == ["Step 1"]


async def test_e05_a_planner_whose_call_can_not_be_read_ends_with_a_named_error_too() -> None:
    broken = Message("assistant", "", [ToolCall("p", "submit_plan", {}, raw='{"steps": ["Step 1"')])
    session, outcome = await planned(broken, options={"by": "tool"})
    assert outcome.kind == "failed"
    assert outcome.code == "no_plan"
    assert session.of("plan") == []


async def test_e06_the_executor_has_a_limit_of_its_own() -> None:
    endless = calls(("look_up", {"key": "door"}))
    session, outcome = await planned(
        '["Step 1"]', endless, endless, endless, '{"answer": "Given up."}',
        tools=(look_up(Ledger()),), options={"executor_steps": 3},
    )  # fmt: skip
    assert outcome.answer == "Given up."
    ended = [event.payload["outcome"] for event in session.of("child_end")]
    assert ended == ["finished", "limit", "finished"]
    assert len(prompts(session, "executor")) == 3
    assert "maximum steps" in prompts(session, "replanner")[0].messages[-1].content


async def test_e07_the_executor_sees_the_goal_what_is_done_and_the_first_step() -> None:
    session, _ = await planned(
        PLAN, "Shutters are up.", '{"steps": ["Step 2"]}', "Lights are on.", '{"answer": "Open."}'
    )
    first, second = (each.messages[-1].content for each in prompts(session, "executor"))
    assert "Open the shop." in first
    assert "Now do this step:\nStep 1" in first
    assert "Step 2" not in first
    assert "Shutters are up." in second
    assert "Now do this step:\nStep 2" in second


async def test_e12_rounds_have_a_limit_and_reaching_it_is_no_success() -> None:
    session, outcome = await planned(
        '["a"]', "Tried.", '{"steps": ["a"]}', "Tried.", '{"steps": ["a"]}',
        limits=Limits(max_steps=3),
    )  # fmt: skip
    assert outcome.kind == "limit"
    assert "maximum steps" in (outcome.answer or "")
    assert AgentSpec(slug="desk").limits.max_steps == 10
    assert session.of("limit")[0].payload["what"] == "max_steps"


async def test_e41_agents_that_hand_on_in_a_ring_pause_and_go_on_at_the_innermost() -> None:
    """A, B, A again, C: each under its own address, and one answer ends them all."""
    ledger = Ledger()
    clerk = AgentSpec(slug="c", instructions="C of the ring.", tools=(ask_age(ledger),))
    second = AgentSpec(
        slug="a", instructions="Again of the ring.", tools=(agent_tool(clerk, handoff=True),)
    )
    middle = AgentSpec(
        slug="b", instructions="B of the ring.", tools=(agent_tool(second, handoff=True),)
    )
    first = AgentSpec(
        slug="a", instructions="A of the ring.", tools=(agent_tool(middle, handoff=True),)
    )
    rule = by_agent(
        a=by_turn(calls(("transfer_to_b", {"task": "on"}))),
        b=by_turn(calls(("transfer_to_a", {"task": "on"}))),
        again=by_turn(calls(("transfer_to_c", {"task": "on"}))),
        c=by_turn(calls(("ask_age", {"name": "Bo"})), says("C completed")),
    )
    session = Session(first, RuleModel(rule)).start("Go round.")
    outcome = await session.run()
    assert outcome.kind == "interrupted"
    (question,) = session.questions()
    agents = [p.partition("#")[0] for p in question.payload["address"].split(";") if "agent:" in p]
    assert agents == ["agent:a", "agent:b", "agent:a", "agent:c"]
    session.decide(question, "respond", value="7")
    outcome = await session.run()
    assert (outcome.kind, outcome.answer) == ("finished", "C completed")
    assert ledger.what == ["Bo is 7"]
    assert len(session.of("child_start")) == 3
    assert (await verify(session)).ok


async def test_e42_what_an_inner_agent_does_ends_no_outer_one() -> None:
    """A hand-off inside a child answers for the child; the outer agent goes on with its turn."""
    inner = AgentSpec(slug="inner", instructions="Inner of the house.", strategy="simple")
    clerk = AgentSpec(
        slug="clerk", instructions="Clerk of the house.", tools=(agent_tool(inner, handoff=True),)
    )
    desk = AgentSpec(slug="desk", instructions="Desk of the house.", tools=(agent_tool(clerk),))
    rule = by_agent(
        desk=by_turn(calls(("ask_clerk", {"task": "on"})), says("The desk says it.")),
        clerk=by_turn(calls(("transfer_to_inner", {"task": "on"})), says("never said")),
        inner=by_turn(says("From inside.")),
    )
    session = Session(desk, RuleModel(rule)).start("Ask around.")
    outcome = await session.run()
    assert outcome.answer == "The desk says it."
    results = [event.payload["message"]["content"] for event in session.of("tool_result")]
    assert results == ["From inside.", "From inside."]
    assert (await verify(session)).ok


async def test_e62_two_agents_at_once_ask_apart_and_both_answers_are_joined() -> None:
    ledger = Ledger()
    crew = tuple(
        agent_tool(
            AgentSpec(slug=name, instructions=f"{name.title()} of it.", tools=(ask_age(ledger),))
        )
        for name in ("left", "right")
    )
    rule = by_agent(
        left=by_turn(calls(("ask_age", {"name": "Al"})), says("Al is known.")),
        right=by_turn(calls(("ask_age", {"name": "Bo"})), says("Bo is known.")),
    )
    agent = AgentSpec(slug="desk", strategy="parallel", tools=crew)
    session = Session(agent, RuleModel(rule)).start("Ask both.")
    assert (await session.run()).kind == "interrupted"
    first, second = session.questions()
    session.decide(first, "respond", value="7")
    assert (await session.run()).kind == "interrupted"
    session.decide(second, "respond", value="8")
    outcome = await session.run()
    assert outcome.answer == "## left\nAl is known.\n\n## right\nBo is known."
    assert sorted(ledger.what) == ["Al is 7", "Bo is 8"]
    assert (await verify(session)).ok
