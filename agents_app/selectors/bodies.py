"""Payloads of single events of many sessions, in one query."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from agents_app.adapters.stores import log_store
from agents_app.adapters.stores.rows import EVENT_COLUMNS, stored_event
from agents_app.models import Event
from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

Place = tuple[int, int]


def payloads_at(places: Sequence[Place]) -> dict[Place, dict[str, Any]]:
    """The payloads of events by (session, seq); a session's own events, not inherited ones."""
    if not places:
        return {}
    wanted = reduce(or_, (Q(session=session, seq=seq) for session, seq in places))
    out: dict[Place, dict[str, Any]] = {}
    for row in Event.objects.filter(wanted).values_list(*EVENT_COLUMNS):
        session, seq = row[0], row[1]
        stored, stub = stored_event(row, {session: ""})
        if stub:
            stored = log_store().read(session, after=seq - 1, upto=seq)[0]
        out[session, seq] = canonical.loads(stored.body if stored.blob is None else stored.blob)
    return out
