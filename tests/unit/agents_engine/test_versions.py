"""X-6: the code is another one when a session goes on. Nothing runs that nobody has agreed to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, tool
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from replay_app.testing import branch, verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, look_up, pay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playhead.core.events import Event

PAY = ("pay", {"to": "Bo", "amount": 5})
LOOK = ("look_up", {"key": "a"})


def desk(ledger: Ledger, *turns: Message, version: str = "1", approval: bool = True) -> Session:
    model = RuleModel(by_turn(*turns, says("Done.")))
    return Session(spec_of(ledger, version, approval), model).start("Please.")


def spec_of(ledger: Ledger, version: str, approval: bool = True) -> AgentSpec:
    tools = (replace(look_up(ledger), version=version), replace(pay(ledger), version=version))
    tools = (tools[0], replace(tools[1], approval=approval))
    return AgentSpec(slug="desk", instructions="You run a desk.", tools=tools)


def asked(session: Session, kind: str) -> list[Event]:
    return [e for e in session.of("interrupt") if e.payload["kind"] == kind]


def open_one(session: Session, kind: str) -> Event:
    [question] = session.questions()
    assert question.payload["kind"] == kind
    return question


def dies_after(event_type: str) -> Callable[[Session, int, Sequence[Event]], None]:
    def die(session: Session, _number: int, events: Sequence[Event]) -> None:
        if any(event.event_type == event_type for event in events):
            session.after_commit = None
            raise Crashed

    return die


async def holds(session: Session) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict
    assert verdict.derivation.complete
    assert [event.seq for event in session.events] == list(range(1, len(session.events) + 1))


async def test_x6_before_the_first_intent_the_answers_are_abandoned_and_asked_for_again() -> None:
    """The old question is closed, not left for somebody to answer in vain; the new one is asked."""
    ledger = Ledger()
    session = desk(ledger, calls(PAY))
    await session.run()
    old = open_one(session, "approval")
    session.spec = spec_of(ledger, "2")
    await session.run()
    new = open_one(session, "approval")
    assert new.payload["digest"] != old.payload["digest"]
    assert asked(session, "version") == []
    [lease] = session.of("lease")
    assert old.seq in lease.payload["abandoned"]
    [closed] = session.of("decision")
    assert (closed.payload["of"], closed.payload["by"]["kind"]) == (old.seq, "system")
    assert len(session.of("llm_request")) == 2
    session.decide(new, "approve")
    await session.run()
    assert len(ledger.done) == 1
    await holds(session)


async def test_k12_a_yes_to_the_old_version_is_none_to_the_new_one() -> None:
    ledger = Ledger()
    session = desk(ledger, calls(PAY))
    await session.run()
    session.decide_all("approve")
    session.spec = spec_of(ledger, "2")
    assert (await session.run()).kind == "interrupted"
    assert ledger.done == []
    session.decide_all("approve")
    await session.run()
    assert len(ledger.done) == 1
    await holds(session)


async def test_x6_after_an_intent_a_person_is_asked_and_the_approval_is_asked_for_again() -> None:
    """Law 6: `continue` takes the new code; what it would do needs a yes of its own."""
    ledger = Ledger()
    session = desk(ledger, calls(LOOK, PAY))
    await session.run()
    old = open_one(session, "approval")
    session.spec = spec_of(ledger, "2")
    await session.run()
    kinds = [question.payload["kind"] for question in session.questions()]
    assert kinds == ["approval", "version"]
    while version := [q for q in session.questions() if q.payload["kind"] == "version"]:
        session.decide(version[0], "continue")
        await session.run()
    new = open_one(session, "approval")
    assert new.payload["digest"] != old.payload["digest"]
    assert [e.payload["by"]["kind"] for e in session.of("decision") if e.payload["of"] == old.seq]
    session.decide(new, "approve")
    assert (await session.run()).kind == "finished"
    assert [e.payload["decision"] for e in session.of("tool_call")[1:]] == [
        e.seq for e in session.of("decision") if e.payload["of"] == new.seq
    ]
    assert len(ledger.done) == 1
    await holds(session)


async def test_x6_continue_is_said_once_for_what_differs_in_the_same_way() -> None:
    """Three calls of one tool, a version later: one question; no later crash brings another."""
    ledger = Ledger()
    turn = calls(*[("look_up", {"key": key}) for key in "abc"])
    for crash in range(1, 8):
        session = desk(ledger, turn)
        session.after_commit = dies_after("tool_call")
        with pytest.raises(Crashed):
            await session.run()
        session.spec = spec_of(ledger, "2")
        await session.resume()
        session.decide(open_one(session, "version"), "continue")
        session.before_commit = dies_at(session.commits + crash)
        assert (await session.finish()).kind == "finished"
        assert len(asked(session, "version")) == 1, crash
        await holds(session)


def dies_at(at: int) -> Callable[[Session, int, Sequence[Event]], None]:
    def die(_session: Session, number: int, _events: Sequence[Event]) -> None:
        if number == at:
            raise Crashed

    return die


async def test_x6_the_question_names_what_differs() -> None:
    ledger = Ledger()
    session = desk(ledger, calls(LOOK))
    session.after_commit = dies_after("tool_call")
    with pytest.raises(Crashed):
        await session.run()
    session.spec = spec_of(ledger, "2")
    await session.resume()
    payload = open_one(session, "version").payload
    fields = {name: (was, now) for name, was, now in payload["differs"]["fields"]}
    assert payload["differs"]["what"] == "look_up"
    assert fields["version"] == ("1", "2")
    assert set(fields) == {"digest", "version"}
    assert payload["of"] == session.of("tool_call")[0].seq


async def test_x6_another_difference_is_another_question() -> None:
    ledger = Ledger()
    session = desk(ledger, calls(LOOK))
    session.after_commit = dies_after("tool_call")
    with pytest.raises(Crashed):
        await session.run()
    session.spec = spec_of(ledger, "2")
    await session.resume()
    session.decide(open_one(session, "version"), "continue")
    session.spec = spec_of(ledger, "3")
    await session.run()
    digests = [e.payload["digest"] for e in asked(session, "version")]
    assert len(set(digests)) == 2
    session.decide(open_one(session, "version"), "continue")
    assert (await session.run()).kind == "finished"
    await holds(session)


async def test_x6_give_up_ends_the_run_and_nothing_runs() -> None:
    ledger = Ledger()
    session = desk(ledger, calls(LOOK, PAY))
    await session.run()
    session.spec = spec_of(ledger, "2")
    await session.run()
    [version] = [q for q in session.questions() if q.payload["kind"] == "version"]
    session.decide(version, "give_up")
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "version")
    assert ledger.done == []


async def test_x6_x8_a_call_in_doubt_stays_in_doubt_under_the_new_code() -> None:
    """Whoever goes on with other code has not said that the call may run again."""
    ledger = Ledger()
    session = desk(ledger, calls(PAY), approval=False)
    session.after_commit = dies_after("tool_call")
    with pytest.raises(Crashed):
        await session.run()
    session.spec = spec_of(ledger, "2", approval=False)
    await session.resume()
    session.decide(open_one(session, "version"), "continue")
    await session.run()
    assert ledger.done == []
    session.decide(open_one(session, "in_doubt"), "retry")
    await session.run()
    assert len(ledger.done) == 1
    assert len(asked(session, "version")) == 1
    await holds(session)


async def test_x6_a_call_that_an_approval_began_is_not_asked_for_again() -> None:
    """The intent is written, the result is not there: the yes was used, under the old version."""
    ledger = Ledger()
    session = desk(ledger, calls(PAY))
    await session.run()
    session.decide_all("approve")
    session.after_commit = dies_after("tool_call")
    with pytest.raises(Crashed):
        await session.run()
    session.spec = spec_of(ledger, "2")
    await session.resume()
    session.decide(open_one(session, "version"), "continue")
    await session.run()
    session.decide(open_one(session, "in_doubt"), "happened", value="paid")
    assert (await session.run()).kind == "finished"
    assert ledger.done == []
    assert len(asked(session, "version")) == 1
    await holds(session)


async def test_x6_other_instructions_after_an_intent_are_asked_about_too() -> None:
    ledger = Ledger()
    session = desk(ledger, calls(LOOK))
    session.after_commit = dies_after("tool_call")
    with pytest.raises(Crashed):
        await session.run()
    session.spec = replace(session.spec, instructions="You run another desk.")
    await session.resume()
    question = open_one(session, "version")
    assert question.payload["differs"]["what"] == "llm_request"
    session.decide(question, "continue")
    assert (await session.run()).kind == "finished"
    seen = session.model.requests[-1].messages  # type: ignore[attr-defined]
    assert seen[0].content == "You run another desk."
    await holds(session)


async def test_x6_what_a_person_put_in_the_models_place_is_not_asked_for_again() -> None:
    """An edited answer in a branch, then other code: a question, never the model's own answer."""
    ledger = Ledger()
    parent = desk(ledger, says("Nothing to do."))
    await parent.run()
    at = parent.of("llm_response")[0].seq
    message = {"content": "", "tool_calls": [{"name": "pay", "arguments": PAY[1]}]}
    child = branch(parent, at, replace={"message": message})
    await child.run()
    assert open_one(child, "approval").payload["arguments"] == PAY[1]
    child.spec = spec_of(ledger, "2")
    await child.run()
    assert [q.payload["kind"] for q in child.questions()] == ["approval", "version"]
    assert child.of("lease") == []


async def test_one_pass_of_a_hook_that_is_new_is_no_mismatch_of_what_is_done() -> None:
    """A step that ended is never taken again: other code begins with the next one."""
    ledger = Ledger()
    session = desk(ledger, says("Hi."))
    await session.run()
    session.spec = replace(spec_of(ledger, "2"), instructions="Be brief.")
    session.say("And now?")
    assert (await session.run()).kind == "finished"
    assert session.mismatches == []
    assert session.of("lease") == []


async def test_the_same_code_is_never_a_question() -> None:
    """A planted crash at every commit brings no mismatch."""

    @tool
    async def note(text: str) -> dict[str, Any]:
        """Note something."""
        return {"noted": text, "amount": 1.50}

    model = RuleModel(by_turn(calls(("note", {"text": "x"})), says("Done.")))
    for at in range(1, 6):
        session = Session(AgentSpec(slug="desk", tools=(note,)), model).start("Please.")
        session.before_commit = dies_at(at)
        await session.finish()
        assert session.mismatches == []
