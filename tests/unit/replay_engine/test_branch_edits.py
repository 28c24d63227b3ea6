"""What a branch begins with instead: edited events, and overrides of the agent."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.engine import AgentSpec, Message
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import branch
from tests.unit.agents_engine.scenarios import Ledger, look_up
from tests.unit.replay_engine.parents import (
    PAY,
    counting,
    crash_at,
    desk,
    holds,
    results,
    seq_of,
)


async def test_an_edited_request_is_sent_as_edited_this_once() -> None:
    """The attempt that sends it is written first, and says why; the next is made as ever."""
    ledger = Ledger()
    parent = desk(ledger, calls(("look_up", {"key": "a"})), says("Done."))
    await parent.run()
    at = seq_of(parent, "llm_request")
    messages = [{"role": "user", "content": "Something else."}]
    child = branch(parent, at, replace={"messages": messages, "params": {"top_p": 1}})
    await child.run()
    sent = child.model.requests[-2]  # type: ignore[attr-defined]
    assert [m.content for m in sent.messages] == ["Something else."]
    assert dict(sent.params) == {"top_p": 1}
    [attempt] = [e for e in child.of("llm_attempt") if e.cause == at]
    assert (attempt.payload["n"], attempt.payload["reason"]) == (1, "edited")
    after = child.model.requests[-1].messages  # type: ignore[attr-defined]
    assert [m.content for m in after][:2] == ["Help.", "Please."]
    await holds(child)


@pytest.mark.parametrize("durable", [False, True], ids=["before", "after"])
async def test_an_edited_request_is_sent_as_edited_after_a_crash_too(durable: bool) -> None:
    """It is never abandoned."""
    ledger = Ledger()
    parent = desk(ledger, calls(("look_up", {"key": "a"})), says("Done."))
    await parent.run()
    at = seq_of(parent, "llm_request")
    edit = {"messages": [{"role": "user", "content": "Something else."}]}
    calm = branch(parent, at, replace=edit, session_id="sess_calm")
    await calm.run()
    for number in range(1, calm.commits + 1):
        child = branch(parent, at, replace=edit, session_id=f"sess_{number}")
        setattr(child, "after_commit" if durable else "before_commit", crash_at(number))
        await child.finish()
        assert all(at not in e.payload["abandoned"] for e in child.of("lease")), number
        attempts = [e.payload["reason"] for e in child.of("llm_attempt") if e.cause == at]
        assert attempts[0] == "edited"
        await holds(child)


async def test_s3_58_another_message_another_answer_another_result() -> None:
    """What came from outside is replaced: each leads the branch somewhere else, and verifies."""
    ledger = Ledger()

    def rule(request: Any) -> Message:
        said = request.messages[-1].content
        if said == "Please pay.":
            return calls(PAY)
        return says(f"I read: {said}")

    spec = AgentSpec(slug="desk", tools=(counting(ledger), look_up(ledger)))
    parent = Session(spec, RuleModel(rule)).start("Please pay.")
    await parent.run()
    edits: dict[str, tuple[dict[str, Any], str]] = {
        "user_message": ({"message": {"content": "Hello."}}, "I read: Hello."),
        "llm_response": ({"message": {"content": "No.", "tool_calls": []}}, "No."),
        "tool_result": ({"message": {"content": "It failed."}}, "I read: It failed."),
    }
    for event_type, (given, answer) in edits.items():
        at = seq_of(parent, event_type)
        child = branch(parent, at, replace=given, session_id=f"sess_{event_type}")
        outcome = await child.run()
        assert (outcome.kind, outcome.answer) == ("finished", answer)
        edited = child.events[at - 1]
        assert edited.edited is not None
        assert edited.edited["of"] == at
        assert child.events[at].event_type == "branch"
        await holds(child)
    assert len(ledger.done) == 1


async def test_k62_an_edited_decision_answers_its_question() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."), pays=counting(ledger, approval=True))
    await parent.run()
    parent.decide_all("approve")
    await parent.run()
    at = seq_of(parent, "decision")
    child = branch(parent, at, replace={"decision": "reject", "message": "No."})
    await child.run()
    [(source, text)] = results(child)
    assert (source, "No." in text) == ("person", True)
    assert len(ledger.done) == 1
    await holds(child)


async def test_overrides_hold_from_the_first_request_after_the_fork() -> None:
    """Model, instructions, parameters: an answer that is inherited keeps its own."""
    ledger = Ledger()
    parent = desk(ledger, calls(("look_up", {"key": "a"})), calls(PAY), says("Done."))
    await parent.run()
    overrides = {"model": "other:one", "instructions": "Be brief.", "params": {"top_p": 1}}
    at = seq_of(parent, "llm_request", 1)
    child = branch(parent, at, overrides=overrides)
    await child.run()
    requests = child.of("llm_request")
    assert [e.payload["model"] for e in requests] == ["scripted:echo", "other:one", "other:one"]
    sent = child.model.requests[-2]  # type: ignore[attr-defined]
    assert (sent.messages[0].content, dict(sent.params)) == ("Be brief.", {"top_p": 1})
    assert results(child) == [("recorded", "payment 1")]
    await holds(child)


async def test_an_override_of_the_version_is_the_agent_of_that_version() -> None:
    """Its instructions and its tools: a tool that is another one now has no recorded result."""
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."))
    await parent.run()
    newer = AgentSpec(
        slug="desk", instructions="Help more.", tools=(counting(ledger, version="2"),)
    )
    child = branch(parent, 3, overrides={"version": 2})
    child.versions = {2: newer}
    assert (await child.run()).kind == "interrupted"
    assert child.model.requests[-1].messages[0].content == "Help more."  # type: ignore[attr-defined]
    child.decide_all("approve")
    await child.run()
    assert child.of("tool_call")[0].payload["version"] == "2"
    await holds(child)
