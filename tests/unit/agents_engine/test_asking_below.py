"""Questions from streams, retries, agents below and workflows: what E-27 … E-58 restate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Limits, ModelError, ToolContext, agent_tool, tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, ask_age, by_agent, by_turn, look_up

if TYPE_CHECKING:
    from agents_app.engine import Message
    from agents_app.engine.ports import ModelRequest
    from agents_app.engine.tools import Tool

STALLED = ModelError("no data", code="stalled", permanent=False, partial="The ans")


async def holds(session: Session) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict


def asked(session: Session) -> list[str]:
    """The first word of the instructions of who was asked, in order."""
    requests = session.model.requests  # type: ignore[attr-defined]
    return [request.messages[0].content.split()[0].lower() for request in requests]


def desk(*tools: Tool, turns: tuple[Message, ...]) -> Session:
    return Session(AgentSpec(slug="desk", tools=tools), RuleModel(by_turn(*turns))).start("Go.")


async def test_e27_e76_what_streamed_before_a_question_streams_once_and_goes_on_after_it() -> None:
    ledger = Ledger()
    session = desk(
        ask_age(ledger),
        turns=(calls(("ask_age", {"name": "Di"}), text="hello world"), says("She is thirty.")),
    )
    assert (await session.run()).kind == "interrupted"
    assert session.deltas == ["hello ", "world"]
    (question,) = session.questions()
    session.decide(question, "respond", value="30")
    assert (await session.run()).answer == "She is thirty."
    assert session.deltas == ["hello ", "world", "She ", "is ", "thirty."]
    await holds(session)


async def test_e29_a_second_turn_asks_as_if_for_the_first_time() -> None:
    """The state and the answers of a call are that call's: none is left for the next one."""
    entered: list[tuple[str, bool, Any]] = []

    def counting(name: str) -> Tool:
        @tool(effectful=True, name=name)
        async def count(ctx: ToolContext) -> str:
            """Count."""
            entered.append((name, ctx.was_interrupted, ctx.state))
            return f"{name}: {ctx.interrupt(f'{name}?', state={'n': 1})}"

        return count

    turn = calls(("a", {}), ("b", {}))
    session = desk(counting("a"), counting("b"), turns=(turn, turn, says("Done.")))
    outcome = await session.run()
    for value in (1, 2):
        assert [point["info"] for point in outcome.points] == ["a?", "b?"]
        first, second = session.questions()
        session.decide(first, "respond", value=value)
        outcome = await session.run()
        assert [point["id"] for point in outcome.points] == [second.payload["id"]]
        session.decide(second, "respond", value=value)
        outcome = await session.run()
    fresh, again = (False, None), (True, {"n": 1})
    assert entered == [("a", *fresh), ("b", *fresh), ("a", *again), ("b", *again)] * 2
    ids = [question.payload["id"] for question in session.of("interrupt")]
    assert len(set(ids)) == len(ids) == 4
    said = [event.payload["message"]["content"] for event in session.of("tool_result")]
    assert said == ["a: 1", "b: 1", "a: 2", "b: 2"]
    await holds(session)


async def test_e31_a_stream_that_broke_off_is_no_hindrance_to_the_question_behind_it() -> None:
    ledger = Ledger()
    turn = by_turn(calls(("ask_age", {"name": "Di"})), says("Done."))
    errors = [STALLED]

    def rule(request: ModelRequest) -> Message | Exception:
        return errors.pop() if errors else turn(request)

    session = Session(AgentSpec(slug="desk", tools=(ask_age(ledger),)), RuleModel(rule))
    assert (await session.start("Go.").run()).kind == "interrupted"
    assert len(session.model.requests) == 2  # type: ignore[attr-defined]
    assert [event.payload["partial"] for event in session.of("llm_error")] == ["The ans"]
    (question,) = session.questions()
    assert question.payload["kind"] == "question"
    session.decide(question, "respond", value="30")
    assert (await session.run()).answer == "Done."
    assert ledger.what == ["Di is 30"]
    await holds(session)


async def test_e36_e37_e58_a_question_in_the_depth_is_one_and_stays_the_same_until_answered() -> (
    None
):
    ledger = Ledger()
    clerk = AgentSpec(slug="clerk", instructions="Clerk of it.", tools=(ask_age(ledger),))
    spec = AgentSpec(slug="desk", instructions="Desk of it.", tools=(agent_tool(clerk),))
    rule = by_agent(
        desk=by_turn(calls(("ask_clerk", {"task": "Ask."})), says("completed")),
        clerk=by_turn(calls(("ask_age", {"name": "Di"})), says("inner output")),
    )
    session = Session(spec, RuleModel(rule)).start("How old?")
    for _ in range(3):  # nobody answers: it asks again the same, and does nothing else
        outcome = await session.run()
        (point,) = outcome.points
        assert point["address"] == "agent:desk;tool:ask_clerk:c4.0;agent:clerk;tool:ask_age:c8.0"
        assert [question.payload["id"] for question in session.questions()] == [point["id"]]
        assert asked(session) == ["desk", "clerk"]
    assert len(session.of("interrupt")) == 1
    session.decide(session.questions()[0], "respond", value="30")
    assert (await session.run()).answer == "completed"
    assert [e.payload["message"]["content"] for e in session.of("tool_result")] == [
        "Di is 30", "inner output",
    ]  # fmt: skip
    assert asked(session) == ["desk", "clerk", "clerk", "desk"]
    await holds(session)


