"""Law 10: whatever code of users writes, and by whichever door, no raw secret stands in the log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import (
    AgentSpec,
    Continue,
    Finish,
    Message,
    ToolCall,
    ToolContext,
    current,
    tool,
)
from agents_app.engine.ports import ModelReply, Permission
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import branch, verify
from tests.unit.agents_engine.scenarios import by_turn
from tests.unit.agents_engine.vault import KEY, TreeSeals, written

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest, OnDelta
    from agents_app.engine.tools import Tool


class Puts:
    """A hook that puts something into the arguments of every call."""

    name = "puts"

    def __init__(self, options: Any) -> None:
        self.options = options

    async def before_tool_call(self, call: ToolCall) -> ToolCall:
        return replace(call, arguments={**call.arguments, "options": self.options})


def fetch(got: list[Any], **said: Any) -> Tool:
    @tool(**said)
    async def fetch(options: Any = None) -> str:
        """Fetch."""
        got.append(options)
        return "fetched"

    return fetch


def asked(tools: Any, middlewares: Any, **options: Any) -> Session:
    model = RuleModel(by_turn(calls(("fetch", {})), says("Done.")))
    spec = AgentSpec(slug="desk", tools=tools)
    options = {"seals": TreeSeals(), "middlewares": lambda: middlewares, **options}
    return Session(spec, model, **options).start("Go.")


SHAPES = [
    KEY,
    {"headers": [{"Authorization": f"Bearer {KEY}"}]},
    {KEY: {"deep": [1, KEY]}},
    {"password": "hunter2x"},
    {"pin": 482913},
    f'{{"api_key": "{KEY}"}}',
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_what_a_hook_puts_into_a_call_is_sealed_and_the_tool_gets_it(shape: Any) -> None:
    got: list[Any] = []
    session = asked([fetch(got)], [Puts(shape)])
    assert (await session.run()).answer == "Done."
    assert got == [shape]
    assert not any(secret in written(session) for secret in (KEY, "hunter2x", "482913"))
    assert session.log.vault
    assert (await verify(session)).ok


@pytest.mark.parametrize("shape", SHAPES, ids=str)
async def test_a_person_approves_the_sealed_call_and_the_hook_makes_it_again(shape: Any) -> None:
    got: list[Any] = []
    session = asked([fetch(got, effectful=True, approval=True)], [Puts(shape)])
    assert (await session.run()).kind == "interrupted"
    session.decide_all("approve")
    assert (await session.run()).answer == "Done."
    (intent,) = session.of("tool_call")
    assert intent.payload["digest"] == session.of("interrupt")[0].payload["digest"]
    assert got == [shape]
    assert KEY not in written(session)
    assert (await verify(session)).ok


async def test_a_secret_that_was_learnt_after_the_call_changes_nothing_at_a_resume() -> None:
    """The record's form is the one to go on with, although it would be sealed by now."""

    @tool
    async def tell() -> dict[str, str]:
        """Tell."""
        return {"password": "tr0ub4dor-3"}

    got: list[Any] = []
    slow = fetch(got, effectful=True, approval=True)
    model = RuleModel(by_turn(calls(("fetch", {}), ("tell", {})), says("Done.")))
    spec = AgentSpec(slug="desk", tools=(slow, tell))
    session = Session(
        spec, model, seals=TreeSeals(), middlewares=lambda: [Puts("tr0ub4dor-3")]
    ).start("Go.")
    assert (await session.run()).kind == "interrupted"
    session.decide_all("approve")
    assert (await session.run()).answer == "Done."
    assert session.mismatches == []
    assert got == ["tr0ub4dor-3"]


async def test_a_crash_between_intent_and_result_finds_the_same_call() -> None:
    got: list[Any] = []
    session = asked([fetch(got)], [Puts({"token": KEY})])

    def crash(it: Session, _number: int, batch: Any) -> None:
        if any(event.event_type == "tool_call" for event in batch) and it.epoch == 0:
            raise Crashed

    session.after_commit = crash
    assert (await session.finish()).answer == "Done."
    assert session.mismatches == []
    assert KEY not in written(session)
    assert (await verify(session)).ok


