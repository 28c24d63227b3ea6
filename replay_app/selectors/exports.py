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
    from playhead.core.events import Event

_ALL = {"arguments": True, "results": True, "prompts": True, "cost": True}
_clock = SystemClock()


def export_lines(*, session: SessionRef, eyes: facade.Eyes) -> Iterator[str]:
    """The events, one a line, each as it is served.

    Eyes that may not see personal data get a masked chain, whose first event says which log it
    was made from and what verifying that said on the day.
    """
    stored = facade.log_of(session)
    if eyes.reveal:
        rows = stored
    else:
        events = [row.event() for row in stored]
        events[0] = _about(session, events[0], stored[-1].hash)
        rows = masked(events, key=secrets.token_bytes(32), show=_ALL).events
    for row in rows:
        yield facade.event_json(row, bodies=True, eyes=facade.OPEN, head=False) + "\n"


def _about(session: SessionRef, first: Event, head_hash: bytes) -> Event:
    verdict = asdict(session_verify(session=session))
    note = {"at": stamp(_clock.now()), "head_hash": head_hash.hex(), "verdict": verdict}
    return replace(first, payload={**first.payload, "masked": note})
