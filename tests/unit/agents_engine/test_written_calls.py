"""Calls that a strategy reads from a text: a reply may ask for several, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Finish
from agents_app.testing import Crashed, RuleModel, Session, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, look_up, pay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.core.events import Event


class EachLine:
    """Looks up every line of the reply, then pays twice."""

    name = "each-line"
    calls_in_text = True

    def start(self, task: str, history: Any) -> dict[str, Any]:
        return {}

    async def step(self, state: dict[str, Any], ctx: Any) -> Finish:
        reply = await ctx.model(tools=False)
        ctx.append(reply)
        found = [await ctx.call(reply, "look_up", {"key": k}) for k in reply.content.split()]
        paid = [await ctx.call(reply, "pay", {"to": to, "amount": 1}) for to in ("Ann", "Bo")]
        return Finish("; ".join(each.content for each in found + paid), state)


ANSWER = "door is there; roof is there; paid 1 to Ann; paid 1 to Bo"


def session(ledger: Ledger) -> Session:
    spec = AgentSpec(slug="desk", tools=(look_up(ledger), pay(ledger)))
    model = RuleModel(lambda _request: says("door roof"))
    return Session(spec, model, strategy=EachLine()).start("Look.")


async def test_each_call_of_a_text_has_its_own_place_and_result() -> None:
    ran = session(Ledger())
    outcome = await ran.run()
    assert outcome.answer == ANSWER
    places = [event.payload["call_id"].split(".")[1] for event in ran.of("tool_call")]
    assert places == ["0", "1", "2", "3"]
    assert (await verify(ran)).ok


@pytest.mark.parametrize("number", range(1, 9))
async def test_a_crash_between_them_repeats_none(number: int) -> None:
    ledger = Ledger()
    ran = session(ledger)

    def crash(_session: Session, commit: int, _events: Sequence[Event]) -> None:
        if commit == number:
            raise Crashed

    ran.after_commit = crash
    outcome = await ran.finish()
    while outcome.kind == "interrupted":
        for question in ran.questions():
            happened = question.payload["arguments"]["to"] in str(ledger.what)
            if happened:
                value = f"paid 1 to {question.payload['arguments']['to']}"
                ran.decide(question, "happened", value=value)
            else:
                ran.decide(question, "retry")
        outcome = await ran.finish()
    assert outcome.kind == "finished"
    assert ledger.what == ["paid 1 to Ann", "paid 1 to Bo"]
    assert (await verify(ran)).ok
