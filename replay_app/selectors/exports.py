"""A session as a file of JSON Lines: whole, or masked as a chain of its own."""

from __future__ import annotations

import secrets
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from agents_app import facade
from playhead.core.clock import SystemClock, stamp
from replay_app.engine.masked import masked
from replay_app.selectors.proofs import session_verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.contracts import SessionRef
    from playhead.core.events import Event, StoredEvent

_ALL = {"arguments": True, "results": True, "prompts": True, "cost": True}
_clock = SystemClock()
#: Events that are read at once; with their blobs they are some megabytes.
AT_ONCE = 100


def export_lines(*, session: SessionRef, eyes: facade.Eyes) -> Iterator[str]:
    """The events, one a line, each as it is served; a whole log is never in memory at once.

    Eyes that may not see personal data get a masked chain, whose first event says which log it
    was made from and what verifying that said on the day.
    """
    if eyes.reveal:
        for after in range(0, session.head_seq, AT_ONCE):
            upto = min(after + AT_ONCE, session.head_seq)
            yield from map(_line, facade.log_of(session, after=after, upto=upto))
        return
    stored = facade.log_of(session, upto=session.head_seq)
    events = [row.event() for row in stored]
    events[0] = _about(session, events[0], stored[-1].hash)
    yield from map(_line, masked(events, key=secrets.token_bytes(32), show=_ALL).events)


def _line(row: StoredEvent) -> str:
    return facade.event_json(row, bodies=True, eyes=facade.OPEN, head=False) + "\n"


def _about(session: SessionRef, first: Event, head_hash: bytes) -> Event:
    verdict = asdict(session_verify(session=session))
    note = {"at": stamp(_clock.now()), "head_hash": head_hash.hex(), "verdict": verdict}
    return replace(first, payload={**first.payload, "masked": note})
