"""A replay runs kernel, strategy and hooks again: what does not fit is found and named."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Divergence, Message, ReplayViolation
from agents_app.engine.errors import ModelError
from agents_app.engine.strategies.function_calling import FunctionCalling
from agents_app.testing import RuleModel, Session, calls, says
from playhead.core.events import GENESIS, Draft, Event, StoredEvent, store_form
from replay_app.engine import Player
from replay_app.engine.verify import chain_of_stored, derive
from replay_app.testing import player_of, replay, verify
from tests.unit.agents_engine.scenarios import (
    SCENARIOS,
    Ledger,
    Scenario,
    begin,
    by_turn,
    look_up,
    pay,
    play,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERY = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


def rechained(events: Sequence[Event]) -> list[Event]:
    """The events as an honest log of their own: seqs without a gap, hashes that follow."""
    out: list[Event] = []
    prev = GENESIS
    for seq, event in enumerate(events, 1):
        draft = Draft(
            event.event_type, event.payload, event.scope, event.cause, event.sealed, event.edited
        )
        stored = store_form(event.session_id, prev, seq, event.ts, draft)
        prev = stored.hash
        out.append(stored.event())
    return out


async def _played(scenario: Scenario) -> Session:
    session = begin(scenario, Ledger())
    await play(scenario, session)
    return session


def _with_one_byte_changed(stored: StoredEvent) -> StoredEvent:
    place = len(stored.body) // 2
    changed = bytes([stored.body[place] ^ 1])
    body = stored.body[:place] + changed + stored.body[place + 1 :]
    return dataclasses.replace(stored, body=body)


@EVERY
async def test_one_changed_byte_is_found_by_the_chain_and_named(scenario: Scenario) -> None:
    session = await _played(scenario)
    for place, stored in enumerate(session.log.stored):
        events = list(session.log.stored)
        events[place] = _with_one_byte_changed(stored)
        verdict = chain_of_stored(events)
        assert not verdict.ok
        assert verdict.error is not None
        assert verdict.error["seq"] == stored.seq


@EVERY
async def test_a_dropped_event_is_found_and_named(scenario: Scenario) -> None:
    """Re-chained, so that the hashes are right again: only the derivation can tell."""
    session = await _played(scenario)
    whole = session.events
    for dropped in whole[1:-1]:
        left = rechained([event for event in whole if event.seq != dropped.seq])
        verdict, _ = await derive(player_of(session, left))
        assert verdict.verdict == "diverged", dropped
        assert verdict.divergence is not None
        assert verdict.divergence["seq"] >= 1
        assert chain_of_stored(_stored(left)).ok


def _stored(events: Sequence[Event]) -> list[StoredEvent]:
    out = []
    prev = GENESIS
    for event in events:
        draft = Draft(
            event.event_type, event.payload, event.scope, event.cause, event.sealed, event.edited
        )
        out.append(store_form(event.session_id, prev, event.seq, event.ts, draft))
        prev = out[-1].hash
    return out


async def test_a_gap_is_found_before_anything_runs() -> None:
    session = await _played(SCENARIOS[0])
    without = [stored for stored in session.log.stored if stored.seq != 5]
    verdict = chain_of_stored(without)
    assert verdict.error is not None
    assert verdict.error["seq"] == 5


DERIVED: list[tuple[str, str, Any]] = [
    ("llm_request", "digest", "d1:00"),
    ("llm_request", "n", 99),
    ("tool_call", "arguments", {"key": "window"}),
    ("tool_call", "version", "2"),
    ("step_end", "digest", "d1:00"),
    ("step_end", "append", []),
    ("session_end", "answer", "Another answer."),
]


@pytest.mark.parametrize(("event_type", "field", "value"), DERIVED)
async def test_a_changed_derived_field_is_found_and_named(
    event_type: str, field: str, value: Any
) -> None:
    session = await _played(SCENARIOS[0])
    place = next(e.seq for e in session.events if e.event_type == event_type)
    events = [
        dataclasses.replace(e, payload={**e.payload, field: value}) if e.seq == place else e
        for e in session.events
    ]
    verdict, _ = await derive(player_of(session, rechained(events)))
    assert verdict.divergence is not None
    assert verdict.divergence["seq"] == place
    assert verdict.divergence["field"] == field
    assert verdict.divergence["expected"] == value


async def test_a_changed_answer_changes_what_follows_and_that_is_found() -> None:
    """An answer is observed: a false one is found where the loop would have done something else."""
    session = await _played(SCENARIOS[0])
    place = next(e.seq for e in session.events if e.event_type == "tool_result")
    message = {"role": "tool", "content": "forged", "tool_call_id": "c4.0"}
    events = [
        dataclasses.replace(e, payload={**e.payload, "message": message}) if e.seq == place else e
        for e in session.events
    ]
    verdict, _ = await derive(player_of(session, rechained(events)))
    assert verdict.divergence is not None
    assert verdict.divergence["seq"] == place + 1
    assert verdict.divergence["event_type"] == "step_end"


class Polite(FunctionCalling):
    """Function calling with a template of its own."""

    def __init__(self, word: str) -> None:
        self.word = word

    async def step(self, state: Any, ctx: Any) -> Any:
        note = Message("system", f"Answer {self.word}.")
        reply = await ctx.model([note, *ctx.history])
        ctx.append(reply)
        if not reply.calls:
            from agents_app.engine import Finish

            return Finish(reply.content, state)
        ctx.append(*await ctx.tools(reply))
        from agents_app.engine import Continue

        return Continue(state)


async def test_one_word_of_a_strategy_s_template_is_found_and_named() -> None:
    spec = AgentSpec(slug="desk", tools=(look_up(Ledger()),))
    model = RuleModel(by_turn(calls(("look_up", {"key": "k"})), says("Done.")))
    session = Session(spec, model, strategy=Polite("politely")).start("Go.")
    await session.run()
    assert (await verify(session)).ok
    session.strategy = Polite("briefly")
    with pytest.raises(Divergence) as found:
        await replay(session)
    assert found.value.detail["seq"] == session.of("llm_request")[0].seq
    assert found.value.detail["field"] == "digest"


class Adding:
    """Adds a line to what the model sees."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        return [*messages, Message("system", self.name)]


