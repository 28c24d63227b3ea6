"""One claimed session: enter the kernel, read on when others write, leave when it rests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from agents_app.adapters import live
from agents_app.adapters.models import resolve
from agents_app.adapters.models.prices import price
from agents_app.engine.errors import Divergence, Moved
from agents_app.engine.log.journal import Journal
from agents_app.engine.log.mismatch import answer_mismatch, end_unfollowed
from agents_app.engine.log.recovery import (
    expired_questions,
    has_lease,
    is_stopped,
    lease_draft,
    open_questions,
    stop_draft,
)
from agents_app.engine.loop.bus import EventBus
from agents_app.engine.loop.flight import Flight
from agents_app.engine.loop.grace import stopped
from agents_app.engine.loop.kernel import Kernel
from agents_app.engine.loop.shared import Loop
from agents_app.worker import holding
from agents_app.worker.alone import RUNS, fault_of, why
from agents_app.worker.assembly import Assembly, assemble
from agents_app.worker.clock import DatabaseClock
from agents_app.worker.outflow import Outflow
from agents_app.worker.shared import parts_of
from agents_app.worker.sink import SessionSink
from playhead.core import canonical
from playhead.core.clock import SYSTEM_CLOCK, Clock, parse_stamp
from playhead.jobs import home  # noqa: F401  (the loop that wake-ups hop to)

if TYPE_CHECKING:
    from datetime import datetime

    from agents_app.adapters.stores.port import Claimed, LogStore, VaultRow
    from agents_app.engine.log.journal import VaultRows
    from agents_app.engine.log.projection import HeadState
    from agents_app.engine.ports import ModelPort
    from agents_app.engine.spec import Outcome
    from agents_app.worker.writer import Writer
    from playhead.core.events import Draft, Event

logger = logging.getLogger(__name__)
#: How long commits are gathered before those who watch are told (seconds).
TELL = 0.02
#: The same while nobody watches the session: lists of a workspace can wait, and they are many.
UNWATCHED = 0.1
#: No code of a worker's session gets at the bus of its loop.
_NOBODY_LISTENS = EventBus()
T = TypeVar("T")
InThread = Callable[..., Awaitable[Any]]
Models = Callable[[str], "ModelPort"]


class SessionRunner:
    """Runs one session while its lease is ours.

    Args:
        claimed: the session with its epoch.
        in_thread: runs a blocking function in a database thread.
        clock: the machine's; of it only what passes is believed, never what time it is.
        models: the model of a name.
    """

    __slots__ = (
        "_abandoned", "_assembled", "_attempts", "_awake", "_draining", "_fault", "_found",
        "_grace", "_live", "_lost", "_models", "_outflow", "_poked", "_telling", "_told",
        "assembly", "clock", "epoch", "flight", "head_seen", "in_thread", "journal", "owner",
        "session", "sink", "store", "writer",
    )  # fmt: skip

    assembly: Assembly
    sink: SessionSink
    journal: Journal
    holds = True

    def __init__(
        self, claimed: Claimed, *, store: LogStore, writer: Writer, in_thread: InThread, owner: str,
        clock: Clock | None = None, models: Models = resolve,
    ) -> None:  # fmt: skip
        self.session = claimed.session
        self.epoch = claimed.epoch
        self._attempts, self._abandoned = claimed.attempts, claimed.abandoned
        self._fault: str | None = None
        self._found: tuple[int, HeadState] | None = (claimed.seq, claimed.state)
        self.store = store
        self.writer = writer
        self.in_thread = in_thread
        self.owner = owner
        self.clock = DatabaseClock(claimed.now, clock or SYSTEM_CLOCK)
        self._models = models
        self.flight = Flight()
        self.head_seen = claimed.seq
        self._poked = False
        self._awake: asyncio.Future[None] | None = None
        self._assembled = self._draining = False
        self._grace = 0.0
        self._telling: asyncio.TimerHandle | None = None
        self._told = 0.0
        self._lost = False

    def poke(self) -> None:
        """Somebody may have written: read on."""
        self._poked = True
        self._wake()

    def _wake(self, _: object = None) -> None:
        if self._awake is not None and not self._awake.done():
            self._awake.set_result(None)

    def heard(self, seq: int) -> None:
        """The head is at ``seq`` in the database; what is beyond ours was written by others."""
        if self._assembled and seq > self.sink.seq and not self.sink._busy:
            self.poke()

    def drain(self, grace: float) -> None:
        """Start nothing more; leave when what is in flight has ended, or after ``grace``."""
        self._grace = grace
        self._draining = True
        self.poke()

    def lose(self) -> None:
        """The lease is gone: cancel everything at once and write nothing to the log."""
        if self._assembled and not self._lost:
            self.journal.lose(self.sink.seq, self._late)
        self._lost = True
        self.flight.abort()
        self.poke()

    async def run(self) -> None:
        """Advance the session until it rests, ends, or is taken away."""
        self.assembly = await self.in_thread(assemble, self.session)
        if self._attempts > RUNS:
            self._fault = await self.in_thread(fault_of, self.session, self.epoch)
        self._assemble()
        while not (self._lost or self._draining):
            outcome = await self._enter()
            if outcome is not None and await self._leave(outcome):
                return
            if not self._lost:
                await self._read_on()
        await self._give_back()

    def _assemble(self) -> None:
        """Put together what the session is run with; how its head stood then is kept no longer."""
        assembly = self.assembly
        if self._found is None:
            raise AssertionError("a session is run once for each claim")
        (seq, state), self._found = self._found, None
        with holding.code():
            parts_of(assembly.workspace, self.in_thread).check(assembly.spec)
        self.sink = SessionSink(self.session, self.epoch, seq, state, self.writer, self)
        self.journal = Journal(
            session_id=assembly.public_id, record=assembly.record, sink=self.sink, clock=self.clock,
            seals=assembly.seals,
        )  # fmt: skip
        self._live = live.Deltas(self.session)
        self._outflow = Outflow(assembly.public_id, assembly.record, seq)
        self._assembled = True

    def _recover(self) -> None:
        """After a crash the new owner's first event is ``lease``, whoever writes meanwhile."""
        if self._abandoned and not has_lease(self.journal.record, self.epoch):
            self.journal.emit(lease_draft(self.journal.record, epoch=self.epoch, owner=self.owner))
        if self._attempts > RUNS and not is_stopped(self.journal.record):
            said = why(self._attempts, self._fault)
            self.journal.emit(stop_draft(self._loop().root, said))

    async def _enter(self) -> Outcome | None:
        """Run the kernel until it leaves, or until somebody wrote (None)."""
        with contextlib.suppress(Moved):
            self._recover()
            for draft in expired_questions(
                self.journal.record, now=self.clock.now(), to=self._loop().root
            ):
                self.journal.emit(draft)
            end_unfollowed(self._loop(), epoch=self.epoch, owner=self.owner)
        loop = self._loop()
        entry = Kernel(loop, states=self.assembly.states).run()
        kernel = asyncio.create_task(entry, name="kernel")
        # One future: a session that waits holds no task for each thing that it waits for.
        self._awake = asyncio.get_running_loop().create_future()
        kernel.add_done_callback(self._wake)
        if not self._poked:
            await self._awake
        if not kernel.done() and not await stopped(kernel, loop):
            return None
        return await self._outcome(kernel, loop)

    async def _outcome(self, kernel: asyncio.Future[Outcome], loop: Loop) -> Outcome | None:
        try:
            return await kernel
        except (Moved, asyncio.CancelledError):
            return None
        except Divergence as error:
            with contextlib.suppress(Moved):
                answer_mismatch(loop, error, epoch=self.epoch, owner=self.owner)
            return None

    def _loop(self) -> Loop:
        assembly = self.assembly
        parts = parts_of(assembly.workspace, self.in_thread)
        return Loop(
            session_id=assembly.public_id, record=self.journal.record,
            journal=self.journal, clock=self.clock, model=self._models,
            live=self._live, actor=parts.actor(assembly.spec, limits=assembly.limits), parts=parts,
            flight=self.flight, bus=_NOBODY_LISTENS, donor=assembly.donor,
            versions=assembly.versions, price=price,
        )  # fmt: skip

    async def _leave(self, outcome: Outcome) -> bool:
        """Go to rest; False when somebody wrote meanwhile and the session goes on."""
        if self._lost:
            return True
        return await self.sink.rest(partial(self._resting, outcome))

    def _resting(self, outcome: Outcome, state: HeadState) -> HeadState:
        if outcome.kind == "interrupted":
            times = [time for time in (outcome.due, self._first_expiry()) if time is not None]
            budget = all(point["kind"] == "budget" for point in outcome.points)
            whom = "budget" if budget else "person"
            return state.resting("waiting", whom, min(times, default=None))
        if outcome.kind == "paused":
            return state.resting("paused")
        if outcome.kind == "waiting":
            return state.resting("waiting", "time", outcome.due)
        return state

    def _first_expiry(self) -> datetime | None:
        expiries = [each.payload.get("expires_at") for each in open_questions(self.journal.record)]
        return min((parse_stamp(at) for at in expiries if at), default=None)

    async def _read_on(self) -> None:
        """Read what others wrote and chain behind it what came from outside."""
        await self.sink.settled()
        if self.sink.fault is not None:
            raise self.sink.fault
        self._poked = False
        news = await self.in_thread(self._news, self.sink.seq)
        head = await self.in_thread(self.store.head, self.session)
        if head.epoch != self.epoch:
            self.lose()
            return
        if not news and not self.sink.moved:
            return
        self.flight.dropped(self.sink.seq)
        durable = self.sink.seq
        last = news[-1].seq if news else durable
        self.sink.rebased(last, head.state)
        self.journal.rebase(durable, news)

    def _news(self, after: int) -> list[Event]:
        news = [stored.event() for stored in self.store.read(self.session, after=after)]
        self.assembly.seals.learn(news)
        return news

    async def _give_back(self) -> None:
        if self._lost:
            return
        await self.flight.settle(self._grace)
        with contextlib.suppress(Moved):
            await self.journal.commit()
        await self.in_thread(self.store.release, self.session, self.epoch)

    def _late(self, draft: Draft) -> None:
        """A result that has no place in the log any more is kept for who decides about its call."""
        if draft.event_type == "tool_result" and draft.cause is not None:
            keep = partial(
                self.store.late, self.session, epoch=self.epoch, call_seq=draft.cause,
                body=canonical.dumps(draft.payload),
            )  # fmt: skip
            task = asyncio.ensure_future(self.in_thread(keep))
            task.add_done_callback(partial(_kept, self.session))

    def sealed(self, rows: VaultRows) -> tuple[VaultRow, ...]:
        """What was sealed, as rows for the vault."""
        return self.assembly.seals.rows(rows)

    def committed(self, seq: int) -> None:
        """Those who watch are told of a burst of commits once."""
        self.head_seen = seq
        self._outflow.durable(seq)
        if self._telling is None:
            loop, wait = asyncio.get_running_loop(), TELL
            if not live.watchers().watched(self.session):
                wait = max(TELL, self._told + UNWATCHED - loop.time())
            self._told = loop.time() + wait
            self._telling = loop.call_later(wait, self._tell)

    def _tell(self) -> None:
        self._telling = None
        live.committed(
            session=self.session, workspace_id=self.assembly.workspace, seq=self.head_seen
        )

    def missed(self) -> None:
        """Somebody wrote first: the log has moved on."""
        self.journal.moved = True
        self.poke()


def _kept(session: int, task: asyncio.Future[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.warning("A late result of session %s could not be kept: %s", session, error)
