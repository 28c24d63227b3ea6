"""What crosses the border of a log store: the appends that go in and the rows that come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from playhead.core.errors import LogError, PlayheadError
from playhead.core.immutable import immutable

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

    from agents_app.engine.log.projection import DecisionRow, HeadState, InterruptRow
    from playhead.core.events import StoredEvent
    from playhead.core.header import Header


@dataclass(frozen=True, slots=True)
class VaultRow:
    """A sealed value; it is stored under the root of the session that brings it."""

    id: str
    type: str
    ciphertext: bytes


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """The state of an activation after a step, as canonical bytes."""

    address: str
    step: int
    seq: int
    state: bytes


@immutable(frozen=True, slots=True)
class Append:
    """What one writer adds to one session, all of it or nothing.

    ``expected`` is the head that the writer has read, ``epoch`` its lease (``None``: a person).
    ``state`` is the projection after the events. ``release`` gives the lease back: going to wait
    is an append without events that releases. ``consumed`` are decisions (by seq) that the events
    use up; each can be used once.

    Raises:
        LogError: the seqs of the events do not go on from ``expected``.
    """

    session: int
    expected: int
    epoch: int | None
    events: tuple[StoredEvent, ...]
    state: HeadState
    release: bool = False
    interrupts: tuple[InterruptRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    consumed: tuple[int, ...] = ()
    vault: tuple[VaultRow, ...] = ()
    checkpoints: tuple[CheckpointRow, ...] = ()

    def __post_init__(self) -> None:
        if self.events and (
            self.events[0].seq != self.expected + 1 or self.events[-1].seq != self.seq
        ):
            raise LogError(f"These events do not follow event {self.expected}.", code="gap")

    @property
    def seq(self) -> int:
        """The head after this append."""
        return self.expected + len(self.events)


@dataclass(frozen=True, slots=True)
class Head:
    """Where a session stands. ``lost``: it runs, and its lease is over (database's clock)."""

    seq: int
    hash: bytes
    epoch: int
    owner: str | None
    attempts: int
    cancel_seq: int | None
    lost: bool
    state: HeadState


@dataclass(frozen=True, slots=True)
class Claimed:
    """A session that is ours until its lease ends. ``abandoned``: its owner did not release it.

    ``now`` is the database's clock at the claim, by which questions expire.
    """

    session: int
    public_id: str
    now: datetime
    epoch: int
    seq: int
    hash: bytes
    attempts: int
    abandoned: bool
    state: HeadState


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """A row of a list of events: everything but the body."""

    session_id: str
    seq: int
    event_type: str
    ts: str
    scope: str | None
    cause: int | None
    header: Header


@dataclass(frozen=True, slots=True)
class Due:
    """A question that is past its expiry and still open."""

    session: int
    interrupt: str
    seq: int
    on_expiry: str | None
    expires_at: datetime


class AppendError(PlayheadError):
    """The database refused appends. ``results`` has an outcome for each, in order.

    An outcome is what ``append`` returns, or the error that this one met.
    """

    code = "append_failed"
    permanent = False

    def __init__(self, results: Sequence[bool | Exception]) -> None:
        errors = [result for result in results if isinstance(result, Exception)]
        super().__init__(f"{len(errors)} of {len(results)} append(s) failed: {errors[0]}")
        self.results = list(results)


class Lane(Protocol):
    """Appends that an event loop sends and hears of by itself, one batch at a time."""

    def send(self, batch: Sequence[Append], done: Callable[[Collection[int] | None], None]) -> bool:
        """Send a batch and call ``done`` on the loop with the sessions that were moved.

        ``None`` means that nobody knows: append it again, which settles it. The others are not
        known to have missed either. False when this batch is not one for a lane: append it.
        """
        ...

    def leave(self) -> None:
        """Let the thread have the connection, until the next ``send``."""
        ...


class LogStore(Protocol):
    """The log of every session, in one database. Synchronous: call it from a writer thread.

    It uses Django's connection of the calling thread and never holds it: who calls closes it
    (``close_old_connections``) before waiting for anything else than the next call.
    """

    def append(self, batch: Sequence[Append]) -> list[bool]:
        """Store appends of different sessions, each fenced alone, in one statement.

        ``False`` is a miss: the head moved, the epoch is lost, a decision was taken or used by
        somebody else. Nothing of it is stored then: read, and decide again.

        Raises:
            AppendError: the database refused some; the others are stored or missed.
        """
        ...

    def lane(self, loop: AbstractEventLoop) -> Lane | None:
        """A lane on the connection of the calling thread, ``None`` where there is none.

        The thread may use the connection when the lane was left.
        """
        ...

    def head(self, session: int) -> Head:
        """Where a session stands.

        Raises:
            NotFound: no such session.
        """
        ...

    def claim(
        self, *, owner: str, limit: int, ttl: float, only: int | None = None
    ) -> list[Claimed]:
        """Take up to ``limit`` runnable sessions (or just ``only``) for ``ttl`` seconds.

        Those that have waited longest come first.
        """
        ...

    def renew(
        self, *, owner: str, sessions: Sequence[tuple[int, int]], ttl: float
    ) -> dict[int, int | None]:
        """Keep ``(session, epoch)`` leases for ``ttl`` more seconds; their head seqs.

        A session that is not in the answer is lost; one with ``None`` is locked by somebody, and
        neither renewed nor lost yet.
        """
        ...

    def release(self, session: int, epoch: int, *, tried: bool = False) -> None:
        """Give a lease back. The attempt counts only when it was ``tried`` and failed.

        A lease that is lost is no error.
        """
        ...

    def read(
        self,
        session: int,
        *,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] | None = None,
        limit: int | None = None,
        blobs: bool = True,
    ) -> list[StoredEvent]:
        """Events in the order of seq, those of ancestors included.

        Without ``blobs`` a body of more than 256 kB stays the stub that is in the log.

        Raises:
            NotFound: no such session.
        """
        ...

    def headers(self, session: int, *, after: int = 0, limit: int = 5000) -> list[HeaderRow]:
        """The same events without their bodies.

        Raises:
            NotFound: no such session.
        """
        ...

    def blob(self, root: int, sha256: bytes) -> bytes | None:
        """The bytes of a blob of a session tree, ``None`` when there is none."""
        ...

    def checkpoint(self, session: int, address: str, upto: int) -> CheckpointRow | None:
        """The newest checkpoint of an activation at or before seq ``upto``."""
        ...

    def due(self, *, limit: int) -> list[Due]:
        """Open questions past their expiry by the database's clock, the oldest first."""
        ...

    def late(self, session: int, *, epoch: int, call_seq: int, body: bytes) -> None:
        """Keep the result that a worker brought after it had lost its session."""
        ...

    def erase(self, session: int) -> None:
        """Erase a session and all that hangs on it: the one door through the append-only log.

        Raises:
            Conflict: a branch reads this session's events.
        """
        ...
