"""Agents that a tool's function runs below its call (``ctx.run_child``)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents_app.engine import AgentSpec, ToolContext, tool
from agents_app.engine.spec import from_definition
from agents_app.services.defined import tools_in
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import branch, verify
from tests.unit.agents_engine.scenarios import Ledger, ask_age, by_agent, by_turn, pay

if TYPE_CHECKING:
    from agents_app.engine import Tool

CLERK = AgentSpec(slug="clerk", instructions="Clerk of it.", tools=(ask_age(Ledger()),))
RULE = {
    "desk": by_turn(calls(("survey", {})), says("Done.")),
    "clerk": by_turn(calls(("ask_age", {"name": "Di"})), says("Di is 30.")),
}


def _session(*tools: Tool, **rules: Any) -> Session:
    desk = AgentSpec(slug="desk", instructions="Desk of it.", tools=tools)
    return Session(desk, RuleModel(by_agent(**{**RULE, **rules}))).start("Go.")


def _survey(**options: Any) -> Tool:
    @tool(agents=[CLERK], **options)
    async def survey(ctx: ToolContext) -> str:
        """Ask the clerk."""
        found = await ctx.run_child(CLERK, "How old?", info={"why": "a survey"}, state=[1])
        return f"{found.kind}: {found.text} {ctx.state}"

    return survey


async def _holds(session: Session, *, complete: bool = True) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict
    assert verdict.derivation.complete is complete


async def test_s2_23_e56_e17_a_question_below_a_function_names_it_and_what_it_says() -> None:
    """One root cause; the chain leads from the child to the call with its info, to the agent."""
    session = _session(_survey())
    outcome = await session.run()
    [question] = session.questions()
    assert [point["id"] for point in outcome.points] == [question.payload["id"]]
    call = "agent:desk;tool:survey:c4.0"
    assert question.payload["address"] == f"{call};agent:clerk;tool:ask_age:c8.0"
    assert question.payload["parents"] == [
        {"address": f"{call};agent:clerk", "info": None},
        {"address": call, "info": {"why": "a survey"}},
        {"address": "agent:desk", "info": None},
    ]
    await _holds(session, complete=False)
    session.decide(question, "respond", value="30")
    assert (await session.run()).answer == "Done."
    result = next(e for e in session.of("tool_result") if e.payload["tool"] == "survey")
    assert result.payload["message"]["content"] == "finished: Di is 30. [1]"
    assert len(session.of("child_start")) == 1
    await _holds(session)


async def test_a_plain_function_waits_for_an_agent_in_its_thread() -> None:
    @tool(agents=[CLERK])
    def survey(ctx: ToolContext) -> str:
        """Ask the clerk twice."""
        return " ".join(ctx.run_child_blocking(CLERK, "How old?").text for _ in range(2))

    session = _session(survey)
    for _ in range(2):
        assert (await session.run()).kind == "interrupted"
        session.decide_all("respond", value="30")
    assert (await session.run()).kind == "finished"
    ends = [e.scope for e in session.of("child_end")]
    assert ends == [f"agent:desk/0;tool:survey:c4.0;agent:{name}" for name in ("clerk", "clerk#2")]
    await _holds(session)


async def test_an_agent_that_was_not_declared_is_an_error_that_says_where() -> None:
    @tool
    async def survey(ctx: ToolContext) -> str:
        """Ask an agent that nobody knows."""
        return (await ctx.run_child(CLERK, "How old?")).text

    session = _session(survey)
    assert (await session.run()).answer == "Done."
    said = session.of("tool_result")[0].payload["message"]["content"]
    assert "declare the agent 'clerk' where the tool is: @tool(agents=[…])" in said


async def test_k35_the_time_of_the_call_stands_still_while_an_agent_runs() -> None:
    class Slow(RuleModel):
        async def respond(self, request: Any, on_delta: Any) -> Any:
            if request.messages[0].content.startswith("Clerk"):
                await asyncio.sleep(1)
            return await super().respond(request, on_delta)

    session = _session(_survey(timeout=0.7))
    session.model = Slow(by_agent(**{**RULE, "clerk": lambda _: says("30.")}))
    assert (await session.run()).kind == "finished"
    assert session.of("tool_result")[0].payload["success"]


async def test_r6_a_function_that_swallows_everything_loses_no_pause() -> None:
    @tool(agents=[CLERK])
    async def survey(ctx: ToolContext) -> str:
        """Swallow."""
        try:
            return (await ctx.run_child(CLERK, "How old?")).text
        except BaseException:
            return "swallowed"

    session = _session(survey)
    assert (await session.run()).kind == "interrupted"
    session.decide_all("respond", value="30")
    assert (await session.run()).kind == "finished"
    results = [e.payload["message"]["content"] for e in session.of("tool_result")]
    assert results == ["Di is 30", "Di is 30."]
    await _holds(session)


async def test_a_cancel_ends_agent_call_and_run() -> None:
    session = _session(_survey())
    await session.run()
    session.cancel()
    assert (await session.run()).kind == "cancelled"
    assert session.of("child_end")[0].payload["outcome"] == "cancelled"
    assert len(session.of("tool_result")) == 2
    await _holds(session)


async def test_a_pause_below_a_call_suspends_it_and_it_goes_on() -> None:
    """At every commit: nothing is asked twice and the log verifies."""
    calm = _session(_survey())
    await _played(calm)
    for at in range(1, calm.commits + 1):
        session = _session(_survey())
        session.before_commit = lambda s, n, _e, at=at: s.pause() if n == at else None
        await _played(session)
        assert session.of("session_end")[0].payload["outcome"] == "finished"
        assert len(session.of("child_start")) == 1, at
        await _holds(session)


async def test_a_steer_at_any_moment_is_heard_and_the_log_verifies() -> None:
    calm = _session(_survey())
    await _played(calm)
    for at in range(1, calm.commits + 1):
        session = _session(_survey())
        session.before_commit = lambda s, n, _e, at=at: s.steer("By the way.") if n == at else None
        await _played(session)
        await _holds(session)


async def _played(session: Session) -> None:
    while (outcome := await session.finish()).kind in ("interrupted", "paused"):
        if outcome.kind == "paused":
            session.unpause()
        session.decide_all("respond", value="30")


async def test_what_an_agent_was_asked_stands_whatever_the_function_says_later() -> None:
    said: list[str] = []

    @tool(agents=[CLERK])
    async def survey(ctx: ToolContext) -> str:
        """Ask differently each time."""
        said.append(f"How old? ({len(said)})")
        return (await ctx.run_child(CLERK, said[-1])).text

    session = _session(survey)
    await _played(session)
    assert len(said) == 2
    assert session.of("child_start")[0].payload["message"]["content"] == "How old? (0)"
    await _holds(session)


async def test_law_5_an_effectful_function_acts_once_though_it_is_entered_again() -> None:
    ledger = Ledger()

    @tool(effectful=True, agents=[CLERK])
    async def survey(ctx: ToolContext) -> str:
        """Ask and note."""
        found = await ctx.run_child(CLERK, "How old?")
        ledger.note(ctx.key, found.text)
        return found.text

    parent = _session(survey)
    await _played(parent)
    assert ledger.what == ["Di is 30."]
    below = next(e.seq for e in parent.events if ";agent:clerk/1" in (e.scope or ""))
    for policy, done in (("recorded", 1), ("stub", 1), ("live", 2)):
        effects = {"survey": policy, "ask_age": "recorded"}
        child = branch(parent, below, effects=effects, session_id=f"sess_{policy}")
        await _played(child)
        assert child.of("session_end")[0].payload["outcome"] == "finished"
        assert len(ledger.done) == done, policy
        await _holds(child)
    assert ledger.done[1][0] == "sess_live:5"
    assert ledger.twice() == []


def test_a_definition_keeps_the_agents_of_a_function_with_their_tools() -> None:
    ledger = Ledger()
    judge = AgentSpec(slug="judge", tools=(pay(ledger, approval=True),))

    @tool(agents=[CLERK, judge])
    async def survey(ctx: ToolContext) -> str:
        """Ask."""
        return ""

    spec = AgentSpec(slug="desk", tools=(survey,))
    again = from_definition(spec.definition(), {"survey": survey})
    assert again.definition() == spec.definition()
    assert [each["name"] for each in tools_in(spec.definition())] == ["survey", "ask_age", "pay"]


async def test_s3_28_a_tool_tells_what_it_does_and_tells_nothing_twice() -> None:
    @tool
    async def watch(ctx: ToolContext) -> str:
        """Tell, ask, tell."""
        ctx.emit("watch.begun", {"at": ctx.now().isoformat()})
        answer = ctx.interrupt("Go on?")
        ctx.emit("watch.answered", answer)
        return str(ctx.emitted("watch.begun"))

    @tool(name="survey")
    def in_thread(ctx: ToolContext) -> str:
        """Tell from a thread."""
        ctx.emit("thread", 1)
        return ""

    turn = calls(("watch", {}), ("survey", {}))
    session = _session(watch, in_thread, desk=by_turn(turn, says("Done.")))
    await session.run()
    session.decide_all("respond", value="yes")
    assert (await session.run()).kind == "finished"
    told = [(e.payload["kind"], e.payload["request"]) for e in session.of("effect")]
    begun = {"at": "2026-11-30T10:00:00+00:00"}
    assert sorted(told, key=str) == [
        ("thread", 1),
        ("watch.answered", "yes"),
        ("watch.begun", begun),
    ]
    [result] = [e for e in session.of("tool_result") if e.payload["tool"] == "watch"]
    assert result.payload["message"]["content"] == str([begun])
    await _holds(session)


async def test_a_kind_that_is_no_name_is_refused() -> None:
    @tool
    async def survey(ctx: ToolContext) -> str:
        """Tell badly."""
        ctx.emit("No Name")
        return ""

    session = _session(survey)
    await session.run()
    assert "kind 'No Name'" in session.of("tool_result")[0].payload["message"]["content"]
