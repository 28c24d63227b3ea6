"""Rows that follow from the log, made from it again: nothing is lost when they are thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from agents_app.adapters.stores import log_store
from agents_app.engine.log.projection import ENDED, HeadState, Projection, project
from agents_app.models import Head, Interrupt, Session
from agents_app.models.sessions import HELD
from playhead.core.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Collection

    from playhead.core.events import Event


def session_rebuild(*, session: Session) -> bool:
    """Fold a session's log again into its head, its end and its questions; says what it found.

    Returns:
        Whether the stored rows were already what the log says.

    Raises:
        Conflict: a worker is at work on it.
    """
    with transaction.atomic():
        head = Head.objects.select_for_update().get(session=session)
        if head.owner is not None:
            raise Conflict(f"Session {session.public_id} is being run.", code="running")
        rows = log_store().read(session.pk)
        events = [row.event() for row in rows]
        own = {row.seq for row in rows if row.session_id == session.public_id}
        done = _projected(events, own)
        before = (_stored_head(head), _stored_end(session), _stored_interrupts(session))
        _write_head(head, done.state)
        _write_end(session, done.state, held=head.waiting_for == HELD)
        Interrupt.objects.filter(session=session).delete()
        interrupts_project(session=session, projection=done, own=own)
        _withdraw(session, events, done.state)
        return before == (_stored_head(head), _stored_end(session), _stored_interrupts(session))


def interrupts_project(*, session: Session, projection: Projection, own: Collection[int]) -> None:
    """Write the questions that a session itself asked, with their answers."""
    answers = {row.interrupt: row for row in projection.decisions if row.seq in own}
    made = []
    for row in projection.interrupts:
        if row.seq not in own:
            continue
        made.append(_interrupt(session, row, answers.get(row.id), projection.consumed))
    Interrupt.objects.bulk_create(made)


def _interrupt(session: Session, row: Any, answer: Any, consumed: Collection[int]) -> Interrupt:
    made = Interrupt(
        id=row.id,
        session=session,
        seq=row.seq,
        agent=row.agent,
        kind=row.kind,
        address=row.address,
        tool=row.tool,
        digest=row.digest,
        allowed=list(row.allowed),
        required_role=row.required_role,
        expires_at=row.expires_at,
        on_expiry=row.on_expiry,
        created_at=row.created_at,
    )
    if answer is not None:
        made.status = answer.status
        made.decision = answer.decision
        made.decision_seq = answer.seq
        made.decided_by = answer.by
        made.decided_at = answer.at
        made.consumed_at = answer.at if answer.seq in consumed else None
    return made


def _projected(events: list[Event], own: Collection[int]) -> Projection:
    """The whole log folded; what was spent before a fork was spent by the parent."""
    inherited = [event for event in events if event.seq not in own]
    state = project(HeadState(), inherited).state
    if inherited:
        state = state.inherited()
    return project(state, events[len(inherited) :])


def _write_head(head: Head, state: HeadState) -> None:
    """All that the log knows. How a session rests stands beside it, unless the log has its end."""
    if state.ended:
        head.status, head.waiting_for, head.due_at = state.status, None, None
    elif head.status in ENDED:
        head.status = "queued"
    head.run, head.inbox, head.pending = state.run, state.inbox, state.pending
    usage = state.usage
    head.tokens_input, head.tokens_output = usage.input, usage.output
    head.tokens_cached, head.tokens_reasoning = usage.cached, usage.reasoning
    head.cost = state.cost
    head.save()


def _write_end(session: Session, state: HeadState, *, held: bool) -> None:
    """What the log says of its end; why it is held stands beside the log."""
    session.outcome, session.answer = state.outcome, state.answer
    session.error = session.error if held else state.error
    session.ended_at = state.ended_at
    session.save(update_fields=["outcome", "answer", "error", "ended_at"])


def _withdraw(session: Session, events: list[Event], state: HeadState) -> None:
    """Questions of runs that have ended are asked no more."""
    ends = [event.seq for event in events if event.event_type == "session_end"]
    open_ = Interrupt.objects.filter(session=session, status=Interrupt.Status.PENDING)
    if ends:
        open_.filter(seq__lt=ends[-1]).update(status=Interrupt.Status.CANCELLED)
    if session.imported:
        open_.update(status=Interrupt.Status.CANCELLED)
        if not state.ended:
            Head.objects.filter(session=session).update(pending=0, status="paused")


def _stored_head(head: Head) -> tuple[Any, ...]:
    fields = ("status", "run", "inbox", "pending", "tokens_input", "tokens_output", "cost")
    return tuple(Head.objects.values_list(*fields).get(pk=head.pk))


def _stored_end(session: Session) -> tuple[Any, ...]:
    fields = ("outcome", "answer", "error", "ended_at")
    return tuple(Session.objects.values_list(*fields).get(pk=session.pk))


def _stored_interrupts(session: Session) -> list[tuple[Any, ...]]:
    fields = ("id", "seq", "status", "decision", "decision_seq")
    return list(Interrupt.objects.filter(session=session).order_by("seq").values_list(*fields))
