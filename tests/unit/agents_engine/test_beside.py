"""What a middleware does beside the conversation: asks the model itself, and in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentLoop, AgentSpec, Message, ModelError
from agents_app.engine.loop.hooks import current
from agents_app.engine.spec import from_definition
from agents_app.testing import Crashed, RuleModel, ScriptedModel, Session, calls, says
from replay_app.testing import branch, verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, look_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.ports import ModelRequest
    from playhead.core.events import Event

ASK = [Message("system", "Judge."), Message("user", "Is that fine?")]


class Judge:
    """Asks the model about every answer of it, and keeps count of what it said."""

    name = "judge"

    async def after_llm_call(self, response: Message) -> Message:
        verdict = await current().model(ASK)
        current().state[str(len(current().state))] = verdict.content
        return response


def rule(request: ModelRequest) -> Message:
    if request.messages[0].content == "Judge.":
        assert request.tools == ()
        return says("It is fine.")
    return by_turn(calls(("look_up", {"key": "a"})), says("Done."))(request)


def judged(rule: Any = rule) -> Session:
    spec = AgentSpec(slug="desk", instructions="Help.", tools=(look_up(Ledger()),))
    return Session(spec, RuleModel(rule), middlewares=lambda: [Judge()]).start("Please.")


async def holds(session: Session, *, complete: bool = True) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict
    assert verdict.derivation.complete is complete


async def test_a_middleware_asks_the_model_itself_and_the_request_is_marked() -> None:
    session = judged()
    assert (await session.run()).answer == "Done."
    requests = session.of("llm_request")
    assert [e.payload.get("internal", False) for e in requests] == [False, True, False, True]
    assert requests[1].scope == "agent:desk/0;mw:judge"
    assert requests[1].payload["prompt"] == [["n", m.to_log()] for m in ASK]
    assert [m.content for m in session.model.requests[2].messages] == [  # type: ignore[attr-defined]
        "Help.", "Please.", "", "a is there",
    ]  # fmt: skip
    assert len(session.of("llm_response")) == 4
    await holds(session)


async def test_its_answer_is_recorded_and_never_asked_for_again() -> None:
    """A crash at any commit: the middleware's state is what it would have been."""
    calm = judged()
    await calm.run()
    for durable in (False, True):
        for at in range(1, calm.commits + 1):
            session = judged()
            setattr(session, "after_commit" if durable else "before_commit", _dies(at))
            await session.finish()
            kept = [e.payload["state"]["middleware"] for e in session.of("step_end")]
            assert kept == [e.payload["state"]["middleware"] for e in calm.of("step_end")]
            await holds(session)


def _dies(at: int) -> Any:
    def die(_session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            raise Crashed

    return die


async def test_a_cancel_closes_what_a_middleware_asked() -> None:
    session = judged()
    session.before_commit = lambda s, _n, events: _cancel(s, events)
    assert (await session.run()).kind == "cancelled"
    answered = [e for e in session.events if e.event_type in ("llm_response", "llm_error")]
    assert {e.cause for e in answered} == {e.seq for e in session.of("llm_request")}
    await holds(session)


def _cancel(session: Session, events: Sequence[Event]) -> None:
    if any(event.payload.get("internal") for event in events) and not session.of("cancel"):
        session.after_commit = lambda s, _n, _e: s.of("cancel") or s.cancel()


async def test_a_model_that_does_not_answer_a_middleware_is_a_question_like_any() -> None:
    failing = True

    def fails(request: ModelRequest) -> Message | Exception:
        if request.messages[0].content == "Judge." and failing:
            return ModelError("broken", code="server_error", permanent=False)
        return rule(request)

    session = judged(fails)
    assert (await session.run()).kind == "interrupted"
    [question] = session.questions()
    assert question.payload["kind"] == "retries"
    failing = False
    session.decide(question, "retry")
    assert (await session.run()).kind == "finished"
    await holds(session)


async def test_a_branch_at_any_event_of_it_verifies() -> None:
    parent = judged()
    await parent.run()
    for at in range(3, len(parent.events) + 1):
        child = branch(parent, at, session_id=f"sess_{at}")
        assert (await child.run()).kind == "finished", at
        await holds(child)


class Noting:
    """Says when it is called."""

    def __init__(self, name: str, said: list[str]) -> None:
        self.name, self.said = name, said

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        self.said.append(f"{self.name} before")
        return messages

    async def after_llm_call(self, response: Message) -> Message:
        self.said.append(f"{self.name} after")
        return replace(response, content=f"{response.content}{self.name}")


@pytest.mark.parametrize(
    ("order", "said", "answer"),
    [
        ("list", ["A before", "B before", "A after", "B after"], "Hi.AB"),
        ("onion", ["A before", "B before", "B after", "A after"], "Hi.BA"),
    ],
)
async def test_s0_35_the_after_hooks_run_in_list_order_or_as_an_onion(
    order: Any, said: list[str], answer: str
) -> None:
    told: list[str] = []
    middlewares = [Noting("A", told), Noting("B", told)]
    loop = AgentLoop(ScriptedModel([says("Hi.")]), middlewares=middlewares, order=order)
    assert await loop.run("Hi.") == answer
    assert told == said


async def test_the_order_is_part_of_the_definition_and_of_what_is_proved() -> None:
    """An agent that says nothing of it keeps the digest that it had."""
    plain, onion = AgentSpec(slug="desk"), AgentSpec(slug="desk", order="onion")
    assert "order" not in plain.definition()
    assert from_definition(onion.definition(), {}).order == "onion"
    session = Session(
        onion,
        RuleModel(lambda _: says("Hi.")),
        middlewares=lambda: [Noting("A", []), Noting("B", [])],
    ).start("Hi.")
    assert (await session.run()).answer == "Hi.BA"
    await holds(session)
    session.spec = plain
    assert (await verify(session)).derivation.verdict == "diverged"
