"""All paradigms: the same ``run``, the same kind of model, only another loop body (H-06 … H-12)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentLoop, AgentSpec, Finish, Limits, Message, agent_tool, tool
from agents_app.engine.parts import Parts
from agents_app.testing import RuleModel, ScriptedModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, by_agent, by_turn, look_up, pay

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest

QUESTION = "Is the door there?"


def in_order(*texts: str | Message) -> Any:
    """Answers in their order, whatever is asked; the last one repeats."""
    turns = [text if isinstance(text, Message) else says(text) for text in texts]
    asked: list[ModelRequest] = []

    def rule(request: ModelRequest) -> Message:
        asked.append(request)
        return turns[min(len(asked), len(turns)) - 1]

    return rule


async def run(strategy: str, rule: Any, *, tools: Any = (), **spec: Any) -> tuple[Session, Any]:
    agent = AgentSpec(
        slug="desk", instructions="Desk of the house.", strategy=strategy, tools=tools, **spec
    )
    session = Session(agent, RuleModel(rule)).start(QUESTION)
    outcome = await session.run()
    verdict = await verify(session)
    assert verdict.ok, verdict
    return session, outcome


def requests(session: Session) -> list[ModelRequest]:
    return session.model.requests  # type: ignore[attr-defined, no-any-return]


PARADIGMS = [
    ("simple", ["It is."], 1, 0),
    ("function-calling", [calls(("look_up", {"key": "door"})), "It is."], 2, 1),
    ("react", ["Thought: look\nAction: look_up[door]", "Action: Finish[It is.]"], 2, 1),
    ("chain-of-thought", ["A door is a thing.\nAnswer: It is."], 1, 0),
    ("reflection", ["It may be.", "Be sure.", "It is.", "No need for improvement."], 4, 0),
    ("plan-and-solve", ['["look", "say"]', "I see a door.", "It is."], 3, 0),
    (
        "plan-execute-replan",
        [
            '["look"]',
            calls(("look_up", {"key": "door"})),
            "There is one.",
            '{"answer": "It is."}',
        ],
        4,
        1,
    ),
]


@pytest.mark.parametrize(
    ("strategy", "turns", "asked", "ran"), PARADIGMS, ids=[each[0] for each in PARADIGMS]
)
async def test_h06_every_paradigm_answers_by_the_same_run(
    strategy: str, turns: list[Any], asked: int, ran: int
) -> None:
    """H-07, H-08, H-10, H-11: the expected number of model and tool calls; each log verifies."""
    session, outcome = await run(strategy, in_order(*turns), tools=(look_up(Ledger()),))
    assert (outcome.kind, outcome.answer) == ("finished", "It is.")
    assert (len(requests(session)), len(session.of("tool_call"))) == (asked, ran)


async def test_h09_the_limit_of_react_is_no_unreadable_reply() -> None:
    endless = in_order("Thought: again\nAction: look_up[x]")
    _, limited = await run("react", endless, tools=(look_up(Ledger()),), limits=Limits(max_steps=3))
    assert limited.kind == "limit"
    _, unreadable = await run("react", in_order("Thought: hm"), options={"repairs": 1})
    assert (unreadable.kind, unreadable.code) == ("failed", "unreadable_reply")


async def test_an_unreadable_reply_is_answered_with_how_to_write_one() -> None:
    session, outcome = await run("react", in_order("", "Thought: hm", "Action: Finish[42]"))
    assert outcome.answer == "42"
    assert "could not be read" in requests(session)[1].messages[-1].content


async def test_react_does_not_read_what_it_invented_behind_its_first_action() -> None:
    first = "Thought: a\nAction: look_up[a]\nObservation: I made this up\nAction: Finish[wrong]"
    session, outcome = await run(
        "react", in_order(first, "Action: Finish[right]"), tools=(look_up(Ledger()),)
    )
    assert outcome.answer == "right"
    seen = "\n".join(message.content for message in requests(session)[1].messages)
    assert "made this up" not in seen
    assert "Observation: a is there" in seen


async def test_h10_reflection_asks_at_most_twice_a_round_and_once() -> None:
    never = in_order("Draft.", "Worse than you think.")
    session, outcome = await run("reflection", never, options={"rounds": 2})
    assert outcome.kind == "finished"
    assert len(requests(session)) == 5


async def test_h11_a_plan_is_repaired_once_and_then_fails_with_a_word_for_it() -> None:
    session, outcome = await run("plan-and-solve", in_order("Hm.", '["one"]', "Done."))
    assert outcome.answer == "Done."
    assert [event.payload["steps"] for event in session.of("plan")] == [["one"]]
    session, outcome = await run("plan-and-solve", in_order("Hm."))
    assert (outcome.kind, outcome.code) == ("failed", "no_plan")
    assert len(requests(session)) == 2


async def test_e11_replanning_shortens_the_plan_until_it_is_done() -> None:
    rule = in_order(
        '["a", "b", "c"]', "A done.", '{"steps": ["c"]}', "C done.", '{"answer": "All."}'
    )
    session, outcome = await run("plan-execute-replan", rule)
    assert outcome.answer == "All."
    slugs = [event.payload["agent"]["slug"] for event in session.of("child_start")]
    assert slugs == ["planner", "executor", "replanner", "executor", "replanner"]
    assert [event.payload["steps"] for event in session.of("plan")] == [["a", "b", "c"], ["c"]]
    assert "A done." in requests(session)[3].messages[-1].content


async def test_a_planner_may_answer_by_a_tool_call() -> None:
    rule = in_order(
        calls(("submit_plan", {"steps": ["a"]})), "A done.", calls(("respond", {"answer": "All."}))
    )
    session, outcome = await run("plan-execute-replan", rule, options={"by": "tool"})
    assert outcome.answer == "All."
    assert len(requests(session)) == 3


async def test_e13_an_approval_in_the_middle_of_a_plan_pauses_the_whole_with_its_address() -> None:
    ledger = Ledger()
    rule = by_agent(desk=in_order('["pay"]', calls(("pay", {"to": "Bo", "amount": 5})), "Paid.",
                                  '{"answer": "Bo is paid."}'))  # fmt: skip
    session, outcome = await run("plan-execute-replan", rule, tools=(pay(ledger, approval=True),))
    assert outcome.kind == "interrupted"
    (question,) = session.questions()
    assert question.payload["address"].startswith("agent:desk;agent:executor;tool:pay:c")
    assert [parent["address"] for parent in question.payload["parents"]] == [
        "agent:desk;agent:executor",
        "agent:desk",
    ]
    session.decide(question, "approve")
    assert (await session.run()).answer == "Bo is paid."
    assert ledger.what == ["paid 5 to Bo"]
    assert (await verify(session)).ok


async def test_h12_a_model_without_calls_chooses_a_tool_by_json() -> None:
    turns = [
        'Sure: {"tool": "look_up", "arguments": {"key": "door"}}',
        "no idea",
        '{"answer": "It is."}',
    ]
    session, outcome = await run(
        "function-calling",
        in_order(*turns),
        tools=(look_up(Ledger()),),
        options={"by": "json_schema"},
    )
    assert outcome.answer == "It is."
    request = requests(session)[0]
    assert request.tools == ()
    form = request.params["response_format"]["json_schema"]["schema"]
    assert form["anyOf"][0]["properties"]["tool"] == {"const": "look_up"}
    assert len(session.of("tool_call")) == 1


async def test_h12_a_run_may_have_to_begin_with_a_tool() -> None:
    """By calls it is required to; by choice an answer is neither offered nor taken before."""
    turns = [
        '{"answer": "Surely."}',
        '{"tool": "look_up", "arguments": {"key": "door"}}',
        '{"answer": "It is."}',
    ]
    by_choice = {"by": "json_schema", "look_first": True}
    tools = (look_up(Ledger()),)
    session, outcome = await run(
        "function-calling", in_order(*turns), tools=tools, options=by_choice
    )
    assert outcome.answer == "It is."
    forms = [
        each.params["response_format"]["json_schema"]["schema"]["anyOf"]
        for each in requests(session)
    ]
    assert [len(form) for form in forms] == [1, 1, 2]
    session, outcome = await run(
        "function-calling",
        in_order(calls(("look_up", {"key": "door"})), "It is."),
        tools=tools,
        options={"look_first": True},
    )
    assert outcome.answer == "It is."
    assert [each.params for each in requests(session)] == [{"tool_choice": "required"}, {}]


def _crew() -> tuple[Any, ...]:
    names = ("writer", "critic")
    return tuple(
        agent_tool(
            AgentSpec(slug=name, instructions=f"{name.title()} of texts.", strategy="simple")
        )
        for name in names
    )


CREW = by_agent(writer=by_turn(says("A text.")), critic=by_turn(says("Good. DONE")))


@pytest.mark.parametrize(
    ("strategy", "answer", "children"),
    [
        ("sequence", "Good. DONE", 2),
        ("parallel", "## writer\nA text.\n\n## critic\nGood. DONE", 2),
        ("loop", "Good.", 2),
    ],
)
async def test_workflows_of_agents(strategy: str, answer: str, children: int) -> None:
    session, outcome = await run(strategy, CREW, tools=_crew())
    assert (outcome.kind, outcome.answer) == ("finished", answer)
    assert len(session.of("child_start")) == children
    assert session.of("llm_request")[0].scope.count("agent:") == 2


async def test_a_loop_of_agents_ends_at_its_limit() -> None:
    rule = by_agent(writer=by_turn(says("A text.")), critic=by_turn(says("Not yet.")))
    session, outcome = await run("loop", rule, tools=_crew(), limits=Limits(max_steps=2))
    assert outcome.kind == "limit"
    assert len(session.of("child_end")) == 4


async def test_a_workflow_without_agents_says_so() -> None:
    _, outcome = await run("sequence", in_order("x"))
    assert (outcome.kind, outcome.code) == ("failed", "empty")


async def test_a_second_run_knows_the_first_in_every_paradigm() -> None:
    """S1's loops forgot: ReAct, Reflection and Plan-and-Solve ignored their history."""
    for strategy, turns, *_ in PARADIGMS[:6]:
        session, _ = await run(strategy, in_order(*turns), tools=(look_up(Ledger()),))
        before = len(requests(session))
        session.say("And again?")
        await session.run()
        seen = json.dumps([m.content for m in requests(session)[before].messages])
        assert "It is." in seen, strategy


