"""Summarisation: safe cuts, one summary that replays, and no run lost to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Limits, Message, ModelError, tool
from agents_app.engine.middleware.places import safe_cut
from agents_app.engine.parts import BUILT_IN
from agents_app.testing import RuleModel, Session, calls, says
from playhead.core.errors import InvalidInput
from tests.unit.agents_engine.crashing import holds, survives
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest
    from playhead.core.events import Event

TWO = calls(("read", {"page": 1}), ("read", {"page": 2}))


@tool
async def read(page: int) -> str:
    """Read a page."""
    return f"page {page} {{braces}}"


def is_inner(request: ModelRequest) -> bool:
    return "<messages>" in request.messages[0].content


def session(
    *, summary: Any = None, turns: int = 6, window: int | None = None, **options: Any
) -> Session:
    talk = by_turn(*[TWO] * turns, says("Done."))

    def rule(request: ModelRequest) -> Message | Exception:
        if not is_inner(request):
            asked = {e.seq for e in conversation(made)}  # a summary hides turns that were taken
            taken = sum(e.cause in asked for e in made.of("llm_response"))
            return says("Done.") if taken >= turns else talk(request)
        answer = summary if summary is not None else says("So far: pages were read.")
        return answer if isinstance(answer, (Message, Exception)) else answer(request)

    uses = ({"use": "summarisation", **({"messages": 9, "keep": 4} | options)},)
    spec = AgentSpec(
        slug="desk", instructions="Read.", tools=(read,), middleware=uses,
        limits=Limits(max_steps=20, window=window),
    )  # fmt: skip
    made = Session(spec, RuleModel(rule))
    return made.start("Read all pages.")


def conversation(made: Session) -> list[Event]:
    return [e for e in made.of("llm_request") if not e.payload.get("internal")]


def asked(made: Session, *, inner: bool) -> list[ModelRequest]:
    return [r for r in made.model.requests if is_inner(r) == inner]  # type: ignore[attr-defined]


async def test_the_beginning_is_summarised_and_no_call_loses_its_results() -> None:
    made = session()
    assert (await made.run()).answer == "Done."
    for request in asked(made, inner=False):
        called = [call.id for m in request.messages for call in m.calls]
        assert called == [m.tool_call_id for m in request.messages if m.role == "tool"]
        assert len(request.messages) <= 11
    last = asked(made, inner=False)[-1].messages
    assert [m.role for m in last[:2]] == ["system", "user"]
    assert last[1].content.endswith("So far: pages were read.")
    assert len(made.of("tool_result")) == 12
    await holds(made)


async def test_a_summary_is_asked_for_once_marked_and_taken_over_by_the_next() -> None:
    made = session(turns=9, messages=15)
    await made.run()
    inner = asked(made, inner=True)
    assert len(inner) == len(made.of("llm_request")) - len(conversation(made)) == 2
    assert "Summary so far:\nSo far: pages were read." in inner[1].messages[0].content
    assert "page 1 {braces}" in inner[0].messages[0].content
    assert inner[0].tools == ()


async def test_a_crash_anywhere_asks_for_no_other_summary() -> None:
    def told(made: Session) -> Any:
        kept = [e.payload["state"]["middleware"] for e in made.of("step_end")]
        texts = [state.get("summarisation", {}).get("summary") for state in kept]
        return texts, made.of("session_end")[0].payload["answer"]

    calm = await survives(session, told)
    assert calm.of("step_end")[-1].payload["state"]["middleware"]["summarisation"]["summary"]


@pytest.mark.parametrize("permanent", [True, False])
async def test_a_summariser_that_fails_does_not_lose_the_run(permanent: bool) -> None:
    error = ModelError("broken", code="server_error", permanent=permanent)
    made = session(summary=error)
    assert (await made.run()).answer == "Done."
    assert made.questions() == []
    assert len(asked(made, inner=False)[-1].messages) == 20
    await holds(made)


async def test_a_summary_outlives_the_window_that_moves_on_behind_it() -> None:
    made = session(turns=12, window=10)
    await made.run()
    shown = [r.messages[1].content for r in asked(made, inner=False)]
    first = next(n for n, text in enumerate(shown) if "So far" in text)
    assert all("So far" in text for text in shown[first:])
    await holds(made)


async def test_another_model_may_summarise() -> None:
    made = session(model="scripted:small")
    await made.run()
    assert {r.model for r in asked(made, inner=True)} == {"scripted:small"}


def test_h15_r45_a_cut_goes_before_the_call_whose_results_it_would_part() -> None:
    messages = [
        Message("user", "a"), TWO, Message("tool", "1", tool_call_id="call_0"),
        Message("tool", "2", tool_call_id="call_1"), Message("assistant", "b"),
    ]  # fmt: skip
    assert [safe_cut(messages, at) for at in range(6)] == [0, 1, 1, 1, 4, 5]


@pytest.mark.parametrize(
    ("options", "field"),
    [({}, "tokens"), ({"messages": 3}, "messages"), ({"fraction": 1.5}, "fraction")],
)
def test_when_to_summarise_must_be_said(options: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        BUILT_IN.chain([{"use": "summarisation", **options}])
    assert str(refusal.value.detail["field"]).startswith(f"middleware.0.{field}")


async def test_tokens_and_a_part_of_what_the_model_reads_are_triggers_too() -> None:
    for options in ({"tokens": 120}, {"fraction": 0.5, "context_tokens": 240}):
        made = session(**options, messages=None)
        await made.run()
        assert asked(made, inner=True)
