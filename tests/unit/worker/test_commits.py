"""When a commit is sent, what it holds, and who waits for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from agents_app.engine.log.projection import HeadState
from agents_app.worker.commits import LANES
from agents_app.worker.sink import SessionSink
from agents_app.worker.writer import Writer
from playhead.core.events import Draft, Event, store_form
from tests.unit.worker.runners import Listening

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents_app.adapters.stores import Append

TS = "2026-11-30T10:22:31.102345Z"


class Store:
    """Remembers what the thread and the lanes appended; a lane answers as the test says."""

    def __init__(self, *lanes: Callable[[Sequence[Append]], set[int] | None]) -> None:
        self.lanes = list(lanes)
        self.by_thread: list[list[int]] = []
        self.by_lane: list[list[tuple[int, int]]] = []

    def append(self, batch: Sequence[Append]) -> list[bool]:
        self.by_thread.append([append.session for append in batch])
        return [True] * len(batch)

    def lane(self, loop: asyncio.AbstractEventLoop) -> Any:
        return Lane(self, loop, self.lanes.pop(0)) if self.lanes else None


class Lane:
    def __init__(self, store: Store, loop: Any, answer: Any) -> None:
        self._store, self._loop, self._answer = store, loop, answer

    def send(self, batch: Sequence[Append], done: Any) -> bool:
        self._store.by_lane.append([(append.session, append.seq) for append in batch])
        self._loop.call_soon(done, self._answer(batch))
        return True

    def leave(self) -> None:
        """Nothing is watched."""


def moves(batch: Sequence[Append]) -> set[int]:
    return {append.session for append in batch}


class Desk:
    """A writer and its sessions."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.writer = Writer(cast("Any", store))

    async def __aenter__(self) -> Desk:
        self.writer.start()
        warm = self.session(0)
        self.emit(warm, 1)
        await warm.durable(1)  # by the thread, which brings the lane
        self.store.by_thread.clear()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.writer.stop()

    def session(self, number: int) -> SessionSink:
        return SessionSink(number, 1, 0, HeadState(), self.writer, Listening())

    def emit(self, sink: SessionSink, seq: int) -> None:
        draft = Draft("step_end", {"step": seq})
        stored = store_form("sess_1", bytes(32), seq, TS, draft)
        sink.submit(Event("sess_1", seq, "step_end", TS, draft.payload), stored, {}, None)


async def test_what_a_session_waits_for_is_sent_with_all_that_came_before() -> None:
    async with Desk(Store(moves)) as desk:
        sink = desk.session(7)
        desk.emit(sink, 1)
        await asyncio.sleep(0)
        desk.emit(sink, 2)
        await sink.durable(2)
        assert desk.store.by_lane == [[(7, 2)]]
        assert desk.store.by_thread == []


async def test_sessions_that_wait_at_once_share_a_statement() -> None:
    async with Desk(Store(moves)) as desk:
        sinks = [desk.session(number) for number in (7, 8, 9)]
        for sink in sinks:
            desk.emit(sink, 1)
        await asyncio.gather(*(sink.durable(1) for sink in sinks))
        assert desk.store.by_lane == [[(7, 1), (8, 1), (9, 1)]]


async def test_what_nobody_waits_for_is_committed_too() -> None:
    async with Desk(Store(moves)) as desk:
        sink = desk.session(7)
        desk.emit(sink, 1)
        await sink.settled()
        assert desk.store.by_lane == [[(7, 1)]]


async def test_whoever_the_lane_did_not_move_is_tried_by_the_thread() -> None:
    async with Desk(Store(lambda batch: moves(batch) - {8})) as desk:
        sinks = [desk.session(number) for number in (7, 8)]
        for sink in sinks:
            desk.emit(sink, 1)
        await asyncio.gather(*(sink.durable(1) for sink in sinks))
        assert desk.store.by_thread == [[8]]


async def test_a_lane_that_fails_is_replaced_and_in_the_end_given_up() -> None:
    async with Desk(Store(*[lambda _batch: None] * (LANES + 1))) as desk:
        sink = desk.session(7)
        for seq in range(1, LANES + 3):
            desk.emit(sink, seq)
            await sink.durable(seq)
        assert len(desk.store.by_lane) == LANES
        assert desk.store.by_thread == [[7]] * (LANES + 2)
