"""A checkpoint is a cache: whichever are gone, a session goes on as if all were there."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from agents_app.engine import AgentSpec, Continue, Finish, Limits
from agents_app.engine.actor import Actor
from agents_app.engine.log.record import Record
from agents_app.engine.loop import kernel as kernels
from agents_app.engine.loop.restoring import restore
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, look_up, pay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.core.events import Event

ROOT = "agent:desk"
QUICK = settings(max_examples=20, deadline=None, database=None, phases=[Phase.generate])
TURNS = (calls(("pay", {"to": "Bo", "amount": 5})), calls(("look_up", {"key": "a"})), says("Done."))


class Growing:
    """A strategy whose state outgrows an event every other step."""

    name = "growing"

    def start(self, task: str, history: Sequence[Any]) -> dict[str, Any]:
        return {"steps": 0, "before": len(history), "ballast": ""}

    async def step(self, state: dict[str, Any], ctx: Any) -> Continue | Finish:
        reply = await ctx.model()
        ctx.append(reply, *(await ctx.tools(reply) if reply.calls else ()))
        steps = state["steps"] + 1
        now = {**state, "steps": steps, "ballast": "x" * (5000 if steps % 2 else 10)}
        return Continue(now) if reply.calls else Finish(reply.content, now)


def desk(ledger: Ledger) -> Session:
    spec = AgentSpec(slug="desk", tools=(look_up(ledger), pay(ledger)), limits=Limits(max_steps=6))
    return Session(spec, RuleModel(by_turn(*TURNS)), strategy=Growing()).start("Please.")


async def two_runs(crash: int | None = None, gone: frozenset[int] = frozenset()) -> Session:
    """Two runs; at a commit the worker dies, and some of the checkpoints with it."""
    ledger = Ledger()
    session = desk(ledger)

    def die(session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == crash:
            kept = sorted(session.log.checkpoints)
            for place in gone:
                session.log.checkpoints.pop(kept[place % len(kept)] if kept else 0, None)
            raise Crashed

    session.after_commit = die
    await session.finish()
    session.say("Again?")
    await session.finish()
    assert ledger.twice() == []
    return session


@cache
def whole() -> Session:
    """Both runs, without a crash."""
    return asyncio.run(two_runs())


def told(session: Session) -> list[tuple[str, Any]]:
    """What the log says, but for the recovery and what follows from an in-doubt call."""
    return [(e.event_type, e.payload.get("digest")) for e in session.of("step_end")]


@QUICK
@given(st.integers(1, 14), st.frozensets(st.integers(0, 5), max_size=4))
def test_s3_50_whichever_checkpoints_are_gone_the_session_goes_on_the_same(
    crash: int, gone: frozenset[int]
) -> None:
    """Snapshots have the same digests; nothing is compared in vain, nothing runs twice."""
    with_all = asyncio.run(two_runs(crash))
    without = asyncio.run(two_runs(crash, gone))
    assert without.mismatches == []
    assert told(without) == told(with_all)
    assert without.types() == with_all.types()
    assert asyncio.run(verify(without)).ok


@QUICK
@given(st.integers(1, 40), st.frozensets(st.integers(0, 5), max_size=4))
def test_what_is_restored_is_what_the_steps_left_behind(upto: int, gone: frozenset[int]) -> None:
    """From any beginning of the log, with whichever checkpoints there are."""
    session = whole()
    log = session.events[: min(upto, len(session.events))]
    states = session.states()
    kept = {seq: state for n, (seq, state) in enumerate(sorted(states.items())) if n not in gone}
    record = Record(log)
    run = record.run(len(record.by_type["session_end"]))
    if run is None:
        return
    actor = Actor(session.spec, session.strategy, session.limits)
    found = restore(record, ROOT, actor, since=run.since, states=kept)
    if found is None:
        assert gone  # begin again from the first event
        return
    ends = [event for event in log if event.event_type == "step_end"][: found.step]
    if not ends:
        assert (found.transcript, found.state) == ([], {})
        return
    if ends[-1].seq > run.since:
        assert found.state == (ends[-1].payload["state"] or states[ends[-1].seq])["strategy"]
        assert found.snapshot()[0] == ends[-1].payload["digest"]
    entries = [entry for end in ends for entry in end.payload["append"]]
    assert [list(m.origin or ()) for m in found.transcript] == [entry[1:] for entry in entries]


def _takes_any(*args: Any, **options: Any) -> Any:
    """A restore that goes on from the last step with whatever state it has."""
    known = restore(*args, **options)
    if known is not None:
        known.state = {"steps": 0, "before": 0, "ballast": ""}
    return known


def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "restore", _takes_any)
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        test_s3_50_whichever_checkpoints_are_gone_the_session_goes_on_the_same()


@pytest.mark.parametrize(
    "forged",
    [
        b'{"middleware":{},"strategy":{"ballast":"","before":0,"steps":7}}',
        b'{"middleware":{},"strategy":{}}',
        b'{"strategy":{"steps":1}}',
        b"[]",
    ],
)
async def test_s3_50_a_checkpoint_that_the_log_does_not_prove_is_an_alarm_and_left_out(
    forged: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """It is a cache with a proof: the session goes on as if it were not there."""
    session, crashes = desk(Ledger()), list[int]()

    def forge(session: Session, number: int, _events: Sequence[Event]) -> None:
        if session.log.checkpoints and not crashes:
            crashes.append(number)
            session.log.checkpoints = dict.fromkeys(session.log.checkpoints, forged)
            raise Crashed

    session.after_commit = forge
    await session.finish()
    session.say("Again?")
    await session.finish()
    assert "ALARM: the checkpoint of agent:desk" in caplog.text
    assert session.mismatches == []
    assert told(session) == told(await two_runs(crashes[0]))
