"""A fault of one session is that session's: the writer of all goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from agents_app.engine.errors import Moved
from agents_app.engine.log.projection import HeadState
from agents_app.worker import writer as writers
from agents_app.worker.sink import SessionSink
from agents_app.worker.writer import Writer
from playhead.core.events import GENESIS, Draft, Event, store_form
from tests.unit.worker.runners import Listening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.adapters.stores import Append

TS = "2026-11-30T10:22:31.102345Z"


class Store:
    """Takes everything but what ``refuses`` names; there is no lane, or one that can't lay out."""

    def __init__(self, *, refuses: int = 0, lane: Any = None) -> None:
        self.refuses, self.left = refuses, 2
        self._lane = lane
        self.taken: list[int] = []

    def append(self, batch: Sequence[Append]) -> list[bool]:
        from agents_app.adapters.stores import AppendError

        results = [self._one(append.session) for append in batch]
        if any(isinstance(result, Exception) for result in results):
            raise AppendError(results)
        return [True] * len(batch)

    def _one(self, session: int) -> bool | Exception:
        if session == self.refuses and self.left:
            self.left -= 1
            return ValueError("not this one")
        self.taken.append(session)
        return True

    def lane(self, loop: Any) -> Any:
        return self._lane


class Desk:
    """A writer with sessions 1 and 2."""

    def __init__(self, store: Store) -> None:
        self.writer = Writer(cast("Any", store))
        self.runners = {session: Listening() for session in (1, 2)}
        self.sinks = {session: self._sink(session) for session in (1, 2)}

    def _sink(self, session: int) -> SessionSink:
        return SessionSink(
            session=session, epoch=1, seq=0, state=HeadState(), writer=self.writer,
            runner=self.runners[session],
        )  # fmt: skip

    async def write(self, session: int, **payload: Any) -> None:
        """Emit one event and wait until it is durable."""
        sink = self.sinks[session]
        said = payload or {"code": "x", "message": "y"}
        stored = store_form("sess", GENESIS, sink.seq + 1, TS, Draft("error", said))
        kind = "session_end" if payload else "error"
        event = Event("sess", sink.seq + 1, kind, TS, said)
        sink.submit(event, stored, {}, None)
        await sink.durable(event.seq)


async def test_a_session_whose_events_cannot_be_laid_out_hears_of_it_alone() -> None:
    """It has no ``outcome``, so that its projection fails."""
    desk = Desk(store := Store())
    desk.writer.start()
    bad, good = desk.write(1, run=1), desk.write(2)
    results = await asyncio.wait_for(asyncio.gather(bad, good, return_exceptions=True), 20)
    assert isinstance(results[0], Moved)
    assert results[1] is None
    assert isinstance(desk.sinks[1].fault, KeyError)
    assert (desk.runners[1].misses, desk.runners[2].misses, store.taken) == (1, 0, [2])
    await asyncio.wait_for(desk.writer.stop(), 20)


async def test_a_lane_that_cannot_lay_a_batch_out_leaves_it_to_the_thread() -> None:
    class Lane:
        def send(self, batch: Any, done: Any) -> bool:
            raise OverflowError("a number that the wire has no room for")

        def leave(self) -> None:
            """Nothing is watched."""

    desk = Desk(store := Store(lane=Lane()))
    desk.writer.start()
    await asyncio.wait_for(desk.write(1), 20)
    await asyncio.wait_for(desk.write(2), 20)
    assert store.taken == [1, 2]
    await asyncio.wait_for(desk.writer.stop(), 20)


async def test_a_session_that_the_database_refuses_rests_alone_and_longer_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rests: list[float] = []
    desk = Desk(Store(refuses=1))
    desk.writer.start()
    later = asyncio.get_running_loop().call_later

    def noted(delay: float, function: Any, *args: Any) -> Any:
        if function == desk.sinks[1].missed:
            rests.append(delay)
            delay = 0
        return later(delay, function, *args)

    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", noted)
    for _ in range(2):
        with pytest.raises(Moved):
            await asyncio.wait_for(desk.write(1), 20)
        await asyncio.wait_for(desk.write(2), 20)
        desk.sinks[1].rebased(0, HeadState())
    await asyncio.wait_for(desk.write(1), 20)
    assert rests == [writers.REST, writers.REST * 2]
    assert desk.sinks[1].refused == 0
    await asyncio.wait_for(desk.writer.stop(), 20)
