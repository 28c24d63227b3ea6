"""A session that goes to rest rests on the numbers of everything that it has said."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from agents_app.engine.log.projection import HeadState
from agents_app.worker.sink import SessionSink
from playhead.core.events import Event, StoredEvent
from tests.unit.worker.runners import Listening

if TYPE_CHECKING:
    from agents_app.worker.writer import Writer

TS = "2026-11-30T10:22:31.102345Z"


class Waiting:
    """A writer that commits when the test says so."""

    def ready(self, sink: SessionSink) -> None:
        """Take nothing by itself."""


def sink() -> SessionSink:
    return SessionSink(
        session=1,
        epoch=1,
        seq=10,
        state=HeadState(),
        writer=cast("Writer", Waiting()),
        runner=Listening(),
    )


def emit(to: SessionSink, seq: int, event_type: str, **payload: Any) -> None:
    event = Event("sess_1", seq, event_type, TS, payload)
    to.submit(event, cast("StoredEvent", event), cast("Any", ()), None)


async def test_a_question_asked_just_before_is_counted() -> None:
    resting = sink()
    usage = {"input": 280, "output": 67, "cached": 0, "reasoning": 0}
    emit(resting, 11, "llm_response", source="live", usage=usage, cost="0")
    emit(
        resting, 12, "interrupt", id="q1", kind="approval", address="agent:desk;tool:refund:c11.0",
        tool="refund", digest="d1:00", allowed=["approve"], required_role="approver",
        expires_at=TS, on_expiry="reject",
    )  # fmt: skip
    done = asyncio.ensure_future(resting.rest(lambda state: state.resting("waiting", "person")))
    await asyncio.sleep(0)

    said = resting.take()
    assert said is not None
    assert not said.release
    resting.committed(said)
    rested = resting.take()
    assert rested is not None
    resting.committed(rested)

    assert await done
    assert rested.release
    assert (rested.state.status, rested.state.pending) == ("waiting", 1)
    assert rested.state.usage.input == 280
