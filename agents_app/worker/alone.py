"""A session that takes its worker down with it runs in a process of its own, then not at all.

It is claimed again and again without an answer, a step or a question. After ``ATTEMPTS`` such
claims it runs in a process of its own; the next one is for ending it there, as any run ends; and
where not even that comes through, its end is written without running or opening anything of it.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores.port import Append, Claimed, LogStore
from agents_app.engine.log.projection import project
from agents_app.models import Session
from agents_app.models.sessions import FAULT
from playhead.core.clock import stamp
from playhead.core.events import Draft, store_form

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from agents_app.adapters.stores.port import HeaderRow

logger = logging.getLogger(__name__)

ATTEMPTS = 2
#: Beyond this many claims the process of its own ends the run instead of going on with it.
RUNS = ATTEMPTS + 1
#: Beyond this many, the end is written from outside.
ENDS = RUNS + 1
#: How many processes of their own a worker has at once: one bad day must not start hundreds.
PLACES = 2
_PAGE = 5000


def why(attempts: int, fault: str | None = None) -> str:
    """What is said of a session that is given up; ``fault`` is what its last try met."""
    if fault is None:
        return f"The worker stopped {attempts - 1} times while it ran this session."
    return f"This session failed in the worker {attempts - 1} times, at last with: {fault}"


def note_fault(session: int, epoch: int, said: str) -> None:
    """Keep what a try has met, for the sentence of the end if there is one. Blocks."""
    error = {"code": FAULT, "message": said, "epoch": epoch}
    Session.objects.filter(pk=session, head__epoch=epoch).update(error=error)


def fault_of(session: int, epoch: int) -> str | None:
    """What the try before this one met, if it lived to tell. Blocks."""
    error = Session.objects.values_list("error", flat=True).get(pk=session) or {}
    met = error.get("code") == FAULT and error.get("epoch") == epoch - 1
    return str(error["message"]) if met else None


class OwnProcess:
    """Stands where a session's runner would: it keeps the lease until the process renews it.

    Args:
        places: limits how many there are at once; who waits for a place keeps its lease.
    """

    def __init__(
        self, claimed: Claimed, *, store: LogStore, in_thread: Callable[..., Awaitable[Any]],
        owner: str, places: asyncio.Semaphore, every: float,
    ) -> None:  # fmt: skip
        self.epoch = claimed.epoch
        self.holds = True
        self._claimed, self._store, self._in_thread = claimed, store, in_thread
        self._owner, self._places, self._every = owner, places, every
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._lost = self._drained = False

    def poke(self) -> None:
        """The process hears of news by its own renewals."""

    def heard(self, seq: int) -> None:
        """The same."""

    def drain(self, _grace: float) -> None:
        """The process gives back what it has, or the place that is waited for is not needed."""
        self._drained = True
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
        elif self._task is not None:
            self._task.cancel()

    def lose(self) -> None:
        """The lease is gone: so is the process."""
        self._lost = True
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        elif self._task is not None:
            self._task.cancel()

    async def run(self) -> None:
        """Wait for a place, then for the end of the process."""
        self._task = asyncio.create_task(self._in_its_place())
        await asyncio.wait({self._task})
        if self._drained and self.holds and not self._lost:  # it never took the lease over
            await self._in_thread(self._store.release, self._claimed.session, self.epoch)
        elif not self._task.cancelled():
            self._task.result()

    async def _in_its_place(self) -> None:
        async with self._places:
            logger.warning("%s It runs in a process of its own.", why(self._claimed.attempts))
            self._process = process = await _start(self._claimed, self._owner)
            try:
                self.holds = not await process.stdout.readline()  # type: ignore[union-attr]
                await self._ended(process)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()

    async def _ended(self, process: asyncio.subprocess.Process) -> None:
        """Return when it has ended, or when it hangs and the session is somebody else's."""
        while process.returncode is None:
            try:
                await asyncio.wait_for(process.wait(), self._every)
            except TimeoutError:
                if await self._taken_away():
                    return

    async def _taken_away(self) -> bool:
        try:
            head = await self._in_thread(self._store.head, self._claimed.session)
        except Exception as error:
            logger.info("Whose session %s is, is not known: %s", self._claimed.session, error)
            return False
        return bool(head.epoch != self.epoch)


async def _start(claimed: Claimed, owner: str) -> asyncio.subprocess.Process:
    handed = [claimed.session, claimed.epoch, owner, int(claimed.abandoned), claimed.now]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "agents_app.worker.alone_main", *map(str, handed),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


def end_unread(store: LogStore, claimed: Claimed, owner: str, *, cancelled: bool = False) -> None:
    """End a session of which nothing can be run: visibly, and so that its next message can.

    What the step under way had begun counts for nothing any more.
    """
    begun = _begun(store, claimed.session)
    met = fault_of(claimed.session, claimed.epoch)
    reason = "The run was cancelled." if cancelled else why(claimed.attempts, met)
    payload: dict[str, Any] = {
        "run": claimed.state.run, "outcome": "cancelled" if cancelled else "failed",
        "answer": None, "steps": 0, "reason": reason,
    }  # fmt: skip
    if not cancelled:
        payload["error"] = {"code": "worker_died", "message": reason}
    drafts = [
        Draft("lease", {"epoch": claimed.epoch, "owner": owner, "abandoned": begun}),
        Draft("session_end", payload),
    ]
    logger.error("Session %s ends %s: %s", claimed.public_id, payload["outcome"], reason)
    store.append([_append(claimed, drafts)])


def _append(claimed: Claimed, drafts: list[Draft]) -> Append:
    prev, stored, ts = claimed.hash, [], stamp(claimed.now)
    for seq, draft in enumerate(drafts, claimed.seq + 1):
        stored.append(store_form(claimed.public_id, prev, seq, ts, draft))
        prev = stored[-1].hash
    state = project(claimed.state, [each.event() for each in stored]).state
    return Append(
        session=claimed.session, expected=claimed.seq, epoch=claimed.epoch, events=tuple(stored),
        state=state, release=True,
    )  # fmt: skip


def _begun(store: LogStore, session: int) -> list[int]:
    """What the loop has written since its last whole step, told from the headers alone."""
    rows: list[HeaderRow] = []
    while page := store.headers(session, after=rows[-1].seq if rows else 0, limit=_PAGE):
        rows += page
    since = max((row.seq for row in rows if _is_whole(row)), default=0)
    return [row.seq for row in rows if row.seq > since and row.scope is not None]


def _is_whole(row: HeaderRow) -> bool:
    """Whether the root's step, or the run, ends with this: a child's step is part of a step."""
    ends = row.event_type == "step_end" and ";" not in (row.scope or "")
    return ends or row.event_type == "session_end"