async def test_e40_who_handed_on_is_not_asked_again_and_the_other_finds_state_and_answer() -> None:
    entered: list[tuple[Any, Any]] = []

    @tool(effectful=True)
    async def settle(ctx: ToolContext) -> str:
        """Settle it."""
        entered.append((ctx.state, ctx.answer[1]))
        return f"settled: {ctx.interrupt('How?', state='temp state')}"

    second = AgentSpec(slug="sa2", instructions="Second of it.", tools=(settle,))
    first = AgentSpec(
        slug="sa1", instructions="First of it.", tools=(agent_tool(second, handoff=True),)
    )
    rule = by_agent(
        first=by_turn(calls(("transfer_to_sa2", {"task": "on"}))),
        second=by_turn(calls(("settle", {})), says("sa2 is done")),
    )
    session = Session(first, RuleModel(rule)).start("Go.")
    assert (await session.run()).kind == "interrupted"
    session.decide(session.questions()[0], "respond", value="resume data")
    assert (await session.run()).answer == "sa2 is done"
    assert entered == [(None, None), ("temp state", "resume data")]
    assert asked(session) == ["first", "second", "second"]
    await holds(session)


async def test_e40_only_a_hand_off_that_was_made_ends_the_run_of_who_made_it() -> None:
    """Another tool's result, and a hand-off that came to nothing, are read by the model."""
    other = AgentSpec(slug="other", instructions="Other of it.")
    spec = AgentSpec(
        slug="desk", instructions="Desk of it.",
        tools=(agent_tool(other, handoff=True), look_up(Ledger())),
    )  # fmt: skip
    refused = ModelError("no such key", code="auth", permanent=True)
    rule = by_agent(
        desk=by_turn(
            calls(("look_up", {"key": "door"})), calls(("transfer_to_other", {"task": "on"})),
            says("I do it myself."),
        ),
        other=lambda _: refused,
    )  # fmt: skip
    session = Session(spec, RuleModel(rule)).start("Go.")
    assert (await session.run()).answer == "I do it myself."
    assert asked(session) == ["desk", "desk", "other", "desk"]
    await holds(session)


def crew(ledger: Ledger, *names: str, asking: tuple[str, ...]) -> tuple[Tool, ...]:
    return tuple(
        agent_tool(
            AgentSpec(
                slug=name, instructions=f"{name} of it.",
                tools=(ask_age(ledger),) if name in asking else (),
            )
        )
        for name in names
    )  # fmt: skip


async def test_e44_a_sequence_asks_in_turn_and_each_agent_runs_once() -> None:
    ledger = Ledger()
    names = ("sa1", "sa2", "sa3", "sa4")
    asks = {
        name: by_turn(calls(("ask_age", {"name": name})), says(f"{name} done"))
        for name in names[:2]
    }
    plain = {name: by_turn(says(f"{name} done")) for name in names[2:]}
    spec = AgentSpec(slug="desk", strategy="sequence", tools=crew(ledger, *names, asking=names[:2]))
    session = Session(spec, RuleModel(by_agent(**asks, **plain))).start("Go.")
    for name in names[:2]:
        outcome = await session.run()
        (point,) = outcome.points
        assert point["address"].startswith(f"agent:desk;agent:{name};tool:ask_age:")
        session.decide(session.questions()[0], "respond", value="7")
    assert (await session.run()).answer == "sa4 done"
    assert ledger.what == ["sa1 is 7", "sa2 is 7"]
    assert asked(session) == ["sa1", "sa1", "sa2", "sa2", "sa3", "sa4"]
    ended = [event.payload["answer"] for event in session.of("child_end")]
    assert ended == [f"{name} done" for name in names]
    await holds(session)


async def test_e46_both_of_two_parallel_questions_are_answered_together() -> None:
    ledger = Ledger()
    names = ("sa1", "sa2", "sa3")
    rules = {
        name: by_turn(calls(("ask_age", {"name": name})), says(f"{name} done"))
        for name in names[:2]
    }
    spec = AgentSpec(slug="desk", strategy="parallel", tools=crew(ledger, *names, asking=names[:2]))
    model = RuleModel(by_agent(**rules, sa3=by_turn(says("sa3 done"))))
    session = Session(spec, model).start("Go.")
    assert len((await session.run()).points) == 2
    assert [event.payload["answer"] for event in session.of("child_end")] == ["sa3 done"]
    session.decide_all("respond", value="7")
    assert (await session.run()).kind == "finished"
    assert asked(session).count("sa3") == 1
    assert sorted(ledger.what) == ["sa1 is 7", "sa2 is 7"]
    await holds(session)


@pytest.mark.parametrize("said", ["Good. DONE", "DONE"])
async def test_e49_the_end_of_an_inner_loop_ends_no_outer_one(said: str) -> None:
    """The outer one goes round until its own last agent says so, at most twice here."""
    critic = AgentSpec(slug="critic", instructions="Critic of it.", strategy="simple")
    inner = AgentSpec(slug="inner", strategy="loop", tools=(agent_tool(critic),))
    outer = AgentSpec(
        slug="outer", strategy="loop", tools=(agent_tool(inner),), limits=Limits(max_steps=2)
    )
    session = Session(outer, RuleModel(by_agent(critic=lambda _: says(said)))).start("Go.")
    assert (await session.run()).kind == "limit"
    kinds = [event.payload["outcome"] for event in session.of("child_end")]
    assert kinds == ["finished"] * 4
    assert asked(session) == ["critic"] * 2
    await holds(session)
