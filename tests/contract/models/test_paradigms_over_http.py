"""Every paradigm on every API: no request is one that the provider's server refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.models.scripted import Reply, call, reply
from agents_app.engine import AgentSpec, Message
from agents_app.testing import Session
from agents_app.testing.model_server import ModelServer
from replay_app.testing import verify
from tests.contract.models.apis import script
from tests.unit.agents_engine.scenarios import Ledger, look_up
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
