"""What tools do in a branch: recorded, ask, live, stub; and what lies open at the fork."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import branch
from tests.unit.agents_engine.scenarios import Ledger, by_turn, pay
from tests.unit.replay_engine.parents import PAY, counting, desk, holds, results, seq_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playhead.core.events import Event


async def test_recorded_takes_the_parents_results_in_order_each_once_then_asks() -> None:
    """Three equal calls, two of them recorded: the third is a question and nothing is paid."""
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), calls(PAY), says("Done."))
    await parent.run()
    child = branch(parent, 3, model=RuleModel(by_turn(*[calls(PAY)] * 3, says("Done."))))
    assert (await child.run()).kind == "interrupted"
    assert results(child) == [("recorded", "payment 1"), ("recorded", "payment 2")]
    [question] = child.questions()
    assert question.payload["kind"] == "approval"
    assert len(ledger.done) == 2
    child.decide(question, "approve")
    await child.run()
    assert results(child)[2] == ("live", "payment 3")
    assert {key.split(":")[0] for key, _ in ledger.done} == {parent.id, child.id}
    await holds(child)


async def test_recorded_is_the_same_tool_and_arguments_or_a_question() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."))
    await parent.run()
    other = calls(("pay", {"to": "Bo", "amount": 6}))
    child = branch(parent, 3, model=RuleModel(by_turn(other, says("Done."))))
    await child.run()
    [question] = child.questions()
    assert question.payload["arguments"] == {"to": "Bo", "amount": 6}
    assert len(ledger.done) == 1
    await holds(child, complete=False)


@pytest.mark.parametrize("what", ["steer", "say", "pause"])
async def test_recorded_gives_each_result_once_whoever_writes_meanwhile(what: str) -> None:
    """A response that is chained again has other call ids: what was set aside comes back."""
    ledger = Ledger()
    parent = desk(ledger, calls(PAY, PAY), calls(PAY), says("Done."))
    await parent.run()
    calm = branch(parent, 3, session_id="sess_calm")
    await calm.run()
    for at in range(1, calm.commits + 1):
        child = branch(parent, 3, session_id=f"sess_{at}")
        child.before_commit = _write(at, what)
        while (await child.run()).kind == "paused":
            child.unpause()
        assert results(child)[:3] == [("recorded", f"payment {n}") for n in (1, 2, 3)], at
        await holds(child, complete=child.events[-1].event_type == "session_end")


def _write(at: int, what: str) -> Callable[[Session, int, Sequence[Event]], None]:
    def write(session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            session.pause() if what == "pause" else getattr(session, what)("By the way.")

    return write


async def test_ask_asks_even_where_the_parent_has_a_result() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."))
    await parent.run()
    child = branch(parent, 3, effects={"pay": "ask"})
    await child.run()
    [question] = child.questions()
    child.decide(question, "reject", message="Not again.")
    await child.run()
    [(source, text)] = results(child)
    assert (source, "Not again." in text) == ("person", True)
    assert len(ledger.done) == 1
    await holds(child)


async def test_g13_live_really_runs_with_a_key_that_the_parent_never_had() -> None:
    """Law 3: only because a person said so; parent and branch never share a new key."""
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."), pays=counting(ledger, idempotent=True))
    await parent.run()
    child = branch(parent, seq_of(parent, "tool_call"), effects={"pay": "live"})
    await child.run()
    assert results(child) == [("live", "payment 2")]
    keys = [key for key, _ in ledger.done]
    assert keys == [f"{each.id}:{seq_of(each, 'tool_call')}" for each in (parent, child)]
    assert len(set(keys)) == 2
    await holds(child)


async def test_live_still_passes_the_gate_of_its_tool() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."), pays=counting(ledger, approval=True))
    await parent.run()
    parent.decide_all("approve")
    await parent.run()
    child = branch(parent, 3, effects={"pay": "live"})
    assert (await child.run()).kind == "interrupted"
    assert len(ledger.done) == 1
    await holds(child, complete=False)


async def test_stub_says_that_nothing_ran() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."))
    await parent.run()
    child = branch(parent, 3, effects={"pay": "stub"})
    await child.run()
    assert results(child) == [("stub", "pay was not run in this branch (stub).")]
    assert len(ledger.done) == 1
    await holds(child)


async def test_a_harmless_tool_runs_in_a_branch_whatever_the_parent_has() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(("look_up", {"key": "a"})), says("Done."))
    await parent.run()
    child = branch(parent, 3)
    await child.run()
    assert results(child, "look_up") == [("live", "a is there")]
    await holds(child)


async def test_k59_an_intent_before_the_fork_is_answered_by_the_parents_result() -> None:
    """Wherever that lies: the fork is between two parallel intents and their results."""
    ledger = Ledger()
    parent = desk(ledger, calls(PAY, PAY, ("look_up", {"key": "a"})), says("Done."))
    await parent.run()
    first = seq_of(parent, "tool_result")
    for at in (first, first + 1, first + 2):
        child = branch(parent, at, effects={"pay": "live"}, session_id=f"sess_{at}")
        await child.run()
        texts = [e.payload["message"]["content"] for e in child.of("tool_result")]
        assert sorted(texts) == ["a is there", "payment 1", "payment 2"]
        assert len(ledger.done) == 2
        await holds(child)


async def test_x8_an_intent_whose_result_nobody_has_is_in_doubt_in_the_branch_too() -> None:
    """The parent was killed between intent and result: the branch knows no more than it."""
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."))
    parent.after_commit = lambda _s, _n, events: _die(events)
    with pytest.raises(Crashed):
        await parent.run()
    child = branch(parent, parent.log.seq + 1, effects={"pay": "live"})
    assert (await child.run()).kind == "interrupted"
    [question] = child.questions()
    assert question.payload["kind"] == "in_doubt"
    assert ledger.done == []
    child.decide(question, "did_not")
    await child.run()
    assert ledger.done == []
    await holds(child)


def _die(events: Sequence[Event]) -> None:
    if any(event.event_type == "tool_call" for event in events):
        raise Crashed


async def test_x5_a_question_that_is_open_at_the_fork_is_asked_again_under_the_childs_id() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."), pays=counting(ledger, approval=True))
    await parent.run()
    [asked] = parent.questions()
    child = branch(parent, parent.log.seq + 1)
    await child.run()
    [again] = child.questions()
    assert (again.session_id, asked.session_id) == (child.id, parent.id)
    assert again.payload["id"] != asked.payload["id"]
    assert again.payload["digest"] == asked.payload["digest"]
    assert child.of("branch")[0].payload["abandoned"] == [asked.seq]
    child.decide(again, "approve")
    await child.run()
    assert len(ledger.done) == 1
    assert [q.seq for q in parent.questions()] == [asked.seq]
    await holds(child)


async def test_k62_an_unconsumed_decision_is_not_inherited() -> None:
    """A yes that the parent has not acted on is the parent's: the branch asks for its own."""
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."), pays=counting(ledger, approval=True))
    await parent.run()
    [asked] = parent.questions()
    decided = parent.decide(asked, "approve")
    child = branch(parent, parent.log.seq + 1)
    assert child.of("branch")[0].payload["abandoned"] == [asked.seq, decided.seq]
    assert (await child.run()).kind == "interrupted"
    assert ledger.done == []
    await parent.run()
    assert len(ledger.done) == 1
    child.decide_all("approve")
    await child.run()
    assert len(ledger.done) == 2
    await holds(child)
    await holds(parent)


async def test_an_approval_of_a_branch_is_consumed_once_and_the_parent_keeps_its_own() -> None:
    ledger = Ledger()
    parent = desk(ledger, calls(PAY), says("Done."), pays=pay(ledger, approval=True))
    await parent.run()
    children = [branch(parent, parent.log.seq + 1, session_id=f"sess_{n}") for n in range(2)]
    for child in children:
        await child.run()
        child.decide_all("approve")
        await child.run()
        await holds(child)
    parent.decide_all("reject")
    await parent.run()
    assert [key.split(":")[0] for key, _ in ledger.done] == ["sess_0", "sess_1"]
    await holds(parent)
