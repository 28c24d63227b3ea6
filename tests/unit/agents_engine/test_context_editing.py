"""Context editing: what the model sees gets shorter, the history stays, and replays."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, tool
from agents_app.engine.parts import BUILT_IN
from agents_app.testing import RuleModel, Session, calls, says
from playhead.core.errors import InvalidInput
from tests.unit.agents_engine.crashing import holds, survives
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest

LONG = "x" * 400


@tool
async def read(page: int) -> str:
    """Read a page."""
    return f"{page} {LONG}"


@tool
async def rules(page: int) -> str:
    """Read the rules."""
    return f"rule {page} {LONG}"


def session(*turns: Message, **options: Any) -> Session:
    turns = turns or tuple(calls(("read", {"page": page})) for page in range(8))
    uses = ({"use": "context-editing", "trigger": 450, **options},)
    spec = AgentSpec(slug="desk", tools=(read, rules), middleware=uses)
    return Session(spec, RuleModel(by_turn(*turns, says("Done.")))).start("Read them all.")


def results(request: ModelRequest) -> list[str]:
    return [m.content.split(" ")[0] for m in request.messages if m.role == "tool"]


def requests(session: Session) -> list[ModelRequest]:
    return session.model.requests  # type: ignore[attr-defined, no-any-return]


async def test_old_results_are_cleared_for_the_model_and_kept_in_the_history() -> None:
    made = session()
    assert (await made.run()).answer == "Done."
    seen = [results(request) for request in requests(made)]
    assert seen[4] == ["[cleared]", "1", "2", "3"]
    assert seen[8] == ["[cleared]"] * 5 + ["5", "6", "7"]
    assert [e.payload["message"]["content"] for e in made.of("tool_result")] == [
        f"{page} {LONG}" for page in range(8)
    ]
    await holds(made)


async def test_what_is_cleared_stays_cleared_and_costs_one_message_once() -> None:
    made = session()
    await made.run()
    seen = [results(request) for request in requests(made)]
    for before, after in itertools.pairwise(seen):
        cleared = [place for place, text in enumerate(before) if text == "[cleared]"]
        assert all(after[place] == "[cleared]" for place in cleared)
    inline = [
        entry[1]["tool_call_id"]
        for event in made.of("llm_request")
        for entry in event.payload["prompt"]
        if entry[0] == "n"
    ]
    assert len(inline) == len(set(inline)) == 5


async def test_a_crash_anywhere_changes_nothing_of_what_the_model_sees() -> None:
    await survives(session, lambda made: results(requests(made)[-1]))


async def test_results_of_some_tools_stay_and_inputs_can_go_too() -> None:
    turns = [calls(("rules", {"page": 1})), *(calls(("read", {"page": n})) for n in range(5))]
    made = session(*turns, exclude_tools=("rules",), clear_tool_inputs=True, keep=1)
    await made.run()
    last = requests(made)[-1].messages
    assert results(requests(made)[-1]) == ["rule", *["[cleared]"] * 4, "4"]
    arguments = [call.arguments for m in last for call in m.calls]
    assert arguments == [{"page": 1}, {}, {}, {}, {}, {"page": 4}]
    ids = [call.id for m in last for call in m.calls]
    assert ids == [m.tool_call_id for m in last if m.role == "tool"]
    await holds(made)


async def test_as_much_is_cleared_as_is_asked_for() -> None:
    made = session(clear_at_least=90, keep=0)
    await made.run()
    assert results(requests(made)[4]) == ["[cleared]", "1", "2", "3"]
    assert results(requests(made)[5]) == ["[cleared]", "[cleared]", "2", "3", "4"]


@pytest.mark.parametrize(
    ("option", "value"), [("trigger", 0), ("keep", -1), ("exclude_tools", "read"), ("kept", 1)]
)
def test_an_option_that_does_not_fit_is_named(option: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refusal:
        BUILT_IN.chain([{"use": "context-editing", option: value}])
    assert refusal.value.detail["field"] == f"middleware.0.{option}"
