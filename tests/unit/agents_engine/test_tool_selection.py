"""Tool selection: the request says which tools it offered, and a replay offers the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentLoop, AgentSpec, Message, ModelError, tool
from agents_app.engine.loop.hooks import current
from agents_app.testing import RuleModel, ScriptedModel, Session, calls, says
from tests.unit.agents_engine.crashing import holds, survives
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest


@tool
def refund_order(order: str) -> str:
    """Pay an order back (退款)."""
    return f"{order} is paid back"


@tool
def track_parcel(order: str) -> str:
    """Say where a parcel is."""
    return "in transit"


@tool
def ask_human(question: str) -> str:
    """Ask a colleague."""
    return "yes"


TOOLS = (refund_order, track_parcel, ask_human)


def is_inner(request: ModelRequest) -> bool:
    return "select the tools" in request.messages[0].content


def session(*choices: Any, text: str = "Where is my parcel?", **options: Any) -> Session:
    talk = by_turn(calls(("track_parcel", {"order": "A1"})), says("It is in transit."))

    def rule(request: ModelRequest) -> Message | Exception:
        if not is_inner(request):
            return talk(request)
        tried = sum(m.role == "assistant" for m in request.messages)
        choice = choices[min(tried, len(choices) - 1)]
        return choice if isinstance(choice, Exception) else says(choice)

    uses = ({"use": "tool-selection", **options},)
    spec = AgentSpec(slug="desk", instructions="Help.", tools=TOOLS, middleware=uses)
    return Session(spec, RuleModel(rule)).start(text)


def offered(made: Session) -> list[list[str]]:
    """What each request of the conversation offered, as the log says it."""
    by_seq: dict[int, list[str]] = {}
    out = []
    for event in made.of("llm_request"):
        tools = event.payload["tools"]
        if isinstance(tools, list):
            by_seq[event.seq] = [each["function"]["name"] for each in tools]
        if not event.payload.get("internal"):
            out.append(by_seq[event.seq if isinstance(tools, list) else tools])
    return out


async def test_the_model_is_offered_what_was_chosen_and_the_log_says_so() -> None:
    made = session('{"tools": ["track_parcel"]}', always_include=("ask_human",))
    assert (await made.run()).answer == "It is in transit."
    assert offered(made) == [["track_parcel", "ask_human"]] * 2
    sent = [[t["function"]["name"] for t in r.tools] for r in made.model.requests]  # type: ignore[attr-defined]
    assert sent == [[], ["track_parcel", "ask_human"], ["track_parcel", "ask_human"]]
    await holds(made)


async def test_what_the_user_says_next_is_chosen_for_anew() -> None:
    made = session('{"tools": ["track_parcel"]}')
    await made.run()
    made.say("Thank you. Pay it back, please.")
    await made.run()
    assert sum(bool(e.payload.get("internal")) for e in made.of("llm_request")) == 2


async def test_r55_the_inner_question_is_marked_and_nothing_of_its_answer_streams() -> None:
    made = session('{"tools": ["track_parcel"]}')
    await made.run()
    assert made.deltas == ["It ", "is ", "in ", "transit."]
    (inner,) = [e for e in made.of("llm_request") if e.payload.get("internal")]
    assert inner.scope == "agent:desk/0;mw:tool-selection"
    assert all(
        "select the tools" not in m.content for r in made.model.requests[1:] for m in r.messages
    )  # type: ignore[attr-defined]


async def test_an_answer_that_names_no_tools_is_asked_for_again() -> None:
    made = session("Sure!", '["track_parcel"]')
    await made.run()
    assert offered(made)[0] == ["track_parcel"]
    made = session('{"tools": ["fly"]}', '```json\n{"tools": ["track_parcel"]}\n```')
    await made.run()
    assert offered(made)[0] == ["track_parcel"]
    await holds(made)


@pytest.mark.parametrize("choice", ["Sure!", ModelError("no", code="auth", permanent=True)])
async def test_when_none_comes_all_are_offered_or_the_run_ends(choice: Any) -> None:
    made = session(choice, on_failure="all")
    assert (await made.run()).kind == "finished"
    assert offered(made)[0] == ["refund_order", "track_parcel", "ask_human"]
    await holds(made)
    made = session(choice)
    outcome = await made.run()
    assert (outcome.kind, outcome.code) == ("failed", "middleware_error")
    await holds(made)


async def test_at_most_so_many() -> None:
    made = session('["track_parcel", "refund_order"]', max_tools=1)
    await made.run()
    assert offered(made)[0] == ["track_parcel"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Where is my parcel?", ["track_parcel"]),
        ("I want two orders refunded: refund please", ["refund_order"]),
        ("我要退款", ["refund_order"]),
        ("Hello!", ["refund_order", "track_parcel", "ask_human"]),
    ],
)
async def test_words_choose_without_a_model(text: str, names: list[str]) -> None:
    made = session("", text=text, by="keywords", max_tools=1)
    await made.run()
    assert offered(made)[0] == names
    assert not any(e.payload.get("internal") for e in made.of("llm_request"))
    await holds(made)


async def test_a_crash_anywhere_offers_the_same() -> None:
    await survives(lambda: session('{"tools": ["track_parcel"]}'), lambda made: offered(made)[-1])


class Late:
    """Wants to change what is offered when the answer is there."""

    name = "late"

    async def after_llm_call(self, response: Message) -> Message:
        current().offer([])
        return response


async def test_tools_are_offered_before_the_request_only() -> None:
    loop = AgentLoop(ScriptedModel([says("Hi.")]), middlewares=[Late()])
    outcome = await loop.outcome("Hi.")
    assert outcome.code == "middleware_error"
    assert "before_llm_call only" in (outcome.answer or "")
