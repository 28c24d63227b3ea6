"""What a link hides stands nowhere else in what it shows, whatever paradigm wrote it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agents_app.engine import AgentSpec, tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.engine.masked import masked

ARGUMENT, RESULT, CHANGED = "argument-4711", "result-0815", "changed-2342"
PARTS = ("arguments", "results", "prompts", "cost")


@tool
async def look(key: str) -> str:
    """Look."""
    return f"{RESULT} for nobody"


@tool(effectful=True, approval=True)
async def send(key: str) -> str:
    """Send."""
    return RESULT


NATIVE = ("function-calling", {}, (calls(("look", {"key": ARGUMENT})), says("done")))
REACT = ("react", {}, (says(f"Action: look[{ARGUMENT}]"), says("Final Answer: done")))
CHOICE = (
    "function-calling",
    {"by": "json_schema"},
    (
        says(json.dumps({"tool": "look", "arguments": {"key": ARGUMENT}})),
        says('{"answer": "done"}'),
    ),
)
PLAN = (
    "plan-execute-replan",
    {},
    (
        says('["a", "b"]'),
        calls(("look", {"key": ARGUMENT})),
        says("I found result-0815"),
        says('{"steps": ["b"]}'),
        says("ok"),
        says('{"answer": "done"}'),
    ),
)


async def run(strategy: str, options: Any, replies: Any, *, tools: Any = (look,)) -> Session:
    """A finished session; a question is answered with other arguments."""
    left = iter(replies)
    agent = AgentSpec(slug="desk", tools=tools, strategy=strategy, options=options)
    session = Session(agent, RuleModel(lambda _: next(left))).start("go")
    outcome = await session.run()
    if outcome.kind == "interrupted":
        session.decide_all("edit", arguments={"key": CHANGED})
        outcome = await session.resume()
    assert (outcome.kind, outcome.answer) == ("finished", "done")
    return session


def where(session: Session, text: str, *shown: str) -> list[str]:
    """Types of the events of a masked copy that hold the text."""
    show = {part: part in shown for part in PARTS}
    events = [row.event() for row in masked(session.events, key=b"k" * 32, show=show).events]
    return [event.event_type for event in events if text in json.dumps(event.payload)]


@pytest.mark.parametrize("case", [NATIVE, REACT, CHOICE], ids=["native", "react", "choice"])
async def test_arguments_and_results_are_hidden_where_prompts_are_shown(case: Any) -> None:
    session = await run(*case)
    assert where(session, ARGUMENT, "prompts", "results", "cost") == []
    assert where(session, RESULT, "prompts", "arguments", "cost") == []
    assert "llm_response" in where(session, ARGUMENT, "arguments")
    assert "tool_result" in where(session, RESULT, "results", "prompts")
    assert "session_end" in where(session, "done")


async def test_a_request_keeps_the_places_of_what_is_hidden() -> None:
    """Another request refers to a message by its place."""
    session = await run(*REACT)
    show = dict.fromkeys(PARTS, True) | {"results": False}
    pairs = zip(
        session.events, masked(session.events, key=b"k" * 32, show=show).events, strict=True
    )
    for event, row in pairs:
        if event.event_type == "llm_request":
            shown = row.event().payload["prompt"]
            assert [part[0] for part in shown] == [part[0] for part in event.payload["prompt"]]


@pytest.mark.parametrize("shown", ["arguments", "results"])
async def test_what_a_child_is_told_is_hidden_with_arguments_and_with_results(shown: str) -> None:
    session = await run(*PLAN)
    assert "child_start" in where(session, "I found", "arguments", "results")
    assert "child_start" not in where(session, "I found", shown)


async def test_arguments_that_a_person_changed_are_hidden_in_an_observation() -> None:
    replies = (says(f"Action: send[{ARGUMENT}]"), says("Final Answer: done"))
    session = await run("react", {}, replies, tools=(send,))
    assert "step_end" in where(session, CHANGED, "arguments", "results", "prompts")
    assert where(session, CHANGED, "results", "prompts") == []
    assert "step_end" in where(session, RESULT, "results", "prompts")


async def test_a_reply_that_broke_off_is_hidden_with_arguments() -> None:
    [first, *_] = (await run(*NATIVE)).events
    payload = {"code": "unreachable", "partial": f"Action: look[{ARGUMENT}"}
    broken = replace(first, event_type="llm_error", payload=payload)
    for shown in (True, False):
        show = dict.fromkeys(PARTS, True) | {"arguments": shown}
        [row] = masked([broken], key=b"k" * 32, show=show).events
        assert ("partial" in row.event().payload) == shown


async def test_an_excerpt_that_a_guard_found_is_hidden_with_results() -> None:
    [first, *_] = (await run(*NATIVE)).events
    payload = {"guard": "guardrail", "findings": [{"type": "injection", "excerpt": RESULT}]}
    found = replace(first, event_type="guardrail", payload=payload)
    for shown in (True, False):
        show = dict.fromkeys(PARTS, True) | {"results": shown}
        [row] = masked([found], key=b"k" * 32, show=show).events
        assert ("findings" in row.event().payload) == shown
