"""What people write into a session's log: fenced by the head, in a loop, without an epoch.

A miss means that somebody wrote first: the head is read again and what is to be written is decided
again. After the commit the worker and the sockets are woken; both would find it by themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from agents_app.adapters import live
from agents_app.adapters.stores import log_store
from agents_app.adapters.stores.port import Append, Head, VaultRow
from agents_app.engine.log.projection import project
from playhead.core.clock import SystemClock, stamp
from playhead.core.errors import Conflict
from playhead.core.events import Draft, Event, StoredEvent, store_form
from playhead.jobs import enqueue

if TYPE_CHECKING:
    from agents_app.models import Session

_clock = SystemClock()
#: More tries than other writers of one session can make while we look.
TRIES = 200
PAUSE = 0.002


@dataclass(frozen=True, slots=True)
class Writing:
    """Events to append together, with the vault rows that they refer to."""

    drafts: Sequence[Draft]
    vault: tuple[VaultRow, ...] = ()


NOTHING = Writing(())
Decide = Callable[[Head], Writing]


def log_write(
    *, session: Session, decide: Decide, also: Callable[[list[Event]], None] | None = None
) -> list[Event]:
    """Append what ``decide`` says about the head, once; returns the events.

    Args:
        decide: what to write at this head (``NOTHING``: leave it); it may raise to refuse.
        also: what is written besides in the same transaction (audit, rows).

    Raises:
        Conflict: others wrote all the time (``head_moved``; trying again is sensible), or the
            session is an imported record (``imported``).
    """
    if session.imported:
        raise Conflict("This session was imported: branch it to run on.", code="imported")
    store = log_store()
    for attempt in range(TRIES):
        head = store.head(session.pk)
        writing = decide(head)
        if not writing.drafts:
            return []
        stored = _chained(session.public_id, head, writing.drafts)
        events = [each.event() for each in stored]
        with transaction.atomic():
            if store.append([_append(session.pk, head, stored, events, writing.vault)])[0]:
                if also is not None:
                    also(events)
                _wake(session, head.seq + len(events))
                return events
        time.sleep(PAUSE * min(attempt, 25))
    raise Conflict(
        "Others write to this session all the time; try again.",
        code="head_moved",
        permanent=False,
        retry_after=1,
    )


def _chained(public_id: str, head: Head, drafts: Sequence[Draft]) -> list[StoredEvent]:
    ts, prev = stamp(_clock.now()), head.hash
    stored = []
    for place, draft in enumerate(drafts, start=head.seq + 1):
        stored.append(store_form(public_id, prev, place, ts, draft))
        prev = stored[-1].hash
    return stored


def _append(
    session: int,
    head: Head,
    stored: Sequence[StoredEvent],
    events: Sequence[Event],
    vault: tuple[VaultRow, ...],
) -> Append:
    projection = project(head.state, events)
    return Append(
        session=session,
        expected=head.seq,
        epoch=None,
        events=tuple(stored),
        state=projection.state,
        interrupts=projection.interrupts,
        decisions=projection.decisions,
        consumed=projection.consumed,
        vault=vault,
    )


def _wake(session: Session, seq: int) -> None:
    live.wake(session=session.pk, workspace_id=session.workspace_id, seq=seq)
    enqueue("agents.advance", session_id=session.pk)
