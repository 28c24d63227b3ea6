"""Effects of hooks: a failure is an answer like any, and two at once would have no order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from agents_app.engine import AgentSpec, Message
from agents_app.engine.errors import EffectFailed
from agents_app.engine.loop.hooks import current
from agents_app.testing import Crashed, RuleModel, Session, says
from replay_app.testing import branch, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents_app.engine.ports import ModelRequest
    from playhead.core.events import Event


class Looking:
    """Looks outside, where nobody answers; may go on without."""

    name = "looking"

    def __init__(self, looked: list[str], *, goes_on: bool = True) -> None:
        self.looked, self.goes_on = looked, goes_on

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        async def look() -> str:
            self.looked.append("once")
            raise OSError("no route")

        try:
            said = await current().effect("weather", {"of": "Oslo"}, look)
        except EffectFailed:
            if not self.goes_on:
                raise
            said = "nobody knows"
        return [*messages, Message("user", said)]


def session(middleware: Callable[[], object]) -> Session:
    model = RuleModel(lambda _: says("ok"))
    return Session(AgentSpec(slug="desk"), model, middlewares=lambda: [middleware()])


def prompt(made: Session) -> ModelRequest:
    return made.model.requests[-1]  # type: ignore[attr-defined, no-any-return]


async def test_what_an_effect_raises_is_recorded_and_replays() -> None:
    looked: list[str] = []
    made = session(lambda: Looking(looked)).start("Hi.")
    assert (await made.run()).kind == "finished"
    assert prompt(made).messages[-1].content == "nobody knows"
    (event,) = made.of("effect")
    assert (event.payload["answer"], event.payload["error"]) == (None, "OSError: no route")
    assert (await verify(made)).ok
    assert looked == ["once"]


async def test_a_run_that_ends_by_a_failed_effect_verifies() -> None:
    made = session(lambda: Looking([], goes_on=False)).start("Hi.")
    outcome = await made.run()
    assert (outcome.kind, outcome.code) == ("failed", "middleware_error")
    assert (await verify(made)).ok


async def test_a_failure_that_is_durable_stands_after_a_crash() -> None:
    looked: list[str] = []
    made = session(lambda: Looking(looked)).start("Hi.")

    def die(_session: Session, _number: int, events: Sequence[Event]) -> None:
        if any(event.event_type == "effect" for event in events):
            raise Crashed

    made.after_commit = die
    await made.finish()
    assert looked == ["once"]
    assert prompt(made).messages[-1].content == "nobody knows"
    assert (await verify(made)).ok


async def test_a_person_may_answer_in_the_place_of_a_failed_effect() -> None:
    made = session(lambda: Looking([])).start("Hi.")
    await made.run()
    (event,) = made.of("effect")
    other = branch(made, event.seq, replace={"answer": "rain"})
    assert (await other.run()).kind == "finished"
    assert prompt(other).messages[-1].content == "rain"
    assert (await verify(other)).ok


async def test_two_effects_at_once_are_refused() -> None:
    class Both:
        name = "both"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            late = asyncio.Event()

            async def first() -> str:
                await late.wait()
                return "first"

            async def second() -> str:
                late.set()
                return "second"

            here = current()
            one = asyncio.ensure_future(here.effect("x", 1, first))
            await asyncio.sleep(0)
            with pytest.raises(RuntimeError, match="both has another effect under way"):
                await here.effect("x", 2, second)
            late.set()
            return [*messages, Message("user", await one)]

    made = session(Both).start("Hi.")
    assert (await made.run()).kind == "finished"
    assert prompt(made).messages[-1].content == "first"
