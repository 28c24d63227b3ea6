"""A branch at every event of every scenario: it runs to its end, nothing twice, and verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from replay_app.testing import branch
from tests.unit.agents_engine.scenarios import (
    DOUBTFUL,
    SCENARIOS,
    Ledger,
    Scenario,
    begin,
    play,
)
from tests.unit.replay_engine.parents import crash_at, holds, seq_of

if TYPE_CHECKING:
    from agents_app.testing import Session

EVERY = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
POLICIES = ("recorded", "ask", "live", "stub")


async def played(scenario: Scenario, ledger: Ledger) -> Session:
    parent = begin(scenario, ledger)
    await play(scenario, parent)
    return parent


@EVERY
@pytest.mark.parametrize("policy", POLICIES)
async def test_a_branch_at_any_event_runs_to_its_end_and_verifies(
    scenario: Scenario, policy: str
) -> None:
    """Wherever the fork lies: in a step, between parallel results, at a question, at an end."""
    ledger = Ledger()
    parent = await played(scenario, ledger)
    effects = dict.fromkeys(("pay", "ask_age"), policy)
    for at in range(3, len(parent.events) + 2):
        done = list(ledger.done)
        child = branch(parent, at, effects=effects, session_id=f"sess_at_{at}")
        await play(Scenario(scenario.name, scenario.make, scenario.decide), child)
        await holds(child)
        assert ledger.twice() == [], at
        if policy == "stub":
            assert ledger.done == done, at
        assert len(parent.events) == parent.log.seq


@EVERY
async def test_a_branch_of_a_branch_verifies(scenario: Scenario) -> None:
    """The second fork lies in what the first inherited, or in what it wrote itself."""
    ledger = Ledger()
    parent = await played(scenario, ledger)
    plain = Scenario(scenario.name, scenario.make, scenario.decide)
    for first in range(3, len(parent.events) + 1, 4):
        child = branch(parent, first, session_id=f"sess_{first}")
        await play(plain, child)
        for second in range(3, len(child.events) + 1, 3):
            grandchild = branch(child, second, session_id=f"sess_{first}_{second}")
            await play(plain, grandchild)
            await holds(grandchild)
    assert ledger.twice() == []


@EVERY
async def test_k40_a_branch_survives_a_crash_at_any_commit(scenario: Scenario) -> None:
    """A taken result is taken once, whoever takes over; nothing runs twice."""
    ledger = Ledger()
    parent = await played(scenario, ledger)
    plain = Scenario(scenario.name, scenario.make, scenario.decide)
    at = seq_of(parent, "llm_response")
    calm = branch(parent, at, session_id="sess_calm")
    await play(plain, calm)
    for number in range(1, calm.commits + 1):
        child = branch(parent, at, session_id=f"sess_crash_{number}")
        child.before_commit = crash_at(number)
        await play(plain, child)
        await holds(child)
    assert ledger.twice() == []


@pytest.mark.parametrize("back", [0, 1], ids=["behind the last event", "at the end of the run"])
async def test_a_branch_of_what_has_ended_goes_on_for_further_runs(back: int) -> None:
    """Each message is taken up by another worker, which finds the inherited run as it ended."""
    ledger = Ledger()
    parent = await played(SCENARIOS[0], ledger)
    child = branch(parent, len(parent.events) + 1 - back)
    await child.finish()
    for text in ("And again?", "And now?"):
        child.say(text)
        assert (await child.finish()).kind == "finished"
    assert child.mismatches == []
    await holds(child)


async def test_a_branch_behind_a_call_that_was_given_up_verifies() -> None:
    """The decision was acted on: the call has its result, although that is not caused by it."""
    parent = begin(DOUBTFUL, Ledger())
    await parent.finish()
    for question in parent.questions():
        doubtful = question.payload["kind"] == "in_doubt"
        parent.decide(question, "give_up" if doubtful else "reject")
    assert (await parent.finish()).code == "gave_up"
    for at in range(seq_of(parent, "decision"), len(parent.events) + 2):
        child = branch(parent, at, session_id=f"sess_at_{at}")
        await play(DOUBTFUL, child)
        await holds(child)