async def test_what_is_sealed_reaches_the_vault_also_when_somebody_wrote_first() -> None:
    """The intent is decided again; the seal knows the secret by then, the vault must too."""
    got: list[Any] = []
    session = asked([fetch(got)], [Puts(KEY)])
    moved: list[int] = []

    def somebody(it: Session, _number: int, batch: Any) -> None:
        if any(event.event_type == "tool_call" for event in batch) and not moved:
            moved.append(1)
            it.steer("And be quick.")

    session.before_commit = somebody
    await session.run()
    assert moved
    assert [secret for _, secret in session.log.vault.values()] == [KEY]


async def test_a_branch_takes_the_recorded_result_of_a_sealed_call() -> None:
    got: list[Any] = []
    session = asked([fetch(got, effectful=True)], [Puts(KEY)])
    await session.run()
    child = branch(session, at=session.of("llm_request")[0].seq)
    assert (await child.run()).answer == "Done."
    assert got == [KEY]
    assert KEY not in written(child)
    assert (await verify(child)).ok


class Keeps:
    """A hook that keeps a secret in its state, and says whether it is found there again."""

    name = "keeps"

    def __init__(self, size: int = 0) -> None:
        self.size = size
        self.found: list[Any] = []

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        state = current().state
        self.found.append(state.get("of"))
        state.setdefault("of", {"password": "hunter2x", KEY: [f"Bearer {KEY}"]})
        state["pad"] = "x" * self.size
        return messages


@pytest.mark.parametrize("size", [0, 9000], ids=["in the event", "in a checkpoint"])
async def test_a_state_holds_no_secret_and_is_the_same_live_and_at_a_resume(size: int) -> None:
    keeps = Keeps(size)
    session = asked([fetch([], approval=True)], [keeps])
    assert (await session.run()).kind == "interrupted"
    session.decide_all("approve")
    await session.run()
    session.say("Again.")
    await session.run()
    assert KEY not in written(session)
    assert "hunter2x" not in written(session)
    assert keeps.found[-1] == {
        "password": "[REDACTED:password]",
        "[REDACTED:api_key]": ["Bearer [REDACTED:api_key]"],
    }
    assert (await verify(session)).ok


class Careless:
    """A strategy that puts a secret into everything that it can write."""

    name = "careless"

    def start(self, task: str, history: Any) -> dict[str, Any]:
        return {"key": KEY}

    async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
        if state.get("done"):
            return Finish(f"The key is {KEY}.", {"password": "hunter2x"})
        ctx.emit_plan([f"use {KEY}"], why=KEY)
        made = ToolCall("x1", "none", {"password": "hunter2x", KEY: 1})
        first = Message("user", f"Use {KEY}.", name=KEY)
        await ctx.model([first, Message("assistant", "", tool_calls=(made,))], tools=False)
        reply = await ctx.model(ctx.prompt(also=f"Your key is {KEY}."))
        ctx.append(replace(reply, content=f"It said {KEY}."))
        ctx.append(await ctx.call(reply, "fetch", {"options": {"token": KEY}}))
        outcome = await ctx.run_child(AgentSpec(slug="below", instructions=KEY), f"Try {KEY}.")
        return Continue({"done": True, KEY: outcome.text})


async def test_a_strategy_writes_no_secret_by_any_door() -> None:
    got: list[Any] = []
    session = asked([fetch(got)], [], strategy=Careless())
    session.model = RuleModel(lambda _: says("Fine."))
    outcome = await session.run()
    assert outcome.answer == f"The key is {KEY}."
    assert got == [{"token": KEY}]
    assert KEY not in written(session)
    assert "hunter2x" not in written(session)
    assert (await verify(session)).ok


