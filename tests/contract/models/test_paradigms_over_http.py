"""Every paradigm on every API: no request is one that the provider's server refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.models.scripted import Reply, call, reply
from agents_app.engine import AgentSpec, Message, agent_tool
from agents_app.testing import Session
from agents_app.testing.model_server import ModelServer
from replay_app.testing import verify
from tests.contract.models.apis import script
from tests.unit.agents_engine.scenarios import Ledger, look_up, pay
from tests.unit.agents_engine.test_paradigms import PARADIGMS, QUESTION

if TYPE_CHECKING:
    from tests.contract.models.apis import Api


def as_reply(turn: str | Message) -> Reply:
    """A turn of the paradigms' own tests, as a server answers it."""
    if isinstance(turn, str):
        return reply(turn)
    return reply(turn.content, calls=[call(each.name, **each.arguments) for each in turn.calls])


@pytest.mark.parametrize(
    ("strategy", "turns", "asked", "ran"), PARADIGMS, ids=[each[0] for each in PARADIGMS]
)
async def test_h06_every_paradigm_answers_over_every_api(
    api: Api, strategy: str, turns: list[Any], asked: int, ran: int
) -> None:
    async with ModelServer(script(*map(as_reply, turns))) as server:
        model = api.model(server)
        agent = AgentSpec(
            slug="desk",
            instructions="Desk of the house.",
            strategy=strategy,
            tools=(look_up(Ledger()),),
            params=api.thinks,
        )
        session = Session(agent, model).start(QUESTION)
        outcome = await session.run()
        await model.aclose()
    assert [event.payload["message"] for event in session.of("llm_error")] == []
    assert (outcome.kind, outcome.answer) == ("finished", "It is.")
    assert (len(server.bodies), len(session.of("tool_call"))) == (asked, ran)
    verdict = await verify(session)
    assert verdict.ok, verdict


async def test_r28_r45_after_two_approvals_and_a_hand_off_every_history_is_one_that_is_accepted(
    api: Api,
) -> None:
    """With what the model thought: nothing is sent twice, and no thought without what followed."""
    ledger = Ledger()
    replies: list[Any] = [
        reply("", reasoning="who pays", calls=[call("transfer_to_payer", task="Pay two.")]),
        reply("One.", reasoning="first", calls=[call("pay", to="Bo", amount=5)]),
        reply("Two.", reasoning="second", calls=[call("pay", to="Cy", amount=7)]),
        lambda view: reply(f"Paid: {len(view.results('pay'))}."),
        reply("Of course."),
    ]
    payer = AgentSpec(
        slug="payer", instructions="Payer.", tools=(pay(ledger, approval=True),), params=api.thinks
    )
    desk = AgentSpec(
        slug="desk", instructions="Desk.", tools=(agent_tool(payer, handoff=True),),
        params=api.thinks,
    )  # fmt: skip
    async with ModelServer(script(*replies)) as server:
        model = api.model(server)
        session = Session(desk, model).start("Pay two, please.")
        for _ in range(2):
            assert (await session.run()).kind == "interrupted"
            session.decide_all("approve")
        assert (await session.run()).answer == "Paid: 2."
        session.say("And?")
        assert (await session.run()).answer == "Of course."
        await model.aclose()
    assert session.of("llm_error") == []
    assert len(server.bodies) == 5
    last = server.bodies[-1].decode()
    assert (last.count("transfer_to_payer"), last.count("Pay two.")) == (2, 1)  # tool and call
    assert "One." not in last  # what the other said to itself stays its own
    assert ledger.what == ["paid 5 to Bo", "paid 7 to Cy"]
    verdict = await verify(session)
    assert verdict.ok, verdict
