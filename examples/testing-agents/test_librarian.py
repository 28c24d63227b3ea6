"""Four layers of tests for one agent; all of them run offline.

``pytest`` in this folder. ``PLAYHEAD_UPDATE_RECORDINGS=1 pytest`` records again.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from librarian import LIBRARIAN, find_author

from agents_app.engine import AgentLoop
from agents_app.testing import (
    Judge,
    ScriptedModel,
    assert_cites,
    assert_json,
    assert_length,
    assert_no_personal_data,
    calls,
    says,
)
from replay_app.testing import assert_matches_recording

QUESTION = "Who wrote Emma?"
ANSWER = '{"title": "Emma", "author": "Jane Austen"}\nSource: [catalogue]'
RECORDING = Path(__file__).parent / "recordings" / "emma.jsonl"


def script() -> ScriptedModel:
    return ScriptedModel([calls(("find_author", {"title": "Emma"})), says(ANSWER)])


# 1. Logic, with a scripted model: fast, free, the same every time.


async def test_the_author_comes_from_the_tool() -> None:
    model = script()
    answer = await AgentLoop(model, [find_author]).run(QUESTION)
    assert answer == ANSWER
    assert model.requests[1][-1].content == "Jane Austen"


# 2. A recorded session: does the agent still do with the same answers what it did then?


def test_the_agent_does_what_was_recorded() -> None:
    assert_matches_recording(RECORDING, LIBRARIAN, model=script(), text=QUESTION)


def test_a_drift_is_shown() -> None:
    changed = replace(LIBRARIAN, instructions="Answer in verse.")
    with pytest.raises(AssertionError, match="First difference: event 3, llm_request"):
        assert_matches_recording(RECORDING, changed, update=False)


# 3. Properties of the answer, whatever its words.


def test_what_must_hold_of_any_answer() -> None:
    events = assert_matches_recording(RECORDING, LIBRARIAN, model=script(), text=QUESTION)
    answer = events[-1].payload["answer"]
    assert_json(answer, "title", "author", embedded=True)
    assert_cites(answer, {"catalogue"})
    assert_no_personal_data(answer)
    assert_length(answer, at_most=300)


# 4. Quality, by a judge. Give it a real model: OpenAIChat("gpt-4o-mini", api_key=…).


def test_the_answer_is_good() -> None:
    verdict = {
        "correct": {"score": 5, "reason": "Emma is by Jane Austen."},
        "sourced": {"score": 4, "reason": "The catalogue is cited."},
    }
    judge = Judge(
        ScriptedModel([says(json.dumps(verdict))]),
        {"correct": "Is the author right?", "sourced": "Does it say where it knows that from?"},
        threshold=0.8,
    )
    judge.assert_good(ANSWER, question=QUESTION)