class Everywhere:
    """A middleware that says a secret by every door that it has."""

    name = "everywhere"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        here = current()
        here.emit(
            "guardrail", guard="g", verdict="pass", category=KEY, stage="input", of=2,
            findings=[{"type": "x", "excerpt": KEY, "password": "hunter2x"}],
        )  # fmt: skip
        here.emit("plan", steps=[KEY], done=0, api_key="hunter2x")

        async def do() -> Any:
            return {KEY: KEY}

        await here.effect("look", {"password": "hunter2x", KEY: KEY}, do)
        await here.model([Message("user", KEY, name=KEY)])
        made = ToolCall("x1", "none", {"password": "hunter2x"})
        return [Message("assistant", KEY, tool_calls=(made,)), *messages]

    async def after_llm_call(self, response: Message) -> Message:
        wanted = [replace(c, arguments={"options": {"api_key": KEY}}) for c in response.calls]
        return replace(response, content=KEY, tool_calls=wanted or None)

    def permits(self, tool: Any, call: Any) -> Permission:
        return Permission("ask", reason=f"it has {KEY}")


async def test_a_middleware_writes_no_secret_by_any_door() -> None:
    got: list[Any] = []
    session = asked([fetch(got)], [Everywhere()])
    assert (await session.run()).kind == "interrupted"
    session.decide_all("approve")
    assert (await session.run()).kind == "finished"
    assert got == [{"api_key": KEY}]
    assert KEY not in written(session)
    assert "hunter2x" not in written(session)
    assert (await verify(session)).ok


async def test_a_tool_writes_no_secret_by_any_door_and_finds_its_own_again() -> None:
    seen: list[Any] = []

    @tool(consequence=lambda arguments: f"uses {KEY}", agents=[AgentSpec(slug="below")])
    async def fetch(ctx: ToolContext, options: Any = None) -> dict[str, Any]:
        """Fetch."""
        ctx.emit("fetch.request", {"password": "hunter2x", KEY: KEY})
        seen.append((ctx.state, ctx.emitted("fetch.request")))
        await ctx.run_child(
            AgentSpec(slug="below", instructions=KEY), f"Try {KEY}.", info=KEY, state={"k": KEY}
        )
        ctx.interrupt({"why": KEY}, schema={"title": KEY}, state={"token": KEY, KEY: 1})
        return {KEY: f"Bearer {KEY}"}

    session = asked([fetch], [])
    turn = by_turn(calls(("fetch", {})), says("Done."))
    session.model = RuleModel(
        lambda request: says("Fine.") if "Try" in str(request.messages) else turn(request)
    )
    assert (await session.run()).kind == "interrupted"
    session.decide_all("respond", value="yes")
    assert (await session.run()).kind == "finished"
    assert seen[-1] == (
        {"token": KEY, KEY: 1},
        [{"password": "hunter2x", KEY: KEY}],
    )
    assert KEY not in written(session)
    assert "hunter2x" not in written(session)
    assert (await verify(session)).ok


class Provider:
    """A model that says a secret in every field of its answer."""

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        return ModelReply(
            Message("assistant", "Fine.", metadata={"trace": KEY}, name=KEY),
            stop_reason=KEY, model=KEY, provider={"headers": {"authorization": f"Bearer {KEY}"}},
            saved={"api_key": "hunter2x"}, source="cache",
        )  # fmt: skip


async def test_a_provider_writes_no_secret_by_any_field() -> None:
    session = asked([], [], strategy=None)
    session.model = Provider()
    assert (await session.run()).kind == "finished"
    assert KEY not in written(session)
    assert "hunter2x" not in written(session)
    assert (await verify(session)).ok


async def test_a_call_of_a_tool_that_has_a_secret_for_its_name_leaves_none_in_its_scope() -> None:
    class Renames:
        name = "renames"

        async def before_tool_call(self, call: ToolCall) -> ToolCall:
            return replace(call, name=KEY)

    session = asked([fetch([])], [Renames()])
    assert (await session.run()).kind == "finished"
    assert KEY not in written(session)
    assert (await verify(session)).ok
