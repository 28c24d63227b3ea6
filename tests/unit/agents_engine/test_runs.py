"""Runs, steps and limits; what people say meanwhile; what the model sees."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Continue, Finish, Limits, Message, tool
from agents_app.engine.loop.hooks import current
from agents_app.testing import RuleModel, ScriptedModel, Session, calls, says
from replay_app.testing import replay, verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, look_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.ports import ModelRequest
    from playhead.core.events import Event

LOOK = calls(("look_up", {"key": "k"}))


def _desk(*turns: Message, **options: Any) -> Session:
    spec = AgentSpec(slug="desk", tools=(look_up(Ledger()),), instructions="Help.", **options)
    return Session(spec, RuleModel(by_turn(*turns)))


def _seen(session: Session, place: int = -1) -> Sequence[Message]:
    requests: list[ModelRequest] = session.model.requests  # type: ignore[attr-defined]
    return requests[place].messages


async def _verified(session: Session) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict


async def test_several_runs_are_one_log_and_one_history() -> None:
    session = _desk(LOOK, says("There.")).start("First?")
    await session.run()
    session.say("Second?")
    await session.run()
    assert [e.payload["run"] for e in session.of("session_end")] == [1, 2]
    assert [e.payload["steps"] for e in session.of("session_end")] == [2, 2]
    assert [e.payload["step"] for e in session.of("step_end")] == [0, 1, 2, 3]
    assert [m.role for m in _seen(session)] == [
        "system", "user", "assistant", "tool", "assistant", "user", "assistant", "tool",
    ]  # fmt: skip
    await _verified(session)


async def test_messages_that_come_meanwhile_are_queued_in_order() -> None:
    session = _desk(LOOK, says("There.")).start("First?")
    session.say("Second?")
    session.say("Third?")
    await session.run()
    ends = session.of("session_end")
    assert [e.payload["outcome"] for e in ends] == ["finished"] * 3
    users = [m.content for m in _seen(session) if m.role == "user"]
    assert users == ["First?", "Second?", "Third?"]
    await _verified(session)


async def test_s0_31_the_limit_counts_per_run_and_its_text_says_maximum_steps() -> None:
    session = _desk(LOOK, limits=Limits(max_steps=2)).start("Loop.")
    outcome = await session.run()
    assert outcome.kind == "limit"
    assert "maximum steps" in (outcome.answer or "")
    session.say("Again.")
    assert (await session.run()).kind == "limit"
    assert [e.payload["used"] for e in session.of("limit")] == [2, 2]
    assert len(session.of("step_end")) == 4
    await _verified(session)


async def test_a_cancel_of_an_ended_run_does_not_touch_the_next() -> None:
    session = _desk(says("Hi.")).start("Hi.")
    await session.run()
    session.cancel()
    session.say("Still there?")
    assert (await session.run()).kind == "finished"
    await _verified(session)


async def test_e80_a_cancel_before_the_start_asks_no_model() -> None:
    session = _desk(says("Hi.")).start("Hi.")
    session.cancel()
    assert (await session.run()).kind == "cancelled"
    assert session.of("llm_request") == []
    await _verified(session)


async def test_a_cancel_ends_the_run_that_is_going_on_and_the_queued_message_opens_the_next() -> (
    None
):
    session = _desk(LOOK, says("There.")).start("First?")
    session.say("Second?")
    session.cancel()
    await session.run()
    assert [e.payload["outcome"] for e in session.of("session_end")] == ["cancelled", "finished"]
    await _verified(session)


async def test_a_pause_holds_before_the_next_intent_and_a_result_still_lands() -> None:
    hold = asyncio.Event()

    @tool
    async def slow() -> str:
        """Take a while."""
        await hold.wait()
        return "slow result"

    model = RuleModel(by_turn(calls(("slow", {})), says("Done.")))
    session = Session(AgentSpec(slug="desk", tools=(slow,)), model).start("Go.")
    running = asyncio.ensure_future(session.run())
    await session.until(lambda: bool(session.of("tool_call")))
    session.pause()
    hold.set()
    assert (await running).kind == "paused"
    assert len(session.of("tool_result")) == 1
    assert len(session.of("llm_request")) == 1
    session.unpause()
    assert (await session.run()).kind == "finished"
    await _verified(session)


async def test_a_steer_is_read_after_the_results_of_the_turn() -> None:
    hold = asyncio.Event()

    @tool
    async def slow() -> str:
        """Take a while."""
        await hold.wait()
        return "slow result"

    model = RuleModel(by_turn(calls(("slow", {})), says("Done.")))
    session = Session(AgentSpec(slug="desk", tools=(slow,)), model).start("Go.")
    running = asyncio.ensure_future(session.run())
    await session.until(lambda: bool(session.of("tool_call")))
    session.steer("In French.")
    hold.set()
    await running
    assert [m.role for m in _seen(session, 1)] == ["user", "assistant", "tool", "user"]
    assert _seen(session, 1)[-1].content == "In French."
    await _verified(session)


async def test_a_finish_with_an_unread_steer_goes_on() -> None:
    session = _desk(says("Done.")).start("Go.")

    def steer(written: Session, _number: int, events: Sequence[Event]) -> None:
        if any(event.event_type == "session_end" for event in events) and not written.of("steer"):
            written.steer("One more thing.")

    session.before_commit = steer
    assert (await session.run()).kind == "finished"
    assert len(session.of("llm_request")) == 2
    assert _seen(session)[-1].content == "One more thing."
    await _verified(session)


async def test_a_window_never_begins_with_a_result_whose_call_is_cut_off() -> None:
    session = _desk(limits=Limits(window=4))
    session.model = model = ScriptedModel([LOOK, LOOK, LOOK, says("Done.")])
    await session.start("Go.").run()
    for request in model.requests:
        roles = [message.role for message in request[1:]]
        assert len(roles) <= 4
        assert roles[0] != "tool"
    assert len(session.of("step_end")) == 4
    await _verified(session)


class Clock:
    """A line with the time of the step at the top of the instructions."""

    name = "clock"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        now = current().now.strftime("%H:%M:%S.%f")
        return [Message("system", f"It is {now}. {messages[0].content}"), *messages[1:]]


async def test_a_clock_line_at_the_top_costs_one_message_a_request() -> None:
    spec = AgentSpec(slug="desk", tools=(look_up(Ledger()),), instructions="Help.")
    model = RuleModel(by_turn(LOOK, LOOK, LOOK, says("Done.")))
    session = Session(spec, model, middlewares=lambda: [Clock()]).start("Go.")
    session.after_commit = lambda s, _n, _e: s.clock.advance(1)
    await session.run()
    last = session.of("llm_request")[-1].payload["prompt"]
    assert [entry[0] for entry in last] == ["n", "c", "m", "m"]
    assert last[1][1:] == [1, 5]
    tops = {request.messages[0].content for request in model.requests}
    assert len(tops) == 4
    await _verified(session)


async def test_time_stands_still_within_a_step_and_is_the_same_at_replay() -> None:
    told: list[str] = []

    class Telling:
        name = "telling"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            told.append(current().now.isoformat())
            return messages

    spec = AgentSpec(slug="desk", tools=(look_up(Ledger()),))
    session = Session(
        spec, RuleModel(by_turn(LOOK, says("Done."))), middlewares=lambda: [Telling()]
    ).start("Go.")
    session.after_commit = lambda s, _n, _e: s.clock.advance(7)
    await session.run()
    live, told[:] = list(told), []
    await replay(session)
    assert told == live
    assert len(set(live)) == 2


class Keeper:
    """A strategy with a state of its own."""

    name = "keeper"

    def __init__(self, steps: int, size: int = 0) -> None:
        self.steps, self.size = steps, size

    def start(self, task: str, history: Sequence[Message]) -> dict[str, Any]:
        return {"task": task, "done": [], "ballast": "x" * self.size, "before": len(history)}

    async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
        reply = await ctx.model(tools=False)
        ctx.append(reply)
        state = {**state, "done": [*state["done"], ctx.step]}
        if len(state["done"]) == self.steps:
            return Finish(f"{state['task']}: {state['done']}", state)
        return Continue(state)


@pytest.mark.parametrize("size", [0, 5000])
async def test_state_is_kept_from_step_to_step_inline_or_as_a_checkpoint(size: int) -> None:
    session = Session(
        AgentSpec(slug="desk"), RuleModel(lambda _: says("ok")), strategy=Keeper(3, size)
    ).start("count")
    session.before_commit = None
    for _ in range(3):
        session.pause()
        session.unpause()
    outcome = await session.run()
    assert outcome.answer == "count: [0, 1, 2]"
    assert bool(session.log.checkpoints) == bool(size)
    session.say("again")
    assert (await session.run()).answer == "again: [3, 4, 5]"
    verdict = await verify(session)
    assert verdict.ok, verdict
    assert verdict.snapshots.checked == len(session.log.checkpoints)


async def test_lost_checkpoints_cost_time_and_nothing_else() -> None:
    """A checkpoint is a cache: without it, the steps run again on the record."""
    session = Session(
        AgentSpec(slug="desk"), RuleModel(lambda _: says("ok")), strategy=Keeper(3, 5000)
    ).start("count")
    await session.run()
    session.log.checkpoints.clear()
    session.say("again")
    asked = len(session.model.requests)  # type: ignore[attr-defined]
    assert (await session.run()).answer == "again: [3, 4, 5]"
    assert len(session.model.requests) == asked + 3  # type: ignore[attr-defined]
    await _verified(session)


async def test_a_state_beyond_64_kb_is_a_named_error() -> None:
    session = Session(
        AgentSpec(slug="desk"), RuleModel(lambda _: says("ok")), strategy=Keeper(2, 70_000)
    ).start("count")
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "state_too_large")
    await _verified(session)


async def test_a_strategy_that_raises_ends_the_run_and_says_why() -> None:
    class Broken:
        name = "broken"

        def start(self, task: str, history: Sequence[Message]) -> dict[str, Any]:
            return {}

        async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
            ctx.append(await ctx.model(tools=False))
            raise LookupError("nothing")

    session = Session(AgentSpec(slug="desk"), RuleModel(lambda _: says("ok")), strategy=Broken())
    outcome = await session.start("Go.").run()
    assert (outcome.kind, outcome.code) == ("failed", "strategy_error")
    assert "broken: LookupError: nothing" in (outcome.answer or "")
    await _verified(session)


async def test_two_model_requests_at_once_in_one_scope_are_refused() -> None:
    class Racing:
        name = "racing"

        def start(self, task: str, history: Sequence[Message]) -> dict[str, Any]:
            return {}

        async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
            await asyncio.gather(ctx.model(), ctx.model())
            return Finish("never")

    session = Session(AgentSpec(slug="desk"), RuleModel(lambda _: says("ok")), strategy=Racing())
    outcome = await session.start("Go.").run()
    assert outcome.code == "strategy_error"


async def test_a_strategy_that_does_not_keep_its_reply_still_leaves_no_call_open() -> None:
    class Forgetful:
        name = "forgetful"

        def start(self, task: str, history: Sequence[Message]) -> dict[str, Any]:
            return {}

        async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
            results = await ctx.tools(await ctx.model())
            return Finish(results[0].content)

    @tool
    async def slow() -> str:
        """Take for ever."""
        await asyncio.Event().wait()
        return ""

    spec = AgentSpec(slug="desk", tools=(slow,))
    session = Session(spec, RuleModel(by_turn(calls(("slow", {})))), strategy=Forgetful())
    running = asyncio.ensure_future(session.start("Go.").run())
    await session.until(lambda: bool(session.of("tool_call")))
    session.cancel()
    assert (await running).kind == "cancelled"
    assert len(session.of("tool_result")) == 1
    await _verified(session)


async def test_k69_results_go_to_the_model_in_its_order_whatever_order_they_come_in() -> None:
    holds = {name: asyncio.Event() for name in ("a", "b", "c")}

    @tool
    async def wait(name: str) -> str:
        """Wait."""
        await holds[name].wait()
        return f"result {name}"

    turn = calls(*(("wait", {"name": name}) for name in "abc"))
    session = Session(
        AgentSpec(slug="desk", tools=(wait,)), RuleModel(by_turn(turn, says("Done.")))
    )
    running = asyncio.ensure_future(session.start("Go.").run())
    for place, name in enumerate("cab", 1):
        await session.until(lambda: bool(session.of("tool_call")))
        holds[name].set()
        await session.until(lambda p=place: len(session.of("tool_result")) == p)
    await running
    arrived = [e.payload["message"]["content"] for e in session.of("tool_result")]
    assert arrived == ["result c", "result a", "result b"]
    told = [m.content for m in _seen(session) if m.role == "tool"]
    assert told == ["result a", "result b", "result c"]
    await _verified(session)


async def test_g11_malformed_arguments_are_an_error_result_that_names_the_field() -> None:
    from agents_app.engine import ToolCall

    raw = Message("assistant", "", tool_calls=[ToolCall("x", "look_up", {}, raw="{key: k}")])
    typed = calls(("look_up", {"key": 5}))
    session = _desk(raw, typed, says("Sorry.")).start("Go.")
    assert (await session.run()).answer == "Sorry."
    first, second = (e.payload for e in session.of("tool_result"))
    assert first["error"]["code"] == "invalid_arguments"
    assert "{key: k}" in first["message"]["content"]
    assert second["error"]["field"] == "key"
    assert session.of("tool_call") == []
    await _verified(session)
