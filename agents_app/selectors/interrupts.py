"""Questions as they are listed and read: the rows say how they stand, the log what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agents_app.contracts import (
    AnswerView,
    InterruptAbout,
    InterruptView,
    Person,
    Proposal,
)
from agents_app.models import Interrupt
from agents_app.models.find import interrupt_row
from agents_app.selectors.bodies import payloads_at
from agents_app.selectors.late import late_results
from agents_app.selectors.masks import Eyes
from playhead.accounts.contracts import Principal, Role
from playhead.core.errors import InvalidInput
from playhead.rest.pagination import page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from agents_app.contracts import InterruptStatus, LateView


def interrupt_list(
    *,
    workspace_id: str,
    by: Principal,
    status: str | None,
    session_id: str | None,
    cursor: str | None,
    limit: int,
) -> tuple[list[InterruptView], str | None]:
    """A page of the workspace's questions, the newest first, and the cursor of the next page."""
    rows = _rows().filter(session__workspace_id=workspace_id)
    if status:
        if status not in Interrupt.Status.values:
            raise InvalidInput(f"{status!r} is no status.", detail={"field": "status"})
        rows = rows.filter(status=status)
    if session_id:
        rows = rows.filter(session__public_id=session_id)
    page, after = page_of(rows, newest="created_at", cursor=cursor, limit=limit)
    return _views(page, by), after


def interrupt_get(*, workspace_id: str, by: Principal, interrupt_id: str) -> InterruptView:
    """One question.

    Raises:
        NotFound: no such question in this workspace.
    """
    return _views([interrupt_row(workspace_id=workspace_id, interrupt_id=interrupt_id)], by)[0]


def interrupts_by_id(*, ids: Iterable[str], by: Principal) -> list[InterruptView]:
    """Questions by their ids."""
    return _views(list(_rows().filter(pk__in=list(ids))), by)


def pending_roles(
    *, workspace_id: str, sessions: Iterable[int] | None = None
) -> dict[str, tuple[int, Role]]:
    """Open questions of a workspace: the session's row of each, and the role that decides it.

    Args:
        sessions: only those of these (by the numbers of their rows).
    """
    found = Interrupt.objects.filter(
        status=Interrupt.Status.PENDING, session__workspace_id=workspace_id
    )
    if sessions is not None:
        found = found.filter(session__in=list(sessions))
    rows = found.values_list("id", "session_id", "required_role")
    return {pk: (session, Role.needed(role)) for pk, session, role in rows}


def _rows() -> QuerySet[Interrupt]:
    return Interrupt.objects.select_related("session__agent_version__agent", "session__head")


def _views(rows: Sequence[Interrupt], by: Principal) -> list[InterruptView]:
    asked = payloads_at([(row.session_id, row.seq) for row in rows])
    answered = payloads_at(
        [(row.session_id, row.decision_seq) for row in rows if row.decision_seq is not None]
    )
    eyes, late = Eyes.of(by), late_results(rows, Eyes.of(by))
    return [
        _view(
            row,
            eyes.text(row.session.title),
            eyes.value(asked.get((row.session_id, row.seq), {})),
            eyes.value(answered.get((row.session_id, row.decision_seq or 0))),
            late.get(row.pk),
            by,
        )
        for row in rows
    ]


def _view(
    row: Interrupt,
    title: str,
    asked: dict[str, Any],
    answer: dict[str, Any] | None,
    late: LateView | None,
    by: Principal,
) -> InterruptView:
    session, agent = row.session, row.session.agent_version.agent
    pending = row.status == Interrupt.Status.PENDING
    person = row.decided_by or {}
    return InterruptView(
        id=row.pk,
        session=session.public_id,
        about=InterruptAbout(title, agent.slug, agent.name),
        seq=row.seq,
        kind=row.kind,
        address=row.address,
        parents=asked.get("parents", []),
        tool=row.tool,
        call_id=asked.get("call_id"),
        arguments=asked.get("arguments"),
        digest=row.digest,
        proposal=_proposal(row, asked),
        info=asked.get("info"),
        consequence=asked.get("consequence"),
        allowed=list(row.allowed),
        schema=asked.get("schema"),
        required_role=row.required_role,
        expires_at=row.expires_at,
        on_expiry=row.on_expiry,
        status=cast("InterruptStatus", row.status),
        decision=None if answer is None else answer["decision"],
        answer=None if answer is None else _answer(answer),
        decided_by=Person(person["id"], person["name"]) if person else None,
        decided_at=row.decided_at,
        created_at=row.created_at,
        can_decide=pending and by.has(Role.needed(row.required_role)),
        late=late,
    )


def _proposal(row: Interrupt, asked: dict[str, Any]) -> Proposal | None:
    if row.tool is None or asked.get("arguments") is None:
        return None
    return Proposal(row.tool, asked["arguments"])


def _answer(answer: dict[str, Any]) -> AnswerView:
    return AnswerView(
        arguments=answer.get("arguments"),
        message=answer.get("message"),
        value=answer.get("value"),
    )