WRITTEN = [
    ("react", {}, "Thought: go\nAction: note[{arguments}]", "Final Answer: Noted."),
    (
        "function-calling",
        {"by": "json_schema"},
        '{{"tool": "note", "arguments": {arguments}}}',
        '{{"answer": "Noted."}}',
    ),
]


@pytest.mark.parametrize(("strategy", "options", "first", "last"), WRITTEN)
@pytest.mark.parametrize(
    ("value", "noted"), [(r'"\ud800"', "\ufffd"), ("NaN", "NaN"), ("1e999", "Infinity")]
)
async def test_what_json_can_spell_and_no_log_holds_ends_no_run(
    strategy: str, options: dict[str, Any], first: str, last: str, value: str, noted: str
) -> None:
    got: list[Any] = []

    @tool
    def note(what: str) -> str:
        """Note it."""
        got.append(what)
        return "noted"

    turns = (first.format(arguments=f'{{"what": {value}}}'), last.format())
    _, outcome = await run(strategy, in_order(*turns), tools=(note,), options=options)
    assert (outcome.kind, outcome.answer, got) == ("finished", "Noted.", [noted])


async def test_a_plan_with_half_a_character_is_shown_as_it_is_kept() -> None:
    session, outcome = await run("plan-and-solve", in_order(r'["a \ud800"]', "Done."))
    assert outcome.answer == "Done."
    assert session.of("plan")[0].payload["steps"] == ["a \ufffd"]


