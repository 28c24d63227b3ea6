"""X-6: the code of a tool goes, or takes other arguments, while a yes to a call of it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest

from agents_app.engine import AgentSpec, tool
from agents_app.engine.spec import from_definition
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn
from tests.unit.agents_engine.test_versions import dies_after

if TYPE_CHECKING:
    from agents_app.engine.tools import Tool
    from playhead.core.events import Event

DONE: list[str] = []
CALL = ("convert", {"into": "eur"})


@tool(approval=True, effectful=True)
async def convert(into: str) -> str:
    """Convert."""
    DONE.append(into)
    return f"in {into}"


def waiting(*turns: Any) -> Session:
    DONE.clear()
    model = RuleModel(by_turn(*(turns or (calls(CALL),)), says("Done.")))
    return Session(AgentSpec(slug="desk", tools=(convert,)), model).start("Please.")


def restarted(session: Session, *code: Tool) -> None:
    """The session in a process that has this code of tools."""
    tools = {each.name: each for each in code}
    session.spec = from_definition(session.events[0].payload["definition"], tools)


def last_result(session: Session) -> Event:
    return session.of("tool_result")[-1]


async def test_x6_an_approved_call_of_a_tool_that_has_gone_has_an_error_that_the_model_reads() -> (
    None
):
    session = waiting()
    await session.run()
    session.decide_all("approve")
    restarted(session)
    assert (await session.run()).kind == "finished"
    result, [decision] = last_result(session), session.of("decision")
    assert result.payload["success"] is False
    assert result.payload["error"]["code"] == "tool_gone"
    assert "convert is not installed here any more" in result.payload["message"]["content"]
    assert result.cause == decision.seq
    assert session.of("lease") == []
    assert len(session.of("llm_request")) == 2
    assert session.of("llm_request")[1].payload["tools"] == [], "offered no longer"
    assert (await verify(session)).ok


async def test_x6_a_rejected_call_of_a_tool_that_has_gone_says_who_rejected_it() -> None:
    session = waiting()
    await session.run()
    session.decide_all("reject")
    restarted(session)
    assert (await session.run()).kind == "finished"
    assert last_result(session).payload["error"]["code"] == "rejected"


async def test_x6_nobody_is_asked_about_a_call_of_a_tool_that_has_gone() -> None:
    session = waiting()
    restarted(session)
    assert (await session.run()).kind == "finished"
    assert session.of("interrupt") == []
    assert last_result(session).payload["error"]["code"] == "unknown_tool"


async def test_x6_a_call_in_doubt_stays_in_doubt_when_its_code_has_gone() -> None:
    session = waiting()
    await session.run()
    session.decide_all("approve")
    session.after_commit = dies_after("tool_call")
    with pytest.raises(Crashed):
        await session.run()
    restarted(session)
    await session.resume()
    [question] = session.questions()
    assert question.payload["kind"] == "in_doubt"
    session.decide(question, "retry")
    assert (await session.run()).kind == "finished"
    assert "convert is not installed here" in last_result(session).payload["message"]["content"]
    assert DONE == []


def with_choice() -> Tool:
    @tool(approval=True, effectful=True)
    async def convert(into: Literal["eur", "usd"]) -> str:
        """Convert."""
        DONE.append(f"new {into}")
        return f"in {into}"

    return convert


async def test_x6_a_yes_waits_for_another_one_when_the_tool_takes_other_arguments() -> None:
    """The new question shows what the code takes now, and says why it is asked."""
    session = waiting()
    await session.run()
    session.decide_all("approve")
    code = with_choice()
    restarted(session, code)
    assert (await session.run()).kind == "interrupted"
    assert DONE == []
    [question] = session.questions()
    assert question.payload["kind"] == "approval"
    assert question.payload["schema"] == code.schema
    assert "has changed" in question.payload["info"]
    session.decide(question, "approve")
    assert (await session.run()).kind == "finished"
    assert DONE == ["new eur"]
    assert len(session.of("llm_request")) == 2
    verdict = await verify(session)
    assert verdict.ok
    assert verdict.derivation.complete
    restarted(session, convert)
    assert (await verify(session)).ok, "the record says what was asked, whatever code reads it"


async def test_x6_a_refusal_names_the_arguments_that_the_code_takes_now() -> None:
    @tool(approval=True, effectful=True, name="convert")
    async def renamed(target: str) -> str:
        """Convert."""
        return target

    session = waiting()
    await session.run()
    session.decide_all("approve")
    restarted(session, renamed)
    assert (await session.run()).kind == "finished"
    text = last_result(session).payload["message"]["content"]
    assert "It takes: target (string)" in text
    assert "into (" not in text
    assert "has changed" in text
    assert (await verify(session)).ok


async def test_x6_a_tool_that_is_as_it_was_is_not_asked_about_again() -> None:
    session = waiting()
    await session.run()
    session.decide_all("approve")
    restarted(session, convert)
    assert (await session.run()).kind == "finished"
    assert DONE == ["eur"]
