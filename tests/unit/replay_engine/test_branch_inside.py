"""A fork inside the call of an agent: it is entered again, and its siblings keep their results."""

from __future__ import annotations

from agents_app.engine import AgentSpec, ToolContext, agent_tool, tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import branch
from tests.unit.agents_engine.scenarios import (
    SCENARIOS,
    Ledger,
    ask_age,
    begin,
    by_agent,
    by_turn,
    look_up,
    play,
)
from tests.unit.replay_engine.parents import holds

NESTED = next(scenario for scenario in SCENARIOS if scenario.name == "nested")


def _looked_up(session: Session) -> int:
    """The result of the clerk's look-up, two agents below the root."""
    return next(
        event.seq
        for event in session.of("tool_result")
        if (event.scope or "").count("agent:") == 3 and event.payload["tool"] == "look_up"
    )


async def test_an_edit_two_agents_down_reaches_the_model_of_that_agent() -> None:
    ledger = Ledger()
    parent = begin(NESTED, ledger)
    await play(NESTED, parent)
    at = _looked_up(parent)
    before = len(parent.model.requests)  # type: ignore[attr-defined]
    child = branch(
        parent,
        at,
        replace={"message": {"content": "c is gone"}},
        effects={"pay": "recorded", "ask_age": "recorded"},
        session_id="sess_inside",
    )
    await play(NESTED, child)
    asked = parent.model.requests[before:]  # type: ignore[attr-defined]
    assert any("c is gone" in message.content for request in asked for message in request.messages)
    assert ledger.twice() == []
    await holds(child)


async def test_k67_a_child_that_ended_after_the_fork_is_answered_by_its_recorded_end() -> None:
    """Two agents side by side, the run cancelled: a fork in the one waits for no second other."""
    ledger = Ledger()
    quick = AgentSpec(slug="quick", instructions="Quick.", tools=(look_up(ledger),))
    slow = AgentSpec(slug="slow", instructions="Slow.", tools=(ask_age(ledger),))
    rule = by_agent(
        desk=by_turn(calls(("ask_quick", {"task": "a"}), ("ask_slow", {"task": "b"})), says("Ok.")),
        **{
            "quick.": by_turn(calls(("look_up", {"key": "a"})), says("Quick is done.")),
            "slow.": by_turn(calls(("ask_age", {"name": "Di"})), says("Slow is done.")),
        },
    )
    spec = AgentSpec(
        slug="desk", instructions="Desk of the house.", tools=(agent_tool(quick), agent_tool(slow))
    )
    parent = Session(spec, RuleModel(rule)).start("Go.")
    assert (await parent.run()).kind == "interrupted"
    parent.cancel()
    assert (await parent.run()).kind == "cancelled"
    at = next(e.seq for e in parent.of("llm_request") if "agent:slow" in str(e.scope))
    ended = next(e.seq for e in parent.of("child_end") if "agent:quick" in str(e.scope))
    assert at < ended
    before = len(parent.model.requests)  # type: ignore[attr-defined]
    child = branch(parent, at, session_id="sess_k67")
    assert (await child.run()).kind == "interrupted"
    child.decide(child.questions()[0], "respond", value="30")
    outcome = await child.run()
    assert outcome.answer == "Ok."
    asked = parent.model.requests[before:]  # type: ignore[attr-defined]
    assert not [r for r in asked if r.messages[0].content.startswith("Quick")]
    assert any("Quick is done." in m.content for r in asked for m in r.messages)
    await holds(child)


async def test_g6_a_tool_that_a_branch_enters_from_within_has_a_key_of_the_branch() -> None:
    """The fork lies in the agent below it: what it then does is not what the parent has done."""
    keys: list[str] = []
    clerk = AgentSpec(slug="clerk", instructions="Clerk.", tools=(look_up(Ledger()),))

    @tool(effectful=True, agents=[clerk])
    async def settle(ctx: ToolContext) -> str:
        """Have it looked up, then pay."""
        found = await ctx.run_child(clerk, "Look.")
        keys.append(ctx.key)
        return f"settled: {found.text}"

    rule = by_agent(
        desk=by_turn(calls(("settle", {})), says("Ok.")),
        **{"clerk.": by_turn(calls(("look_up", {"key": "a"})), says("It is there."))},
    )
    spec = AgentSpec(slug="desk", instructions="Desk of the house.", tools=(settle,))
    parent = Session(spec, RuleModel(rule)).start("Go.")
    assert (await parent.run()).answer == "Ok."
    intent = next(e for e in parent.of("tool_call") if e.payload["tool"] == "settle")
    at = next(e.seq for e in parent.of("tool_result") if e.payload["tool"] == "look_up")
    for name in ("sess_one", "sess_two"):
        child = branch(
            parent, at, replace={"message": {"content": "a is gone"}}, effects={"settle": "live"},
            session_id=name,
        )  # fmt: skip
        assert (await child.run()).answer == "Ok."
        await holds(child)
    assert keys == [f"{each}:{intent.seq}" for each in (parent.id, "sess_one", "sess_two")]
