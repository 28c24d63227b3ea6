"""I-1, I-4: what our own code, a strategy or a middleware says may be anything, and ends no log."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.engine import AgentSpec, Finish, Message, SecurityError, ToolContext, tool
from agents_app.engine.loop.hooks import current
from agents_app.testing import RuleModel, Session, calls, says
from playhead.core import canonical
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn

BAD = "a\0b \ud800"
GOOD = "a\ufffdb \ufffd"


class Saying:
    """A strategy that finishes with a text of its own, or fails with one."""

    name = "saying"

    def __init__(self, *, fails: bool) -> None:
        self.fails = fails

    def start(self, task: str, history: Any) -> dict[str, Any]:
        return {}

    async def step(self, state: dict[str, Any], ctx: Any) -> Finish:
        if self.fails:
            raise RuntimeError(BAD)
        return Finish(BAD)


async def ends(session: Session, kind: str) -> str:
    """The text with which the run ends; the log holds, to its last byte."""
    outcome = await session.start("Go.").run()
    assert outcome.kind == kind, outcome
    assert (await verify(session)).ok
    for event in session.events:
        assert b"\\u0000" not in canonical.dumps(event.payload)
    return str(outcome.answer)


@pytest.mark.parametrize("fails", [False, True])
async def test_i1_a_text_of_a_strategy(fails: bool) -> None:
    session = Session(AgentSpec(slug="desk"), RuleModel(says), strategy=Saying(fails=fails))  # type: ignore[arg-type]
    said = await ends(session, "failed" if fails else "finished")
    assert GOOD in said


@pytest.mark.parametrize("error", [ValueError, SecurityError])
async def test_i1_an_error_of_a_middleware(error: type[Exception]) -> None:
    class Failing:
        name = "failing"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            raise error(BAD)

    session = Session(
        AgentSpec(slug="desk"), RuleModel(lambda _: says("Hi.")), middlewares=lambda: [Failing()]
    )
    assert GOOD in await ends(session, "failed")


async def test_i1_i4_what_a_middleware_writes() -> None:
    class Noting:
        name = "noting"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            async def ask() -> Any:
                return {BAD: float("nan")}

            found = await current().effect("look", {"q": BAD, "n": float("inf")}, ask)
            assert found == {GOOD: "NaN"}
            current().emit("limit", what=BAD, limit=float("nan"), used=0)
            return messages

    session = Session(
        AgentSpec(slug="desk"), RuleModel(lambda _: says("Hi.")), middlewares=lambda: [Noting()]
    )
    assert await ends(session, "finished") == "Hi."
    assert session.of("limit")[0].payload["what"] == GOOD


async def test_i1_an_error_of_a_tool_and_a_question_from_inside() -> None:
    @tool
    async def fail(ctx: ToolContext) -> str:
        """Ask, then fail."""
        ctx.interrupt(BAD, schema={"type": "string", "description": BAD}, state={BAD: BAD})
        raise ValueError(BAD)

    model = RuleModel(by_turn(calls(("fail", {})), says("Done.")))
    session = Session(AgentSpec(slug="desk", tools=(fail,)), model)
    await ends(session, "interrupted")
    [question] = session.questions()
    assert question.payload["info"] == GOOD
    session.decide(question, "respond", value="x")
    assert (await session.run()).kind == "finished"
    [result] = session.of("tool_result")
    assert GOOD in result.payload["error"]["message"]
    assert (await verify(session)).ok
