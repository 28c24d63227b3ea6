"""The versions of an agent: who made which, when, and what stands in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db.models import Count

from agents_app.adapters.catalogue import catalogue_of
from agents_app.contracts.definitions import (
    AgentVersionDetail,
    AgentVersionRow,
    ChangeView,
    DiffView,
)
from agents_app.engine.drafting import changes, written_form
from agents_app.models import Agent, AgentVersion, Session
from playhead.core.errors import NotFound
from playhead.rest.pagination import page_of

if TYPE_CHECKING:
    from django.db.models import QuerySet


def version_list(
    *, workspace_id: str, slug: str, cursor: str | None, limit: int
) -> tuple[list[AgentVersionRow], str | None]:
    """A page of versions, the newest first.

    Raises:
        NotFound: no such agent in this workspace.
    """
    rows = _versions(workspace_id, slug).defer("definition", "written").select_related("agent")
    if not rows.exists():
        raise NotFound(f"There is no agent {slug!r}.")
    found, after = page_of(rows, newest="number", cursor=cursor, limit=limit)
    sessions = Session.objects.filter(workspace_id=workspace_id, agent_version__in=found)
    counts = dict(sessions.values_list("agent_version").annotate(total=Count("pk")))
    return [_row(row, counts.get(row.pk, 0)) for row in found], after


def version_get(*, workspace_id: str, slug: str, number: int) -> AgentVersionDetail:
    """One version with its definition as it is written.

    Raises:
        NotFound: no such agent or version in this workspace.
    """
    row = _versions(workspace_id, slug).select_related("agent").filter(number=number).first()
    if row is None:
        raise NotFound(f"There is no version {number} of an agent {slug!r}.")
    return AgentVersionDetail(**_shown(row), definition=definition_written(row))


def version_diff(*, workspace_id: str, slug: str, before: int, after: int) -> DiffView:
    """What differs between two versions, as they are written.

    Raises:
        NotFound: no such agent or version in this workspace.
    """
    old, new = (
        version_get(workspace_id=workspace_id, slug=slug, number=number).definition
        for number in (before, after)
    )
    return DiffView([ChangeView(each.field, each.before, each.after) for each in changes(old, new)])


def definition_written(row: AgentVersion) -> dict[str, Any]:
    """What a person wrote; of an agent that is code, what one would have to write."""
    if row.written is not None:
        written: dict[str, Any] = json.loads(row.written)
        return written
    return written_form(json.loads(row.definition), catalogue_of(row.agent.workspace_id))


def _versions(workspace_id: str, slug: str) -> QuerySet[AgentVersion]:
    agents = Agent.objects.filter(workspace_id=workspace_id, slug=slug)
    return AgentVersion.objects.startable().filter(agent__in=agents)


def _row(row: AgentVersion, sessions: int) -> AgentVersionRow:
    return AgentVersionRow(**_shown(row), sessions=sessions)


def _shown(row: AgentVersion) -> dict[str, Any]:
    return {
        "version": row.number,
        "note": row.note,
        "digest": row.digest,
        "by": row.author or None,
        "created_at": row.created_at,
        "published": row.number == row.agent.published,
        "published_at": row.published_at,
    }
