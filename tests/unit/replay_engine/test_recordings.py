"""S0-43: recordings of agents, and drift that is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, tool
from agents_app.testing import RuleModel, ScriptedModel, calls, says
from replay_app.testing import assert_matches_recording, load_recording, record

if TYPE_CHECKING:
    from pathlib import Path

RAN: list[str] = []


@tool
def look_up(key: str) -> str:
    """Look something up."""
    RAN.append(key)
    return f"{key} is there"


@tool(effectful=True, approval=True)
def pay(to: str) -> str:
    """Pay somebody."""
    RAN.append(to)
    return f"paid {to}"


DESK = AgentSpec(slug="desk", instructions="Keep the house.\nBe kind.", tools=(look_up, pay))
TURNS = [calls(("look_up", {"key": "door"}), ("pay", {"to": "Bo"})), says("It is.")]


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "desk.jsonl"
    record(path, DESK, model=ScriptedModel(TURNS), text="Door?", decide=lambda _q: "approve")
    RAN.clear()
    return path


def drift(path: Path, spec: AgentSpec, **options: Any) -> str:
    with pytest.raises(AssertionError) as failed:
        assert_matches_recording(path, spec, **options)
    return str(failed.value)


def test_s0_43_the_same_agent_matches_and_nothing_is_called(recording: Path) -> None:
    events = assert_matches_recording(recording, DESK)
    assert RAN == []
    assert events[-1].payload["answer"] == "It is."
    assert [event.event_type for event in events].count("decision") == 1


async def test_it_works_inside_of_a_running_loop(recording: Path) -> None:
    assert assert_matches_recording(recording, DESK)


def test_s0_43_another_prompt_is_shown_with_what_changed(recording: Path) -> None:
    said = drift(recording, replace(DESK, instructions="Keep the house.\nBe strict."))
    assert "the agent does not do any more what was recorded" in said
    assert "First difference: event 3, llm_request" in said
    assert "in agent:desk/0" in said
    assert '- "instructions": "Keep the house.\\nBe kind.",' in said.replace("-  ", "- ")
    assert '+ "instructions": "Keep the house.\\nBe strict.",' in said.replace("+  ", "+ ")
    assert "PLAYHEAD_UPDATE_RECORDINGS=1" in said


def test_another_tool_is_drift(recording: Path) -> None:
    assert "llm_request" in drift(recording, replace(DESK, tools=(look_up,)))


def test_an_approval_that_is_not_asked_for_any_more_is_drift(recording: Path) -> None:
    free = replace(pay, approval=False)
    said = drift(recording, replace(DESK, tools=(look_up, free)))
    assert "First difference" in said


def test_another_loop_body_is_drift(recording: Path) -> None:
    assert "First difference" in drift(recording, replace(DESK, strategy="simple"))


def test_a_middleware_that_changes_what_the_model_sees_is_drift(recording: Path) -> None:
    class Shouts:
        name = "shouts"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            return [replace(each, content=each.content.upper()) for each in messages]

    assert "llm_request" in drift(recording, DESK, middlewares=[Shouts()])


def test_what_only_people_read_is_no_drift(recording: Path) -> None:
    assert_matches_recording(recording, replace(DESK, description="New words.", samples=("x",)))


def test_a_recording_that_is_not_there_is_made_or_missed(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    assert "it is not there" in drift(path, DESK)
    model = RuleModel(lambda _request: says("Yes."))
    assert_matches_recording(path, DESK, model=model, text="Well?")
    assert len(model.requests) == 1
    assert_matches_recording(path, DESK, model=model, text="Well?")
    assert len(model.requests) == 1


def test_an_update_asks_the_model_again_with_the_old_question(
    recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(DESK, instructions="Be strict.")
    model = ScriptedModel([says("No.")])
    assert "for which a model and a text are needed" in drift(recording, changed, update=True)
    assert_matches_recording(recording, changed, model=model, update=True)
    assert model.requests[0][-1].content == "Door?"
    assert load_recording(recording)[-1].payload["answer"] == "No."
    assert_matches_recording(recording, changed)
    monkeypatch.setenv("PLAYHEAD_UPDATE_RECORDINGS", "1")
    assert_matches_recording(recording, DESK, model=ScriptedModel([says("Maybe.")]))
    assert load_recording(recording)[-1].payload["answer"] == "Maybe."


def test_a_recording_of_another_loop_says_so(recording: Path) -> None:
    text = recording.read_text().replace('"loop_version":1', '"loop_version":0')
    recording.write_text(text)
    assert "loop version 0" in drift(recording, DESK)
