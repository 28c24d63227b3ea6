"""Law 10: what comes from outside is sealed or taken out, by whichever door it comes."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, ModelError, ToolResult, current, tool
from agents_app.engine.errors import EffectFailed
from agents_app.engine.parts import BUILT_IN
from agents_app.engine.ports import ModelReply
from agents_app.testing import RuleModel, Session, calls, says
from playhead.core.errors import InvalidInput
from playhead.core.seal import unseal
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn
from tests.unit.agents_engine.vault import KEY, TreeSeals

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelHandler, ModelRequest


class Raises:
    name = "raises"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        raise OSError(f"could not reach https://x?api_key={KEY}")


class Looks:
    name = "looks"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        async def do() -> Any:
            return {"api_key": KEY}

        await current().effect("look", {"with": f"Bearer {KEY}"}, do)
        current().emit("guardrail", guard="looks", verdict="pass", of=2, note=f"Bearer {KEY}")
        return messages


class Answers:
    """A wrap that answers by itself, or says more than the model did, in a reply of its own."""

    name = "answers"

    def __init__(self, *, alone: bool) -> None:
        self.alone = alone

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        if self.alone:
            return ModelReply(Message("assistant", f"It is {KEY}."), stop_reason="stop")
        message = (await call(request)).message
        return ModelReply(replace(message, content=f"{message.content} And {KEY}."))


class Says:
    """Hooks that write more than they were given."""

    name = "says"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        return [Message("user", f"Use {KEY}."), *messages]

    async def after_llm_call(self, response: Message) -> Message:
        return replace(response, content=f"It is {KEY}.")

    async def after_tool_call(self, result: ToolResult) -> ToolResult:
        return replace(result, content=f"It was {KEY}.")


class Fails:
    name = "fails"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        async def do() -> Any:
            raise OSError(f"could not reach https://x?api_key={KEY}")

        with suppress(EffectFailed):
            await current().effect("look", {}, do)
        return messages


def broken(_request: Any) -> Any:
    return ModelError(f"401 for key {KEY}", code="server_error", permanent=False)


@pytest.mark.parametrize(
    ("rule", "middlewares"),
    [
        (broken, []),
        (by_turn(says("ok")), [Raises()]),
        (by_turn(says("ok")), [Looks()]),
        (by_turn(says("ok")), [Answers(alone=True)]),
        (by_turn(says("ok")), [Fails()]),
    ],
    ids=[
        "a provider's error and its question",
        "an exception",
        "an effect and a note",
        "a wrap's own answer",
        "an effect that fails",
    ],
)
async def test_no_secret_from_outside_reaches_the_log(rule: Any, middlewares: list[Any]) -> None:
    session = Session(
        AgentSpec(slug="desk"), RuleModel(rule), seals=TreeSeals(), middlewares=lambda: middlewares
    ).start("Hi.")
    await session.run()
    assert KEY not in str([event.payload for event in session.events])
    assert (await verify(session)).ok


async def test_what_hooks_say_of_their_own_holds_no_secret() -> None:
    @tool
    async def look() -> str:
        """Look."""
        return "seen"

    model = RuleModel(by_turn(calls(("look", {})), says("Done.")))
    spec = AgentSpec(slug="desk", tools=(look,))
    session = Session(spec, model, seals=TreeSeals(), middlewares=lambda: [Says()]).start("Go.")
    assert (await session.run()).kind == "finished"
    assert len(session.of("edit")) == 3
    assert KEY not in str([event.payload for event in session.events])
    assert (await verify(session)).ok


async def test_what_a_wrap_makes_of_an_answer_is_sealed_and_keeps_what_was() -> None:
    seals, other = TreeSeals(), "sk-proj-AAAABBBBCCCCDDDDEEEE1234567890uiopasdfgh"
    model = RuleModel(lambda _: says(f"The key is {other}."))
    session = Session(
        AgentSpec(slug="desk"), model, seals=seals, middlewares=lambda: [Answers(alone=False)]
    ).start("Hi.")
    await session.run()
    (response,) = session.of("llm_response")
    text = str(response.payload["message"]["content"])
    assert KEY not in text
    assert other not in text
    assert unseal(response.payload, response.sealed or (), seals.known)["message"]["content"] == (
        f"The key is {other}. And {KEY}."
    )
    assert {secret for _, secret in session.log.vault.values()} == {KEY, other}
    assert (await verify(session)).ok


async def test_an_edited_answer_keeps_the_sealed_values_of_its_calls() -> None:
    """A hook that changes only the text of an answer must not blind the tool to its argument."""
    got: list[str] = []

    @tool(secret=("pin",))
    async def unlock(pin: str) -> str:
        """Unlock."""
        got.append(pin)
        return "unlocked"

    class Polite:
        name = "polite"

        async def after_llm_call(self, response: Message) -> Message:
            return replace(response, content=f"{response.content} Please.")

    seals = TreeSeals()
    model = RuleModel(by_turn(calls(("unlock", {"pin": "77341902"})), says("Open.")))
    spec = AgentSpec(slug="desk", tools=(unlock,))
    session = Session(spec, model, seals=seals, middlewares=lambda: [Polite()]).start("Unlock.")
    await session.run()
    assert got == ["77341902"]
    assert "77341902" not in str([event.payload for event in session.events])
    assert (await verify(session)).ok


ARGUMENTS = json.dumps({"key": f"Bearer {KEY}"})


@pytest.mark.parametrize(
    ("strategy", "options", "first", "last"),
    [
        ("react", {}, f"Thought: go\nAction: fetch[{ARGUMENTS}]", "Final Answer: Done."),
        ("react", {}, f"Action: fetch[Bearer {KEY}]", "Final Answer: Done."),
        (
            "function-calling",
            {"by": "json_schema"},
            f'{{"tool": "fetch", "arguments": {ARGUMENTS}}}',
            '{"answer": "Done."}',
        ),
    ],
)
async def test_a_call_in_text_gets_the_sealed_value_and_the_log_does_not(
    strategy: str, options: dict[str, Any], first: str, last: str
) -> None:
    got: list[str] = []

    @tool
    async def fetch(key: str) -> str:
        """Fetch."""
        got.append(key)
        return "ok"

    spec = AgentSpec(slug="desk", tools=(fetch,), strategy=strategy, options=options)
    turns = iter([says(first), says(last)])
    model = RuleModel(lambda _request: next(turns))
    session = Session(spec, model, seals=TreeSeals()).start("Go.")
    outcome = await session.run()
    assert (outcome.answer, got) == ("Done.", [f"Bearer {KEY}"])
    assert KEY not in str([event.payload for event in session.events])
    assert (await verify(session)).ok


async def test_a_mark_that_a_model_only_writes_opens_nothing() -> None:
    got: list[str] = []

    @tool
    async def fetch(key: str) -> str:
        """Fetch."""
        got.append(key)
        return "ok"

    mark = TreeSeals().seal(KEY).value
    first = f"Thought: {KEY} is the key\nAction: fetch[{mark}]"
    turns = iter([says(first), says("Final Answer: Done.")])
    spec = AgentSpec(slug="desk", tools=(fetch,), strategy="react")
    session = Session(spec, RuleModel(lambda _request: next(turns)), seals=TreeSeals()).start("Go.")
    await session.run()
    assert got == [mark]


@pytest.mark.parametrize(
    ("strategy", "options"), [("react", {}), ("function-calling", {"by": "json_schema"})]
)
def test_a_text_strategy_is_refused_a_tool_with_a_secret_argument(
    strategy: str, options: dict[str, Any]
) -> None:
    """Nothing tells which part of a text the argument is: it would stand in the log."""

    @tool(secret=("moon",))
    async def unlock(moon: str) -> str:
        """Unlock."""
        return moon

    spec = AgentSpec(slug="desk", tools=(unlock,), strategy=strategy, options=options)
    with pytest.raises(InvalidInput, match=f"{strategy}: .*moon of tool unlock") as refusal:
        BUILT_IN.actor(spec)
    assert refusal.value.detail["field"] == "strategy"
    assert BUILT_IN.actor(replace(spec, strategy="function-calling", options={}))
