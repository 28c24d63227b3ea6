"""Streamed text reaches those who watch, whenever they come, and only with its secrets sealed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from agents_app.engine import AgentSpec, Message
from agents_app.engine.ports import Delta, ModelReply, ModelRequest, OnDelta, SealedValue
from agents_app.testing import Session
from playhead.core.seal import Sealer, StreamGuard

KEY = "sk-proj-Abc123Def456Ghi789"
PIECES = ["The key ", "is sk-proj-", "Abc123Def456", "Ghi789 and ", "no other one."]


class Seals:
    """Real sealing; counts how many streams were searched."""

    def __init__(self) -> None:
        self.sealer = Sealer(b"k" * 32, {})
        self.guards = 0

    def seal(self, value: object, **given: list[object]) -> SealedValue:
        sealed = self.sealer.seal(value, **given)
        return SealedValue(sealed.value, sealed.spans, sealed.new)

    def open(self, value: object, spans: object) -> object:
        return value

    def guard(self, *, secret: object = ()) -> StreamGuard:
        self.guards += 1
        return StreamGuard(self.sealer)


@dataclass
class Streaming:
    """A model that streams the pieces; before the one of that number somebody begins to watch."""

    come: int | None
    session: Session | None = None

    async def respond(self, _request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        for place, piece in enumerate(PIECES):
            if place == self.come and self.session:
                self.session.watched = True
            on_delta(Delta("text", piece))
        return ModelReply(Message("assistant", "".join(PIECES)), stop_reason="stop")


@pytest.mark.parametrize("come", [0, 2, 4])
async def test_who_comes_in_the_middle_gets_all_of_the_text_sealed(come: int) -> None:
    session, seals = await _streamed(come)
    text = "".join(session.deltas)
    assert text == session.of("llm_response")[0].payload["message"]["content"]
    assert "[REDACTED:api_key:" in text
    assert KEY not in text
    assert seals.guards == 1


async def test_text_that_nobody_watches_is_not_searched() -> None:
    session, seals = await _streamed(None)
    assert (session.deltas, seals.guards) == ([], 0)
    assert KEY not in session.of("llm_response")[0].payload["message"]["content"]


async def _streamed(come: int | None) -> tuple[Session, Seals]:
    model, seals = Streaming(come), Seals()
    model.session = session = Session(AgentSpec(slug="says"), model, seals=seals)
    session.watched = False
    await session.start("Tell me.").run()
    return session, seals
