"""A record that forgets is the record that never knew; what came from outside is never lost."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents_app.engine.errors import Moved
from agents_app.engine.log import journal as journals
from agents_app.engine.log.journal import Journal
from agents_app.engine.log.projection import HeadState, project
from agents_app.engine.log.record import Record
from agents_app.testing import Crashed, Session
from playhead.core.clock import FrozenClock
from playhead.core.events import GENESIS, Draft, Event, StoredEvent, rehash, store_form
from replay_app.testing import branch
from tests.unit.agents_engine.scenarios import DOUBTFUL, SCENARIOS, Ledger, begin, play

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

CLOCK = FrozenClock(datetime(2026, 11, 30, tzinfo=UTC))
QUICK = settings(max_examples=60, deadline=None, database=None)


@cache
def logs() -> tuple[tuple[Event, ...], ...]:
    """Logs of every scenario with a recovery that abandons a request, and of a branch of each."""

    async def played() -> list[tuple[Event, ...]]:
        out = []
        for scenario in (*SCENARIOS, DOUBTFUL):
            session = begin(scenario, Ledger())
            session.after_commit = _dies_once
            await play(scenario, session)
            child = branch(session, len(session.events) // 2)
            await play(type(scenario)(scenario.name, scenario.make, scenario.decide), child)
            out += [tuple(session.events), tuple(child.events)]
        return out

    return tuple(asyncio.run(played()))


def _dies_once(session: Session, _number: int, _events: object) -> None:
    session.after_commit = None
    raise Crashed


places = st.tuples(st.integers(0, 2 * len(SCENARIOS) + 1), st.integers(0, 60), st.integers(0, 60))


def picked(place: tuple[int, int, int]) -> tuple[tuple[Event, ...], int, int]:
    log = logs()[place[0]]
    return log, min(place[1], len(log)), min(place[2], len(log))


def index(record: Record) -> dict[str, Any]:
    """Everything that a record can be asked."""
    out = {name: getattr(record, name) for name in Record.__slots__ if name != "_messages"}
    return {
        name: {key: item for key, item in value.items() if item != []}
        if isinstance(value, dict)
        else value
        for name, value in out.items()
    }


@QUICK
@given(places)
def test_a_record_that_forgets_is_a_fresh_one_of_the_beginning(
    place: tuple[int, int, int],
) -> None:
    """Whatever it knew meanwhile: leases and branches that call things abandoned, too."""
    log, upto, more = picked(place)
    record = Record()
    for event in log[:more]:
        record.add(event)
    record.truncate(upto)
    assert index(record) == index(Record(log[: min(upto, more)]))
    for event in log[min(upto, more) :]:
        record.add(event)
    assert index(record) == index(Record(log))


@QUICK
@given(places)
def test_a_log_is_folded_in_parts_to_the_same_state(place: tuple[int, int, int]) -> None:
    """``project(s, a + b) = project(project(s, a).state, b)``, and the rows are the same."""
    log, at, _ = picked(place)
    whole, first = project(HeadState(), log), project(HeadState(), log[:at])
    second = project(first.state, log[at:])
    assert second.state == whole.state
    for rows in ("interrupts", "decisions", "consumed"):
        assert getattr(first, rows) + getattr(second, rows) == getattr(whole, rows)


class Disk:
    """A log that others write to as well, and the sink of the one writer that is looked at."""

    def __init__(self) -> None:
        self.log: list[StoredEvent] = []
        self.queue: list[StoredEvent] = []
        self.known = 0

    def submit(
        self, event: Event, stored: StoredEvent, rows: Mapping[str, Any], checkpoint: Any
    ) -> None:
        self.queue.append(stored)

    async def durable(self, seq: int) -> None:
        if not self.commit():
            raise Moved

    def commit(self) -> bool:
        """Append the queue behind the head that was read; a miss when others have written."""
        if len(self.log) != self.known:
            return False
        self.log += self.queue
        self.known += len(self.queue)
        self.queue.clear()
        return True

    def write(self, draft: Draft) -> None:
        """Somebody else's event."""
        prev = self.log[-1].hash if self.log else GENESIS
        ts = "2026-11-30T10:00:00.000000Z"
        self.log.append(store_form("sess_1", prev, len(self.log) + 1, ts, draft))


def _note(what: str, number: int) -> Draft:
    return Draft("effect", {"kind": what, "request": number}, "agent:a/0")