async def test_the_order_of_two_hooks_is_found_and_named() -> None:
    model = RuleModel(lambda _: says("ok"))
    order = [Adding("first"), Adding("second")]
    session = Session(AgentSpec(slug="desk"), model, middlewares=lambda: list(order)).start("Go.")
    await session.run()
    assert (await verify(session)).ok
    order.reverse()
    verdict = await verify(session)
    assert verdict.derivation.divergence is not None
    assert verdict.derivation.divergence["seq"] == session.of("llm_request")[0].seq


async def test_the_order_of_hooks_that_change_nothing_is_found_too() -> None:
    class Quiet:
        def __init__(self, name: str) -> None:
            self.name = name

    order = [Quiet("a"), Quiet("b")]
    session = Session(
        AgentSpec(slug="desk"), RuleModel(lambda _: says("ok")), middlewares=lambda: list(order)
    ).start("Go.")
    await session.run()
    order.reverse()
    verdict = await verify(session)
    assert verdict.derivation.divergence is not None
    assert verdict.derivation.divergence["event_type"] == "step_end"


async def test_the_instructions_are_part_of_what_is_proved() -> None:
    model = RuleModel(lambda _: says("ok"))
    session = Session(AgentSpec(slug="desk", instructions="Be kind."), model).start("Go.")
    await session.run()
    session.spec = dataclasses.replace(session.spec, instructions="Be curt.")
    with pytest.raises(Divergence) as found:
        await replay(session)
    assert found.value.detail["seq"] == 3


async def test_s3_55_law_3_a_replay_calls_no_model_and_runs_no_tool() -> None:
    ledger = Ledger()
    spec = AgentSpec(slug="desk", tools=(pay(ledger),))
    session = Session(
        spec, RuleModel(by_turn(calls(("pay", {"to": "Bo", "amount": 1})), says("ok")))
    )
    await session.start("Go.").run()
    done, asked = list(ledger.done), len(session.model.requests)  # type: ignore[attr-defined]
    await replay(session)
    assert ledger.done == done
    assert len(session.model.requests) == asked  # type: ignore[attr-defined]


async def test_s3_56_the_assertion_is_hard_and_at_the_seam() -> None:
    from agents_app.engine.nulls import no_model
    from agents_app.engine.ports import ModelRequest

    with pytest.raises(AssertionError, match="never calls a model"):
        await no_model("gpt").respond(ModelRequest(()), lambda _: None)
    assert issubclass(ReplayViolation, AssertionError)


async def test_a_log_that_just_stops_is_whole_as_far_as_it_goes() -> None:
    session = await _played(SCENARIOS[0])
    for length in range(2, len(session.events) + 1):
        verdict, _ = await derive(player_of(session, session.events[:length]))
        assert verdict.verdict == "ok", (length, verdict)


@EVERY
async def test_any_beginning_of_a_log_verifies(scenario: Scenario) -> None:
    """A session is looked at while it runs: what is there so far is what the loop would write."""
    session = await _played(scenario)
    for length in range(2, len(session.events) + 1):
        verdict, _ = await derive(player_of(session, session.events[:length]))
        assert verdict.verdict == "ok", (length, verdict)


async def test_another_version_of_the_loop_is_not_comparable_which_is_not_diverged() -> None:
    session = await _played(SCENARIOS[0])
    first = session.events[0]
    older = dataclasses.replace(first, payload={**first.payload, "loop_version": 0})
    verdict, _ = await derive(Player([older, *session.events[1:]], session.spec))
    assert verdict.verdict == "not_comparable"
    assert "loop version 0" in (verdict.reason or "")


async def test_snapshots_are_compared_with_what_the_steps_leave_behind() -> None:
    from replay_app.engine.verify import compare_snapshots

    class Heavy(FunctionCalling):
        def start(self, task: str, history: Sequence[Message]) -> dict[str, Any]:
            return {"ballast": "x" * 5000}

    session = Session(AgentSpec(slug="desk"), RuleModel(lambda _: says("ok")), strategy=Heavy())
    await session.start("Go.").run()
    replayed = await replay(session)
    (seq,) = session.log.checkpoints
    assert compare_snapshots(replayed, session.log.checkpoints).ok
    broken = {seq: session.log.checkpoints[seq].replace(b"x", b"y", 1)}
    verdict = compare_snapshots(replayed, broken)
    assert verdict.error is not None
    assert verdict.error["seq"] == seq


async def test_failed_runs_replay_as_they_failed() -> None:
    def rule(_: Any) -> Exception:
        return ModelError("The prompt is too long.", code="context_length", permanent=True)

    session = Session(AgentSpec(slug="desk"), RuleModel(rule)).start("Go.")
    await session.run()
    replayed = await replay(session)
    assert replayed.outcome.code == "context_length"
