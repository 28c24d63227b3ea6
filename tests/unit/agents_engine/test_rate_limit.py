"""Rate limits: who is over waits for a place of its own, without a worker and once."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.engine import AgentSpec
from agents_app.engine.budgets.rates import MemoryRates
from agents_app.engine.parts import BUILT_IN
from agents_app.testing import Crashed, RuleModel, Session, says
from replay_app.testing import verify


def session(rates: MemoryRates, number: int = 1, *uses: Any, **options: Any) -> Session:
    limit = {"use": "rate-limit", **options}
    spec = AgentSpec(slug="desk", model="a:1", middleware=(*uses, limit))
    parts = BUILT_IN.with_given(rates=rates)
    model = RuleModel(lambda _: says("Hi."))
    return Session(spec, model, session_id=f"sess_{number}", parts=parts).start("Hello?")


async def test_who_is_over_waits_for_its_own_place_and_verifies() -> None:
    rates = MemoryRates()
    waits = []
    for number in range(4):
        it = session(rates, number, requests=2)
        outcome = await it.run()
        waits.append((outcome.due - it.clock.now()).total_seconds() if outcome.due else 0)
        assert (await verify(it)).ok
    assert waits == [0, 0, 30, 60]
    assert it.of("llm_error")[0].payload["code"] == "throttled"
    assert not it.model.requests  # type: ignore[attr-defined]
    it.clock.advance(60)
    assert (await it.run()).answer == "Hi."
    assert len(it.of("llm_error")) == 1
    assert [e.payload["reason"] for e in it.of("llm_attempt")] == ["retry"]
    assert (await verify(it)).ok


async def test_a_minute_s_worth_comes_back_with_time() -> None:
    rates = MemoryRates()
    it = session(rates, requests=1)
    assert (await it.run()).kind == "finished"
    it.say("Again.")
    assert (await it.run()).kind == "waiting"
    it.clock.advance(60)
    assert (await it.run()).kind == "finished"
    it.clock.advance(120)
    it.say("And again.")
    assert (await it.run()).kind == "finished"
    assert (await verify(it)).ok


async def test_tokens_are_guessed_and_then_counted() -> None:
    rates = MemoryRates()
    it = session(rates, tokens=60)
    await it.run()
    [used] = [e.payload["usage"] for e in it.of("llm_response")]
    [until] = rates._until.values()
    taken = until - it.clock.now().timestamp()
    assert taken == pytest.approx(used["input"] + used["output"], abs=0.01)


async def test_a_provider_is_shared_between_agents_and_counts_who_is_asked() -> None:
    rates = MemoryRates()
    route = {"use": "model-router", "rules": [{"model": "b:2"}]}
    await session(rates, 1, route, provider_requests=1).run()
    assert list(rates._until) == ["provider:b:requests"]
    assert (await session(rates, 2, route, provider_requests=1).run()).kind == "waiting"
    assert (await session(rates, 3, provider_requests=1).run()).kind == "finished"


async def test_waiting_is_no_failure_that_a_person_is_asked_about() -> None:
    rates = MemoryRates()
    it = session(rates, 1, {"use": "model-retry"}, requests=1)
    await rates.take({"agent:desk:requests": 6000}, now=it.clock.now().timestamp())
    assert (await it.run()).kind == "waiting"
    it.clock.advance(6100)
    assert (await it.run()).kind == "finished"


async def test_a_crash_while_it_waits_changes_nothing() -> None:
    rates = MemoryRates()
    await rates.take({"agent:desk:requests": 90}, now=session(rates).clock.now().timestamp())
    it = session(rates, requests=2)

    def crash(_: Session, __: int, events: Any) -> None:
        if any(e.event_type == "llm_error" for e in events):
            raise Crashed

    it.after_commit = crash
    with pytest.raises(Crashed):
        await it.run()
    it.after_commit = None
    assert (await it.resume()).kind == "waiting"
    it.clock.advance(60)
    assert (await it.run()).kind == "finished"
    assert len(it.of("llm_request")) == 1
    assert (await verify(it)).ok


@pytest.mark.parametrize(
    ("before", "severity"), [("model-retry", "problem"), ("caching", "warning")]
)
def test_it_stands_behind_what_sends_again(before: str, severity: str) -> None:
    limit = {"use": "rate-limit", "requests": 1}
    spec = AgentSpec(slug="desk", middleware=({"use": before}, limit))
    assert BUILT_IN.problems(spec) == []
    spec = AgentSpec(slug="desk", middleware=(limit, {"use": before}))
    [found] = BUILT_IN.problems(spec)
    assert (found.field, found.severity) == ("middleware.0.use", severity)