LONG = "x" * 70_000


async def _asked_at_length(strategy: str, rule: Any, **spec: Any) -> tuple[Session, Any]:
    agent = AgentSpec(slug="desk", strategy=strategy, **spec)
    session = Session(agent, RuleModel(rule)).start(LONG)
    outcome = await session.run()
    verdict = await verify(session)
    assert verdict.ok, verdict
    return session, outcome


async def test_reflection_reads_a_long_task_where_it_stands() -> None:
    rule = in_order("Draft.", "Be sure.", "It is.", "No need for improvement.")
    session, outcome = await _asked_at_length("reflection", rule)
    assert (outcome.kind, outcome.answer) == ("finished", "It is.")
    assert all(LONG in str(each.messages) for each in requests(session))


@pytest.mark.parametrize("strategy", ["sequence", "parallel", "loop"])
async def test_workflows_hand_long_texts_on(strategy: str) -> None:
    answer = "y" * 70_000
    rule = by_agent(writer=in_order(answer, answer), critic=in_order("Not yet.", answer + "DONE"))
    session, outcome = await _asked_at_length(strategy, rule, tools=_crew())
    assert outcome.kind == "finished"
    assert LONG in requests(session)[0].messages[-1].content
    handed = requests(session)[1].messages[-1].content
    assert (LONG if strategy == "parallel" else answer) in handed


async def test_a_loop_goes_on_from_a_long_answer() -> None:
    answer = "y" * 70_000
    rule = by_agent(writer=in_order("Text."), critic=in_order(answer, "Good. DONE"))
    session, outcome = await _asked_at_length("loop", rule, tools=_crew())
    assert outcome.answer == "Good."
    assert requests(session)[2].messages[-1].content == answer


@pytest.mark.parametrize("strategy", ["plan-and-solve", "plan-execute-replan"])
async def test_a_plan_that_no_state_can_hold_says_so(strategy: str) -> None:
    _, outcome = await run(strategy, in_order(json.dumps(["s" * 4000] * 19)))
    assert (outcome.kind, outcome.code) == ("failed", "plan_too_long")


class Nameless:
    """A loop body of somebody who read what a strategy has, and gave it no name."""

    def start(self, task: str, history: Any) -> dict[str, Any]:
        return {}

    async def step(self, state: dict[str, Any], ctx: Any) -> Any:
        reply = await ctx.model()
        return Finish(reply.content, state) if reply.content else None


async def test_a_strategy_without_a_name_is_called_as_its_agent_calls_it() -> None:
    parts = Parts({"mine": Nameless}, {})
    agent = AgentSpec(slug="desk", strategy="mine")
    session = Session(agent, RuleModel(in_order("Yes.")), parts=parts).start(QUESTION)
    assert (await session.run()).answer == "Yes."
    assert (await verify(session)).ok
    broken = Session(agent, RuleModel(in_order("")), parts=parts).start(QUESTION)
    await broken.run()
    said = broken.of("session_end")[0].payload["error"]["message"]
    assert said.startswith("mine: TypeError: a step gives")
    alone = AgentLoop(llm=ScriptedModel([says("Yes.")]), strategy=Nameless())  # type: ignore[arg-type]
    assert await alone.run(QUESTION) == "Yes."
