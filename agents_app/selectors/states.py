"""What a session was at an event: folded from the log, never stored for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agents_app.adapters.stores import log_store
from agents_app.contracts import (
    ActivationState,
    SessionRef,
    StateMessage,
    StateView,
    UsageView,
)
from agents_app.engine.log.projection import HeadState, project
from agents_app.engine.log.record import Record
from agents_app.engine.model_calls.prompts import resolve
from agents_app.selectors.prompts import message_form, origin_of
from playhead.core import canonical
from playhead.core.errors import NotFound
from playhead.core.usage import money_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.contracts import SessionStatus
    from agents_app.selectors.masks import Eyes
    from playhead.core.events import Event


def state_get(*, session: SessionRef, eyes: Eyes, at: int | None) -> StateView:
    """Status, activations and open questions after the event ``at`` (``None``: the newest).

    Raises:
        NotFound: the session has no such event.
    """
    seq = session.head_seq if at is None else at
    if not 1 <= seq <= session.head_seq:
        raise NotFound(f"The session has no event {seq}.")
    events = [row.event() for row in log_store().read(session.pk, upto=seq)]
    state = project(HeadState(), events).state
    record = Record(events)
    usage = state.usage
    return StateView(
        seq=seq,
        status=cast("SessionStatus", state.status),
        run=state.run,
        activations=[_activation(session, record, address, eyes) for address in _addresses(record)],
        open_interrupts=_open(record),
        usage=UsageView(usage.input, usage.output, usage.cached, usage.reasoning),
        cost=money_text(state.cost),
    )


def _addresses(record: Record) -> list[str]:
    scopes = [event.scope or "" for event in record.by_type.get("step_end", ())]
    return list(dict.fromkeys(scope.rpartition("/")[0] for scope in scopes))


def _activation(session: SessionRef, record: Record, address: str, eyes: Eyes) -> ActivationState:
    ends = [
        event
        for event in record.by_type["step_end"]
        if (event.scope or "").rpartition("/")[0] == address
    ]
    state = _state(session, ends[-1], address)
    messages = [resolve(entry, record.message) for end in ends for entry in end.payload["append"]]
    return ActivationState(
        address=address,
        step=ends[-1].payload["step"],
        state=None if state is None else eyes.value(state["strategy"]),
        middleware={} if state is None else eyes.value(state["middleware"]),
        messages=[
            StateMessage(eyes.value(message_form(message)), origin_of(message))
            for message in messages
        ],
    )


def _state(session: SessionRef, end: Event, address: str) -> dict[str, Any] | None:
    """The state that a step left: in its event, in a checkpoint, or not kept."""
    if end.payload["state"] is not None:
        return dict(end.payload["state"])
    row = log_store().checkpoint(_owner(session, end.seq), address, end.seq)
    return dict(canonical.loads(row.state)) if row is not None and row.seq == end.seq else None


def _owner(session: SessionRef, seq: int) -> int:
    return next((pk for pk, last in session.lineage if seq <= last), session.pk)


def _open(record: Record) -> list[str]:
    ends: Sequence[Event] = record.by_type.get("session_end", ())
    since = ends[-1].seq if ends else 0
    return [
        event.payload["id"]
        for event in record.by_type.get("interrupt", ())
        if event.seq > since and record.decision(event.payload["id"]) is None
    ]
