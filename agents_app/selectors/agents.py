"""Agents as they are listed and read, each in its published version, else in its newest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from agents_app.adapters.choices import model_choices
from agents_app.contracts import AgentToolView, AgentVersionView, AgentView, SessionCounts
from agents_app.models import Agent, AgentVersion, Session
from playhead.core.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def agent_list(*, workspace_id: str) -> list[AgentView]:
    """All agents of a workspace, by slug, without what only a page of its own shows."""
    rows = list(_rows(workspace_id))
    counts = _counts(workspace_id)
    return [_view(row, counts.get(row.pk, SessionCounts(0, 0))) for row in rows]


def agent_get(*, workspace_id: str, slug: str) -> AgentView:
    """One agent with its instructions, tool schemas and versions.

    Raises:
        NotFound: no such agent in this workspace.
    """
    row = _rows(workspace_id).filter(slug=slug).first()
    if row is None:
        raise NotFound(f"There is no agent {slug!r}.")
    counts = _counts(workspace_id, agent=row.pk).get(row.pk, SessionCounts(0, 0))
    versions = [
        AgentVersionView(each.number, each.digest, each.created_at)
        for each in row.versions.startable().order_by("-number").defer("definition", "written")
    ]
    return _view(row, counts, versions=versions)


def _rows(workspace_id: str) -> QuerySet[Agent]:
    versions = AgentVersion.objects.startable().filter(agent=OuterRef("pk"))
    newest = versions.order_by("-number").values("number")[:1]
    shown = versions.filter(number=OuterRef("number"))
    return (
        Agent.objects.filter(workspace_id=workspace_id)
        .annotate(newest=Subquery(newest), number=Coalesce(F("published"), F("newest")))
        .annotate(definition=Subquery(shown.values("definition")[:1]))
        .filter(number__isnull=False)
        .order_by("slug")
    )


def _counts(workspace_id: str, agent: int | None = None) -> dict[int, SessionCounts]:
    """Sessions by agent: all by an index alone, those under way by looking at these only."""
    sessions = Session.objects.filter(workspace_id=workspace_id)
    if agent is not None:
        sessions = sessions.filter(agent_version__agent=agent)
    active = sessions.filter(head__status__in=["queued", "running", "waiting", "paused"])
    running = dict(_by_agent(active))
    return {pk: SessionCounts(running.get(pk, 0), total) for pk, total in _by_agent(sessions)}


def _by_agent(sessions: QuerySet[Session]) -> Iterable[tuple[int, int]]:
    return sessions.values_list("agent_version__agent").annotate(total=Count("pk"))


def _view(
    row: Any, counts: SessionCounts, versions: list[AgentVersionView] | None = None
) -> AgentView:
    whole = versions is not None
    definition = json.loads(row.definition)
    return AgentView(
        slug=row.slug,
        name=row.name,
        description=row.description,
        version=row.number,
        strategy=definition["strategy"],
        model=definition["model"],
        tools=[_tool(tool, whole=whole) for tool in definition["tools"]],
        middleware=definition["middleware"],
        limits=definition["limits"],
        samples=definition["samples"],
        models=model_choices(definition["model"]),
        sessions=counts,
        origin=row.origin,
        published=row.published,
        newest=row.newest,
        instructions=definition["instructions"] if whole else None,
        options=definition.get("options") if whole else None,
        params=definition.get("params") if whole else None,
        versions=versions,
    )


def _tool(tool: Mapping[str, Any], *, whole: bool) -> AgentToolView:
    return AgentToolView(
        name=tool["name"],
        description=tool["description"],
        effectful=tool["effectful"],
        idempotent=tool["idempotent"],
        approval=tool["approval"],
        required_role=tool["required_role"],
        consequence=tool["consequence"],
        schema=tool["schema"] if whole else None,
    )
