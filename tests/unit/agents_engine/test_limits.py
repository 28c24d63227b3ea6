"""Limits of calls, tokens and money: reserved with the intent, settled with the result."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Limits, Message, agent_tool, current, tool
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import branch, verify
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest

LOOK = calls(("look", {}))


@tool
async def look() -> str:
    """Look."""
    return "seen"


@tool
async def other() -> str:
    """Look elsewhere."""
    return "seen too"


def forever(_: ModelRequest) -> Message:
    return LOOK


def session(limits: Limits, rule: Any = forever, **fields: Any) -> Session:
    spec = AgentSpec(slug="desk", tools=(look, other), limits=limits, **fields)
    it = Session(spec, RuleModel(rule)).start("Hello?")
    it.price = lambda _, usage: (str((usage.input + usage.output) / 100), "test") if usage else None
    return it


async def verified(it: Session) -> None:
    assert (verdict := await verify(it)).ok, verdict


def limit_of(it: Session) -> dict[str, Any]:
    return it.of("limit")[-1].payload


async def test_a_run_ends_at_its_maximum_of_model_calls() -> None:
    it = session(Limits(max_model_calls=2))
    outcome = await it.run()
    assert outcome.kind == "limit"
    assert "maximum model calls (2)" in (outcome.answer or "")
    assert len(it.of("llm_request")) == 2
    assert limit_of(it)["what"] == "max_model_calls"
    assert limit_of(it)["used"] == 2
    await verified(it)
    it.say("Again.")
    assert (await it.run()).kind == "limit"
    assert len(it.of("llm_request")) == 4
    await verified(it)


async def test_a_session_has_a_maximum_over_its_runs() -> None:
    it = session(Limits(session_model_calls=3, max_model_calls=2))
    await it.run()
    it.say("Again.")
    outcome = await it.run()
    assert "the session reached the maximum model calls (3)" in (outcome.answer or "")
    assert len(it.of("llm_request")) == 3
    await verified(it)


async def test_r40_calls_beyond_the_maximum_get_one_result_each_and_the_others_run() -> None:
    three = calls(("look", {}), ("look", {}), ("other", {}))
    it = session(Limits(max_tool_calls=2), lambda _: three)
    outcome = await it.run()
    assert outcome.kind == "limit"
    assert "maximum tool calls (2)" in (outcome.answer or "")
    results = [(e.payload["call_id"], e.payload["success"]) for e in it.of("tool_result")]
    assert len({call for call, _ in results}) == len(results) == 3
    assert [done for _, done in results] == [True, True, False]
    assert len(it.of("tool_call")) == 2
    await verified(it)


async def test_a_tool_has_a_maximum_of_its_own() -> None:
    it = session(Limits(max_calls_of={"look": 1}), by_turn(calls(("other", {})), LOOK, LOOK))
    outcome = await it.run()
    assert "maximum calls of look (1)" in (outcome.answer or "")
    assert [e.payload["tool"] for e in it.of("tool_call")] == ["other", "look"]
    await verified(it)


async def test_a_budget_asks_a_person_and_goes_on_with_more() -> None:
    it = session(Limits(max_tokens=3, budget_role="admin"))
    assert (await it.run()).kind == "interrupted"
    [question] = it.questions()
    asked = question.payload
    assert (asked["kind"], asked["allowed"]) == ("budget", ["raise", "give_up"])
    assert asked["required_role"] == "admin"
    assert asked["info"]["what"] == "max_tokens"
    assert not it.of("llm_request")
    await verified(it)
    it.decide(question, "raise", value=150)
    assert (await it.run()).kind == "interrupted"
    assert it.of("llm_request")[0].payload["reserved"]["tokens"] > 3
    assert it.questions()[0].payload["info"]["limit"] == 150
    assert it.of("llm_request")[0].payload["reserved"]["tokens"] == asked["info"]["need"]
    assert it.questions()[0].payload["info"]["used"] > 0
    await verified(it)
    it.decide(it.questions()[0], "give_up")
    outcome = await it.run()
    assert outcome.kind == "limit"
    assert "maximum tokens (150); a person gave no more" in (outcome.answer or "")
    await verified(it)


async def test_money_is_reserved_with_the_request_and_settled_with_the_answer() -> None:
    it = session(Limits(max_cost="1.00", max_steps=50), params={"max_tokens": 10})
    assert (await it.run()).kind == "interrupted"
    [question] = it.questions()
    responses = [e.payload["cost"] for e in it.of("llm_response")]
    assert responses
    info = question.payload["info"]
    assert float(info["used"]) == pytest.approx(sum(map(float, responses)))
    assert float(info["used"]) + float(info["need"]) > 1
    it.decide(question, "raise", value=None)
    assert (await it.run()).kind == "limit"
    assert limit_of(it)["what"] == "max_steps"
    await verified(it)


async def test_a_price_that_nobody_knows_is_said_and_is_not_nothing() -> None:
    it = session(Limits(max_cost="9"), by_turn(LOOK, says("Done.")))
    it.price = lambda _model, _usage: (None, None)
    assert (await it.run()).kind == "interrupted"
    [question] = it.questions()
    assert question.payload["info"]["why"] == "unknown_price"
    assert "need" not in question.payload["info"]
    it.decide(question, "raise", value=None)
    assert (await it.run()).kind == "finished"
    await verified(it)
    it = session(Limits(max_cost="9", at_budget="end"))
    it.price = lambda _model, _usage: (None, None)
    outcome = await it.run()
    assert "the price of the model is not known" in (outcome.answer or "")
    await verified(it)


async def test_a_budget_may_end_the_run_without_asking() -> None:
    it = session(Limits(max_tokens=40, at_budget="end"))
    outcome = await it.run()
    assert outcome.kind == "limit"
    assert "maximum tokens (40)" in (outcome.answer or "")
    await verified(it)


async def test_what_is_reserved_for_an_abandoned_request_stays_spent() -> None:
    it = session(Limits(max_tokens=1000), by_turn(says("Done.")), params={"max_tokens": 400})

    def crash(_: Session, __: int, events: Any) -> None:
        if any(e.event_type == "llm_request" for e in events):
            raise Crashed

    it.after_commit = crash
    with pytest.raises(Crashed):
        await it.run()
    with pytest.raises(Crashed):
        await it.resume()
    it.after_commit = None
    assert (await it.resume()).kind == "interrupted"
    assert it.questions()[0].payload["info"]["used"] > 800
    await verified(it)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(max_model_calls=3),
        Limits(max_tool_calls=2),
        Limits(max_tokens=60),
        Limits(max_tokens=60, at_budget="end"),
    ],
)
async def test_a_crash_at_any_commit_changes_no_limit(limits: Limits) -> None:
    async def whole(it: Session, go: Any) -> Session:
        while (outcome := await go()).kind == "interrupted":
            it.decide_all("give_up")
            go = it.resume
        assert outcome.kind == "limit"
        await verified(it)
        return it

    done = session(limits)
    await whole(done, done.run)
    for commit in range(1, done.commits + 1):
        it = session(limits)

        def crash(_: Session, number: int, __: Any, at: int = commit) -> None:
            if number == at:
                raise Crashed

        it.after_commit = crash
        with pytest.raises(Crashed):
            await whole(it, it.run)
        it.after_commit = None
        await whole(it, it.resume)
        assert limit_of(it)["what"] == limit_of(done)["what"]
        assert len(it.of("limit")) == 1


async def test_an_agent_below_has_limits_and_those_above_it_too() -> None:
    child = AgentSpec(slug="clerk", tools=(look,), limits=Limits(max_model_calls=2))

    def rule(request: ModelRequest) -> Message:
        if any(t["function"]["name"] == "ask_clerk" for t in request.tools):
            turn = sum(m.role == "tool" for m in request.messages)
            return says("Done.") if turn > 1 else calls(("ask_clerk", {"task": "look"}))
        return LOOK

    def made(limits: Limits) -> Session:
        tools = (agent_tool(child, name="ask_clerk"),)
        it = Session(AgentSpec(slug="desk", tools=tools, limits=limits), RuleModel(rule))
        return it.start("Hello?")

    it = made(Limits())
    assert (await it.run()).answer == "Done."
    assert [e.payload["outcome"] for e in it.of("child_end")] == ["limit", "limit"]
    await verified(it)
    it = made(Limits(max_model_calls=5))
    outcome = await it.run()
    assert "the run reached the maximum model calls (5)" in (outcome.answer or "")
    assert [e.payload["outcome"] for e in it.of("child_end")] == ["limit", "cancelled"]
    await verified(it)


@pytest.mark.parametrize("turned", [False, True])
async def test_of_two_that_asked_at_once_the_last_decision_holds(turned: bool) -> None:
    """Whichever of them was asked first."""
    turns = [calls(("look", {})) for _ in range(4)]
    below = [AgentSpec(slug=f"kid{n}", tools=(look,), limits=Limits(9)) for n in range(2)]
    spec = AgentSpec(
        slug="boss", strategy="parallel", tools=tuple(map(agent_tool, below)),
        limits=Limits(max_tokens=60),
    )  # fmt: skip
    it = Session(spec, RuleModel(by_turn(*turns, says("Done.")))).start("Go on with it.")
    await it.run()
    less, more = reversed(it.questions()) if turned else it.questions()
    it.decide(less, "raise", value=70)
    it.decide(more, "raise", value=100_000)
    assert (await it.run()).kind == "finished"
    await verified(it)


def test_a_definition_without_limits_is_what_it_was() -> None:
    assert Limits().to_definition() == {"max_steps": 10, "window": None}
    assert AgentSpec(slug="a").definition()["limits"] == {"max_steps": 10, "window": None}
    whole = Limits(max_cost="0.5", max_calls_of={"look": 2})
    assert Limits().merged(whole.to_definition()) == whole


async def test_nobody_is_asked_about_a_call_that_is_beyond_the_limit() -> None:
    asked = tool(approval=True, name="pay")(look.run)
    spec = AgentSpec(slug="desk", tools=(look, asked), limits=Limits(max_tool_calls=1))
    it = Session(spec, RuleModel(by_turn(LOOK, calls(("pay", {}))))).start("Hello?")
    assert (await it.run()).kind == "limit"
    assert not it.of("interrupt")
    assert len(it.of("tool_result")) == 2
    await verified(it)


@pytest.mark.parametrize("limits", [Limits(max_tokens=1), Limits(max_model_calls=1)])
async def test_a_hook_that_swallows_everything_swallows_no_limit(limits: Limits) -> None:
    class Curious:
        name = "curious"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            for _ in range(2):
                with contextlib.suppress(BaseException):
                    await current().model([Message("user", "What is this?")])
            return messages

    spec = AgentSpec(slug="desk", limits=limits)
    model = RuleModel(lambda _: says("Hi."))
    it = Session(spec, model, middlewares=lambda: [Curious()]).start("Hello?")
    outcome = await it.run()
    assert outcome.kind == ("limit" if limits.max_model_calls else "interrupted")
    assert len(it.questions()) == len(it.of("interrupt")) == (0 if limits.max_model_calls else 1)
    await verified(it)


async def test_a_branch_spends_its_own_and_is_asked_anew() -> None:
    it = session(Limits(max_tokens=150))
    assert (await it.run()).kind == "interrupted"
    [question] = it.questions()
    assert question.payload["info"]["used"] > 0
    child = branch(it, question.seq + 1)
    assert (await child.run()).kind == "interrupted"
    assert [e for e in child.of("llm_response") if e.seq > question.seq]
    [anew] = child.questions()
    assert anew.payload["id"] != question.payload["id"]
    assert (await verify(child)).ok
    child.decide(anew, "raise", value=100_000)
    assert (await child.run()).kind == "limit"
    assert limit_of(child)["what"] == "max_steps"
    assert (await verify(child)).ok


async def test_prices_are_said_with_a_limit_of_money_and_not_of_tokens() -> None:
    """Tokens are exactly known, whatever the price of an answer is."""
    it = session(Limits(max_tokens=150))
    it.price = lambda *_: (None, None)
    assert (await it.run()).kind == "interrupted"
    [question] = it.questions()
    assert it.of("llm_response")
    assert "unpriced" not in question.payload["info"]
    await verified(it)
