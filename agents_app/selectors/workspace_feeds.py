"""One feed per watched workspace and process: what changed, read once, told by role."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from django.db.models.functions import Now
from pydantic import TypeAdapter

from agents_app.adapters import live
from agents_app.contracts import InterruptView, SessionView
from agents_app.models import Head
from agents_app.selectors.interrupts import interrupts_by_id, pending_roles
from agents_app.selectors.listening import Listener
from agents_app.selectors.masks import Eyes
from agents_app.selectors.sessions import sessions_by_pk
from agents_app.selectors.shared_feeds import SharedFeeds
from agents_app.selectors.threads import in_thread
from playhead.accounts.contracts import Principal, Role
from playhead.core.clock import SystemClock

_clock = SystemClock()
#: Seconds: what changes within GATHER is told together; without a wake-up we look every LOOK.
GATHER = 0.2
LOOK = 3.0
#: How far back a look goes: clocks of two commits may be this far out of order.
OVERLAP = timedelta(seconds=10)

_SESSION = TypeAdapter(SessionView)
_INTERRUPT = TypeAdapter(InterruptView)
Pending = dict[str, tuple[int, Role]]


class WorkspaceFollower(Protocol):
    """Somebody who watches a workspace."""

    principal: Principal

    def told(self, frames: list[str], pending: Pending) -> None:
        """What changed, as frames for this follower's role, and all open questions."""
        ...


@dataclass(slots=True)
class Changes:
    """What one look brought."""

    pending: Pending
    frames: dict[Role | None, list[str]] = field(default_factory=dict)


Standing = dict[int, tuple[int, str]]


def lately(workspace_id: str) -> Standing:
    """Sessions whose head moved lately: seq and status by the number of the row."""
    rows = Head.objects.filter(session__workspace_id=workspace_id, updated_at__gt=Now() - OVERLAP)
    return {pk: (seq, status) for pk, seq, status in rows.values_list("pk", "seq", "status")}


def changes(
    workspace_id: str,
    sessions: set[int],
    known: Pending,
    readers: dict[Role | None, Principal],
    *,
    whole: bool = True,
) -> Changes:
    """What a look at these sessions and at their open questions says to each role.

    ``whole``: at those of all sessions, in case that one went without its session's move.
    """
    pending = pending_roles(workspace_id=workspace_id, sessions=None if whole else sessions)
    if not whole:
        pending |= {pk: asked for pk, asked in known.items() if asked[0] not in sessions}
    moved = pending.keys() ^ known.keys()
    views = {
        reveal: [
            _frame("session", _SESSION.dump_json(view))
            for view in sessions_by_pk(pks=sessions, eyes=Eyes(reveal))
        ]
        for reveal in {reader.can_reveal for reader in readers.values()}
    }
    frames = {
        role: views[reader.can_reveal]
        + [
            _frame("interrupt", _INTERRUPT.dump_json(view))
            for view in interrupts_by_id(ids=moved, by=reader)
        ]
        for role, reader in readers.items()
    }
    return Changes(pending, frames)


def _frame(kind: str, data: bytes) -> str:
    return f'{{"type":"{kind}","{kind}":{data.decode()}}}'


class WorkspaceFeed:
    """The feed of one workspace in this process."""

    def __init__(self, workspace_id: str) -> None:
        self.workspace_id = workspace_id
        self.followers: set[WorkspaceFollower] = set()
        self.users = 0
        self.pending: Pending = {}
        self._dirty: set[int] = set()
        self._seen: Standing = {}
        self._telling: asyncio.Task[None] | None = None
        self._whole_at = _clock.monotonic()
        self._listener = Listener(live.workspace_group(workspace_id), self._woken, LOOK)
        self.starting = asyncio.create_task(self._start())

    @property
    def key(self) -> str:
        """The id of the workspace."""
        return self.workspace_id

    async def _start(self) -> None:
        await self._listener.start()
        self._seen = await in_thread(lately, self.workspace_id)
        self.pending = await in_thread(pending_roles, workspace_id=self.workspace_id)

    async def stop(self) -> None:
        """Nobody watches any more."""
        await self._listener.stop()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)

    async def _woken(self, payload: dict[str, int] | None) -> None:
        if payload is not None and "session" in payload:
            self._dirty.add(payload["session"])
        else:
            await self._look()
        if self._dirty and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._tell())

    async def _look(self) -> None:
        """Find what moved without a wake-up, and questions that went without a session's move."""
        now = await in_thread(lately, self.workspace_id)
        self._dirty |= {pk for pk, stands in now.items() if self._seen.get(pk) != stands}
        self._seen = now

    async def _tell(self) -> None:
        while self._dirty:
            await asyncio.sleep(GATHER)
            sessions, self._dirty = self._dirty, set()
            readers = {each.principal.role: each.principal for each in self.followers}
            whole = _clock.monotonic() - self._whole_at >= LOOK
            found = await in_thread(
                changes, self.workspace_id, sessions, self.pending, readers, whole=whole
            )
            self.pending = found.pending
            self._whole_at = _clock.monotonic() if whole else self._whole_at
            for follower in list(self.followers):
                follower.told(found.frames.get(follower.principal.role, []), found.pending)


_feeds: SharedFeeds[WorkspaceFeed] = SharedFeeds()
leave = _feeds.leave


async def join(workspace_id: str) -> WorkspaceFeed:
    """The feed of a workspace on this loop, started; give it back with ``leave``."""
    return await _feeds.join(workspace_id, lambda: WorkspaceFeed(workspace_id))
