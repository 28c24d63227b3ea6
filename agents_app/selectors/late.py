"""What came too late of calls in doubt: a worker had lost the session, and its tool went on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from agents_app.adapters.stores.codec import unpack
from agents_app.contracts import LateView
from agents_app.models import Event, LateResult

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agents_app.models import Interrupt
    from agents_app.selectors.masks import Eyes


def late_results(rows: Iterable[Interrupt], eyes: Eyes) -> dict[str, LateView]:
    """The last late result of each question in doubt, by the question's id."""
    doubts = {(row.session_id, row.seq): row.pk for row in rows if row.kind == "in_doubt"}
    if not doubts:
        return {}
    asked = Event.objects.filter(_any(doubts, "seq")).values_list("session_id", "seq", "cause")
    calls = {(session, cause or 0): doubts[session, seq] for session, seq, cause in asked}
    found = LateResult.objects.filter(_any(calls, "call_seq")).order_by("pk")
    return {calls[row.session_id, row.call_seq]: _view(row, eyes) for row in found}


def _any(places: Iterable[tuple[int, int]], name: str) -> Q:
    either = Q(pk__in=[])
    for session, seq in places:
        either |= Q(session=session, **{name: seq})
    return either


def _view(row: LateResult, eyes: Eyes) -> LateView:
    said: dict[str, Any] = json.loads(unpack(bytes(row.body)))
    content = eyes.text(str(said["message"]["content"]))
    return LateView(content, bool(said["success"]), row.created_at)
