"""Code that does not stop, and code that changes what it was only lent."""

from __future__ import annotations

import asyncio
import contextlib
import copy
from dataclasses import replace
from typing import Any

import pytest

from agents_app.engine import AgentSpec, Continue, Finish, Message, current, tool
from agents_app.engine.loop import grace
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn

LOOK = calls(("look", {"at": {"place": "here"}, "all": [1]}))


@tool
async def look(at: dict[str, str], all: list[int]) -> str:
    """Look."""
    return "seen"


class Deaf:
    """Something that waits in a hook, or a step, and swallows every cancellation."""

    name = "deaf"

    def __init__(self) -> None:
        self.waits = asyncio.Event()
        self.let_go = asyncio.Event()
        self.after: list[str] = []

    async def wait(self) -> None:
        self.waits.set()
        while not self.let_go.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await self.let_go.wait()


class DeafHook(Deaf):
    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        await self.wait()
        try:
            current().emit("plan", steps=["too late"], done=0, why=None)
        except BaseException as error:
            self.after.append(type(error).__name__)
        return messages


class DeafStrategy(Deaf):
    def start(self, task: str, history: Any) -> dict[str, Any]:
        return {}

    async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
        await self.wait()
        return Finish("too late", {})


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grace, "GRACE", 0.02)


def session(**options: Any) -> Session:
    spec = AgentSpec(slug="desk", tools=(look,))
    model = RuleModel(by_turn(LOOK, says("Done.")))
    return Session(spec, model, **options).start("Hello?")


@pytest.mark.parametrize("kind", ["hook", "strategy"])
async def test_who_swallows_a_cancel_is_left_behind_and_the_session_ends(
    hurried: None, kind: str
) -> None:
    deaf = DeafHook() if kind == "hook" else DeafStrategy()
    it = session(middlewares=lambda: [deaf]) if kind == "hook" else session(strategy=deaf)
    running = asyncio.create_task(it.run())
    await deaf.waits.wait()
    it.cancel()
    outcome = await asyncio.wait_for(running, 10)
    assert outcome.kind == "cancelled"
    written = len(it.events)
    deaf.let_go.set()
    await asyncio.sleep(0.05)
    assert len(it.events) == written
    assert not it.of("plan")
    assert not it.of("llm_request")
    if kind == "hook":
        assert set(deaf.after) <= {"Moved", "RuntimeError", "CancelledError"}
        deaf.let_go.clear()
        assert (await asyncio.wait_for(verify(it), 10)).ok
        deaf.let_go.set()


class Changing:
    """Changes an older call's arguments where they stand, and gives the same list back."""

    name = "changing"

    def __init__(self, change: Any) -> None:
        self.change = change

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        for message in messages:
            for call in message.calls:
                with contextlib.suppress(TypeError):
                    self.change(call.arguments)
        return messages


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.update(at="there"),
        lambda a: a.__setitem__("at", "there"),
        lambda a: a["at"].pop("place"),
        lambda a: a["all"].append(2),
        lambda a: a["all"].__iadd__([2]),
        lambda a: a.__delitem__("all"),
    ],
)
async def test_what_a_hook_is_lent_it_can_t_change_in_place(change: Any) -> None:
    it = session(middlewares=lambda: [Changing(change)])
    assert (await it.run()).kind == "finished"
    [asked] = [m for m in it.model.requests[-1].messages if m.calls]  # type: ignore[attr-defined]
    assert asked.calls[0].arguments == {"at": {"place": "here"}, "all": [1]}
    assert type(asked.calls[0].arguments) is dict
    assert (await verify(it)).ok


async def test_a_changed_copy_that_is_given_back_is_what_the_model_sees() -> None:
    class Cutting:
        name = "cutting"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            return [self.cut(m) if m.calls else m for m in messages]

        def cut(self, message: Message) -> Message:
            mine = copy.deepcopy(message)
            mine.calls[0].arguments["all"] = []
            cut = replace(message.calls[0], arguments={**mine.calls[0].arguments})
            return Message("assistant", message.content, tool_calls=[cut])

    it = session(middlewares=lambda: [Cutting()])
    assert (await it.run()).kind == "finished"
    [asked] = [m for m in it.model.requests[-1].messages if m.calls]  # type: ignore[attr-defined]
    assert asked.calls[0].arguments == {"at": {"place": "here"}, "all": []}
    assert (await verify(it)).ok


async def test_a_cancel_ends_a_run_whose_code_changed_and_whose_checkpoint_is_lost() -> None:
    class Large:
        name = "large"

        def __init__(self, said: str) -> None:
            self.said = said

        def start(self, task: str, history: Any) -> dict[str, Any]:
            return {"keep": "x" * 6000}

        async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
            reply = await ctx.model(ctx.prompt(also=self.said))
            ctx.append(reply)
            ctx.append(*await ctx.tools(reply))
            return Continue(state)

    asked = tool(approval=True, name="ask")(_nothing)
    spec = AgentSpec(slug="desk", tools=(look, asked))
    model = RuleModel(by_turn(LOOK, calls(("ask", {}))))
    it = Session(spec, model, strategy=Large("one")).start("Hello?")
    assert (await it.run()).kind == "interrupted"
    it.log.checkpoints.clear()
    it.strategy = Large("another")
    it.cancel()
    outcome = await asyncio.wait_for(it.run(), 10)
    assert outcome.kind == "cancelled"
    assert not [e for e in it.of("interrupt") if e.payload["kind"] == "version"]
    assert it.of("session_end")[0].payload["reason"] == "The run was cancelled."
    it.say("And now?")
    assert (await asyncio.wait_for(it.run(), 10)).kind == "interrupted"
    [question] = it.questions()
    assert question.payload["kind"] == "version"
    assert len(it.of("session_end")) == 1
    it.cancel()
    assert (await asyncio.wait_for(it.run(), 10)).kind == "cancelled"
    assert len(it.of("session_end")) == 2
    assert not it.questions()


async def _nothing() -> str:
    """Ask."""
    return "asked"


async def test_r40_a_call_that_comes_back_in_the_next_run_gives_no_second_result() -> None:
    """The run that it belonged to was cancelled, and has told the model what became of it."""
    deaf = Deaf()

    @tool
    async def wait() -> str:
        """Wait, whoever says to stop."""
        await deaf.wait()
        return "too late"

    spec = AgentSpec(slug="desk", tools=(wait,))
    model = RuleModel(lambda r: LEFT if len(r.messages) < 2 else says(r.messages[-1].content))
    it = Session(spec, model).start("Go.")
    running = asyncio.ensure_future(it.run())
    await deaf.waits.wait()
    it.say("Still there?")
    model.gate = asyncio.Event()
    it.cancel()
    async with asyncio.timeout(10):
        while len(model.requests) < 2:  # noqa: ASYNC110 - a model sets no event
            await asyncio.sleep(0.01)
    deaf.let_go.set()
    await asyncio.sleep(0.01)
    model.gate.set()
    assert (await running).answer == "Still there?"
    (result,) = it.of("tool_result")
    assert result.payload["error"]["code"] == "cancelled"
    verdict = await verify(it)
    assert verdict.ok, verdict


LEFT = calls(("wait", {}))
