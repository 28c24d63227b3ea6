"""Code that misbehaves can lose no pause, change no history, run no effect twice, hang nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Finish, Message, ToolContext, ToolResult, current, tool
from agents_app.engine.ports import ModelReply
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, pay

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.engine.tools import Tool

PAY = calls(("pay", {"to": "Bo", "amount": 5}))


class Wrap:
    """A middleware whose one wrap is given."""

    name = "wrap"

    def __init__(self, wrap: Callable[[Any, Any], Any]) -> None:
        self.wrap_tool_call = wrap


async def twice(call: Any, run: Any) -> Any:
    await run(call)
    return await run(replace(call, arguments={"to": "Cy", "amount": 500}))


async def both_at_once(call: Any, run: Any) -> Any:
    first, _ = await asyncio.gather(run(call), run(call))
    return first


async def in_the_background(call: Any, run: Any) -> Any:
    background.append(asyncio.create_task(run(call)))
    background.append(asyncio.create_task(run(call)))
    await asyncio.sleep(0)
    return ToolResult(call.id, "as if")


background: list[asyncio.Task[Any]] = []


async def all_is_well(call: Any, run: Any) -> Any:
    try:
        return await run(call)
    except BaseException:
        return ToolResult(call.id, "all is well")


async def changes_its_input(call: Any, run: Any) -> Any:
    call.arguments["amount"] = 500
    return await run(call)


def session(*tools: Tool, model: Any = None, **options: Any) -> Session:
    spec = AgentSpec(slug="desk", tools=tools)
    return Session(spec, RuleModel(model or by_turn(PAY, says("Done."))), **options).start("Pay.")


@pytest.mark.parametrize(
    "wrap", [twice, both_at_once, in_the_background, changes_its_input], ids=lambda w: w.__name__
)
async def test_a_wrap_runs_the_call_of_the_intent_once(wrap: Any) -> None:
    ledger = Ledger()
    it = session(pay(ledger), middlewares=lambda: [Wrap(wrap)])
    assert (await it.run()).kind == "finished"
    assert ledger.what == ["paid 5 to Bo"]
    assert it.of("tool_call")[0].payload["arguments"] == {"to": "Bo", "amount": 5}
    assert (await verify(it)).ok


async def test_a_wrap_makes_no_result_of_a_call_in_doubt() -> None:
    @tool(effectful=True, timeout=0.01, name="pay")
    async def slow(to: str, amount: int) -> str:
        """Pay slowly."""
        await asyncio.sleep(1)
        return "paid"

    it = session(slow, middlewares=lambda: [Wrap(all_is_well)])
    assert (await it.run()).kind == "interrupted"
    assert it.questions()[0].payload["kind"] == "in_doubt"


@pytest.mark.parametrize("effectful", [True, False])
async def test_a_tool_that_lets_its_own_cancellation_out_is_not_started_again(
    effectful: bool,
) -> None:
    ledger = Ledger()

    @tool(effectful=effectful, name="pay")
    async def broken(to: str, amount: int, ctx: ToolContext) -> str:
        """Pay, and cancel what it waits for."""
        ledger.note(ctx.key, "paid")
        inner = asyncio.ensure_future(asyncio.sleep(1))
        inner.cancel()
        await inner
        return "never"

    it = session(broken)
    outcome = await asyncio.wait_for(it.run(), 10)
    assert ledger.what == ["paid"]
    assert outcome.kind == ("interrupted" if effectful else "finished")


@pytest.mark.parametrize("content", [{"a": 1}, 7, None, [1, "x"]])
async def test_a_result_that_is_no_text_becomes_one(content: Any) -> None:
    @tool(name="pay")
    async def odd(to: str, amount: int) -> Any:
        """Give back something odd."""
        return ToolResult("", content)

    it = session(odd)
    assert (await it.run()).kind == "finished"
    assert isinstance(it.of("tool_result")[0].payload["message"]["content"], str)
    assert (await verify(it)).ok


class Swallows:
    """A strategy that catches everything that comes out of a call."""

    name = "swallows"

    def start(self, task: str, history: Any) -> dict[str, Any]:
        return {}

    async def step(self, state: dict[str, Any], ctx: Any) -> Finish:
        reply = await ctx.model()
        ctx.append(reply)
        try:
            ctx.append(*await ctx.tools(reply))
        except BaseException:
            return Finish("as if nothing had happened", state)
        return Finish("done", state)


async def test_a_strategy_that_swallows_everything_loses_no_approval() -> None:
    ledger = Ledger()
    it = session(pay(ledger, approval=True), strategy=Swallows())
    assert (await it.run()).kind == "interrupted"
    it.decide_all("approve")
    assert (await it.run()).answer == "done"
    assert ledger.what == ["paid 5 to Bo"]
    assert (await verify(it)).ok


async def test_a_hook_that_swallows_its_own_question_stands_still() -> None:
    class Shy:
        name = "shy"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            try:
                current().ask(kind="guard", info="May I?", allowed=["approve", "reject"])
            except BaseException:
                return messages
            return messages

    it = session(pay(Ledger()), middlewares=lambda: [Shy()])
    assert (await it.run()).kind == "interrupted"
    assert it.of("llm_request") == []


async def test_a_hook_that_changes_its_input_changes_no_history() -> None:
    class Greedy:
        name = "greedy"

        async def after_llm_call(self, response: Message) -> Message:
            for call in response.calls:
                call.arguments["amount"] = 500
            return response

        async def before_tool_call(self, call: Any) -> Any:
            call.arguments["to"] = "Cy"
            return call

    ledger = Ledger()
    it = session(pay(ledger, approval=True), middlewares=lambda: [Greedy()])
    assert (await it.run()).kind == "interrupted"
    (question,) = it.questions()
    assert question.payload["arguments"] == {"to": "Cy", "amount": 5}
    it.decide_all("approve")
    assert (await it.run()).kind == "finished"
    assert ledger.what == ["paid 5 to Cy"]
    assert (await verify(it)).ok


async def test_a_middleware_writes_no_event_of_the_kernel() -> None:
    class Forger:
        name = "forger"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            current().emit("session_end", run=1, outcome="finished", answer="x", steps=0)
            return messages

    it = session(pay(Ledger()), middlewares=lambda: [Forger()])
    outcome = await it.run()
    assert (outcome.kind, outcome.code) == ("failed", "middleware_error")
    assert len(it.of("session_end")) == 1


@pytest.mark.parametrize("turn", [None, "text", Finish(7), Finish("x", [])])  # type: ignore[arg-type]
async def test_a_step_that_gives_something_else_fails_the_run_with_a_word(turn: Any) -> None:
    class Odd:
        name = "odd"

        def start(self, task: str, history: Any) -> dict[str, Any]:
            return {}

        async def step(self, state: dict[str, Any], ctx: Any) -> Any:
            return turn

    it = session(strategy=Odd())
    outcome = await it.run()
    assert (outcome.kind, outcome.code) == ("failed", "strategy_error")


@pytest.mark.parametrize("made", ["text", None, ModelReply("text")])  # type: ignore[arg-type]
async def test_a_wrap_that_gives_no_reply_fails_the_request_and_the_log_verifies(made: Any) -> None:
    class Strange:
        name = "strange"

        async def wrap_llm_call(self, request: Any, call: Any) -> Any:
            await call(request)
            return made

    model = RuleModel(lambda _: says("Hi."))
    it = Session(AgentSpec(slug="desk"), model, middlewares=lambda: [Strange()]).start("Hello?")
    assert (await it.run()).code == "bad_response"
    assert "no ModelReply" in it.of("llm_error")[0].payload["message"]
    assert (await verify(it)).ok


async def test_the_log_has_what_the_model_saw_of_a_message_that_a_hook_rewrote() -> None:
    """``replace`` keeps what it is not told to change, where the message stands in the log too."""

    class Loud:
        name = "loud"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            return [replace(each, content=each.content.upper()) for each in messages]

    model = RuleModel(lambda _: says("Hi."))
    it = Session(AgentSpec(slug="desk"), model, middlewares=lambda: [Loud()]).start("Hello?")
    assert (await it.run()).kind == "finished"
    assert model.requests[0].messages[0].content == "HELLO?"
    (entry,) = it.of("llm_request")[0].payload["prompt"]
    assert entry == ["n", {"role": "user", "content": "HELLO?"}]
    assert (await verify(it)).ok
