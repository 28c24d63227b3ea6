"""Sessions as they are listed and read: one query for the rows, one for their last events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Now

from agents_app.adapters.stores.rows import type_of
from agents_app.contracts import LastEvent, SessionRef, SessionView, UsageView
from agents_app.models import Event, Session
from agents_app.models.find import no_session
from agents_app.models.sessions import CODE_MISSING, FAULT, HELD, Status
from playhead.core.errors import InvalidInput
from playhead.core.usage import money_text
from playhead.rest.pagination import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agents_app.contracts import SessionStatus
    from agents_app.selectors.masks import Eyes


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions to list; ``status`` may name several, separated by commas."""

    status: str | None = None
    agent: str | None = None
    q: str | None = None
    root: str | None = None


def session_list(
    *, workspace_id: str, eyes: Eyes, wanted: SessionFilter, cursor: str | None, limit: int
) -> tuple[list[SessionView], str | None]:
    """A page of the workspace's sessions, the newest first, and the cursor of the next page."""
    rows = _filtered(_rows().filter(workspace_id=workspace_id), wanted)
    page, after = page_of(rows, newest="id", cursor=cursor, limit=limit)
    views = _views(page, eyes)
    return views if eyes.reveal else _found_in_sight(views, wanted.q), after


def _found_in_sight(views: list[SessionView], q: str | None) -> list[SessionView]:
    """Who does not see personal data finds nothing by it: the words have to be in what is shown."""
    words = [word.lower() for word in (q or "").split()[:8]]
    shown = {
        view.id: f"{view.id} {view.agent} {view.agent_name} {view.title} {view.answer}".lower()
        for view in views
    }
    return [view for view in views if all(word in shown[view.id] for word in words)]


def session_get(*, workspace_id: str, eyes: Eyes, session_id: str) -> SessionView:
    """One session.

    Raises:
        NotFound: no such session in this workspace.
    """
    found = _views(list(_rows().filter(workspace_id=workspace_id, public_id=session_id)), eyes)
    if not found:
        raise no_session(session_id)
    return found[0]


def sessions_by_pk(*, pks: Iterable[int], eyes: Eyes) -> list[SessionView]:
    """Sessions by the numbers of their rows, the newest first."""
    return _views(list(_rows().filter(pk__in=list(pks)).order_by("-pk")), eyes)


def session_ref(*, workspace_id: str, session_id: str) -> SessionRef:
    """What is needed to read a session's log.

    Raises:
        NotFound: no such session in this workspace.
    """
    rows = Session.objects.filter(workspace_id=workspace_id, public_id=session_id)
    found = list(rows.values_list("pk", "root_id", "lineage", "head__seq"))
    if not found:
        raise no_session(session_id)
    pk, root, lineage, head_seq = found[0]
    return SessionRef(
        pk=pk,
        id=session_id,
        workspace_id=workspace_id,
        root=root or pk,
        lineage=tuple((ancestor, last) for ancestor, last in lineage),
        head_seq=head_seq,
    )


def _rows() -> QuerySet[Session]:
    over = When(head__status=Status.RUNNING, head__lease_until__lt=Now(), then=Value(True))
    return Session.objects.select_related(
        "head", "agent_version__agent", "parent", "root"
    ).annotate(lost=Case(over, default=Value(False)))


def _filtered(rows: QuerySet[Session], wanted: SessionFilter) -> QuerySet[Session]:
    if wanted.status:
        rows = rows.filter(head__status__in=_statuses(wanted.status))
    if wanted.agent:
        rows = rows.filter(agent_version__agent__slug=wanted.agent)
    if wanted.root:
        rows = rows.filter(root__public_id=wanted.root)
    for word in (wanted.q or "").split()[:8]:
        rows = rows.filter(
            Q(title__icontains=word)
            | Q(search__icontains=word)
            | Q(answer__icontains=word)
            | Q(public_id=word)
        )
    return rows


def _statuses(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in Status.values:
            known = ", ".join(Status.values)
            raise InvalidInput(f"{name!r} is no status; say {known}.", detail={"field": "status"})
    return names


def _views(rows: Sequence[Session], eyes: Eyes) -> list[SessionView]:
    last = _last_events(rows)
    return [_view(row, last.get(row.pk), eyes) for row in rows]


def _last_events(rows: Sequence[Session]) -> dict[int, LastEvent]:
    """The newest event of each; a session without one of its own inherits all of them."""
    newest = Event.objects.filter(
        session__in=[row.pk for row in rows], seq=F("session__head__seq")
    ).values_list("session_id", "seq", "kind", "label")
    return {pk: LastEvent(seq, type_of(kind)[0], label) for pk, seq, kind, label in newest}


def _error(row: Session) -> dict[str, Any] | None:
    """Why it has ended, or why it can't go on; what a worker has only noted is neither."""
    noted = row.error is not None and row.error["code"] in (FAULT, CODE_MISSING)
    return None if noted and row.head.waiting_for != HELD else row.error


def _view(row: Session, last: LastEvent | None, eyes: Eyes) -> SessionView:
    head, agent = row.head, row.agent_version.agent
    return SessionView(
        id=row.public_id,
        root=row.root.public_id if row.root else row.public_id,
        parent=row.parent.public_id if row.parent else None,
        fork_seq=row.fork_seq,
        agent=agent.slug,
        agent_name=agent.name,
        version=row.agent_version.number,
        published=row.agent_version.imported or row.agent_version.published_at is not None,
        model=row.model,
        title=eyes.text(row.title),
        tags=[eyes.text(tag) for tag in row.tags],
        status=cast("SessionStatus", head.status),
        waiting_for=head.waiting_for,
        lost=bool(getattr(row, "lost", False)),
        due_at=head.due_at,
        head_seq=head.seq,
        run=head.run,
        usage=UsageView(
            head.tokens_input, head.tokens_output, head.tokens_cached, head.tokens_reasoning
        ),
        cost=money_text(head.cost if head.cost is None else head.cost.normalize()),
        started_at=row.created_at,
        updated_at=head.updated_at,
        ended_at=row.ended_at,
        outcome=row.outcome,
        answer=None if row.answer is None else eyes.text(row.answer),
        pending=head.pending,
        error=eyes.value(_error(row)),
        last=last and LastEvent(last.seq, last.event_type, eyes.text(last.label)),
        imported=row.imported,
    )