def _now(coroutine: Coroutine[Any, Any, None]) -> bool:
    """Run a coroutine that never waits; whether the head had not moved."""
    try:
        coroutine.send(None)
    except StopIteration:
        return True
    except Moved:
        return False
    raise AssertionError("it waits")


OPS = ("emit", "carry", "foreign", "commit", "in doubt", "read on")


@settings(max_examples=300, deadline=None, database=None)
@given(st.lists(st.sampled_from(OPS), max_size=25))
def test_what_came_from_outside_is_chained_again_once_whoever_writes_between(
    ops: list[str],
) -> None:
    """Any order of our events, others' events, commits, commits in doubt, and reading on."""
    disk = Disk()
    disk.write(_note("start", 0))
    disk.known = 1
    record = Record([disk.log[0].event()])
    journal = Journal(session_id="sess_1", record=record, sink=disk, clock=CLOCK)
    carried, foreign = [], [0]
    for number, op in enumerate([*ops, "commit", "read on", "commit"], 1):
        if op == "carry":
            journal.carry(_note("outside", number))
            carried.append(number)
        elif op == "emit" and not journal.moved:
            journal.emit(_note("loop", number))
        elif op == "foreign":
            disk.write(_note("start", number))
            foreign.append(number)
        elif op == "commit" and not journal.moved:
            _now(journal.commit())
        elif op == "in doubt" and not journal.moved:
            before = disk.known
            disk.commit()  # it is there, or not: the writer is not told
            disk.known, journal.moved = before, True
        elif op == "read on":
            _read_on(disk, journal)
    _holds(disk, carried, foreign)
    assert [event.hash for event in record.events] == [event.hash for event in disk.log]


def _read_on(disk: Disk, journal: Journal) -> None:
    news = [stored.event() for stored in disk.log[disk.known :]]
    if news or journal.moved:
        disk.queue.clear()
        durable, disk.known = disk.known, len(disk.log)
        journal.rebase(durable, news)


def _holds(disk: Disk, carried: list[int], foreign: list[int]) -> None:
    prev = GENESIS
    for seq, stored in enumerate(disk.log, 1):
        assert stored.seq == seq
        assert rehash(prev, stored) == stored.hash
        prev = stored.hash
    said = [stored.event().payload for stored in disk.log]
    assert [p["request"] for p in said if p["kind"] == "outside"] == carried
    assert [p["request"] for p in said if p["kind"] == "start"] == foreign
    loop = [p["request"] for p in said if p["kind"] == "loop"]
    assert loop == sorted(set(loop))


def _forgets_nothing_abandoned(self: Record, seq: int) -> None:
    self.events = [event for event in self.events if event.seq <= seq]
    self._clear()
    for event in self.events:
        self._index(event)


def _chains_twice(self: Journal, durable: int, news: Any) -> None:
    lost = [entry for entry in self._pending if entry.seq > durable and entry.outside]
    again = [*lost, *self._waiting]
    self._pending, self._waiting, self.moved = [], [], False
    self.record.truncate(durable)
    for event in news:
        self.record.add(event)
    self._hash = self.record.events[-1].hash
    for entry in again:
        self._chain(entry, None)


def _loses_what_waits(self: Journal, draft: Draft) -> None:
    if not self.moved:
        entry = journals._Entry(draft, "2026-11-30T10:00:00.000000Z", outside=True)
        self._chain(entry, None)


def _begins_anew(_: HeadState, events: Any, *, real: Callable[..., Any] = project) -> Any:
    return real(HeadState(), events)


PLANTED = [
    (sys.modules[__name__], "project", _begins_anew,
     test_a_log_is_folded_in_parts_to_the_same_state),
    (Record, "truncate", _forgets_nothing_abandoned,
     test_a_record_that_forgets_is_a_fresh_one_of_the_beginning),
    (Journal, "rebase", _chains_twice,
     test_what_came_from_outside_is_chained_again_once_whoever_writes_between),
    (Journal, "carry", _loses_what_waits,
     test_what_came_from_outside_is_chained_again_once_whoever_writes_between),
]  # fmt: skip


@pytest.mark.parametrize(("owner", "name", "fault", "property_"), PLANTED)
def test_a_planted_fault_is_caught(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, fault: Any, property_: Any
) -> None:
    logs()
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        property_()
