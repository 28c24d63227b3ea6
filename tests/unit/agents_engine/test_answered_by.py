"""A wrap that answers by itself: the log says so, and nobody takes it for the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine import AgentSpec, Limits
from agents_app.engine.budgets.ledger import Ledger
from agents_app.engine.log.record import Record
from agents_app.engine.ports import ModelReply
from agents_app.testing import RuleModel, Session, says
from playhead.core.header import header_of
from replay_app.testing import verify

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelHandler, ModelRequest


class Knows:
    name = "knows"

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        if "hours" in request.messages[-1].content:
            return ModelReply(says("From nine to five."))
        return await call(request)


class PassesOn:
    name = "passes-on"

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        return await call(request)


async def test_an_answer_of_a_middleware_says_that_no_model_was_asked() -> None:
    """Who answered stands beside the answer, which takes nothing of a budget."""
    spec = AgentSpec(slug="desk", limits=Limits(session_tokens=10**6))
    chain = [PassesOn(), Knows(), PassesOn()]
    session = Session(spec, RuleModel(lambda _: says("Hello.")), middlewares=lambda: chain)
    await session.start("What are your hours?").run()
    [mine] = session.of("llm_response")
    assert mine.payload["answered_by"] == "knows"
    assert mine.payload["source"] == "live"
    assert header_of("llm_response", mine.payload).status == "middleware"
    base = str(mine.scope).rpartition("/")[0]
    spent = Ledger(Record(session.events), base, 0).before()
    assert (spent.model_calls, spent.tokens, spent.unpriced) == (1, 0, 0)
    session.say("Hello?")
    await session.run()
    assert "answered_by" not in session.of("llm_response")[1].payload
    assert (await verify(session)).ok
