"""The versions of an agent: list, read, add."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Status

from agents_app import permissions
from agents_app.adapters.yaml_text import write_yaml
from agents_app.api.asking import asking
from agents_app.api.schemas import READING, WRITING, NewVersion
from agents_app.contracts.definitions import AgentVersionDetail, AgentVersionRow, DiffView
from agents_app.selectors import versions as selectors
from agents_app.services import versions as services
from playhead.rest.auth import requires
from playhead.rest.idempotency import idempotent
from playhead.rest.pagination import MOST, USUAL, Page

router = Router(tags=["agents"])
Numbered = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get(
    "/agents/{slug}/versions",
    response={200: Page[AgentVersionRow], **READING},
    operation_id="list_agent_versions",
)
def list_versions(
    request: HttpRequest,
    slug: str,
    cursor: str | None = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
) -> Page[AgentVersionRow]:
    """The versions of an agent, the newest first, with how many sessions run by each."""
    items, after = selectors.version_list(
        workspace_id=asking(request).workspace_id, slug=slug, cursor=cursor, limit=limit
    )
    return Page[AgentVersionRow](items=items, next=after)


@router.post(
    "/agents/{slug}/versions",
    auth=requires(permissions.EDIT),
    response={201: AgentVersionDetail, **WRITING},
    operation_id="create_agent_version",
)
@idempotent()
def create_version(request: HttpRequest, slug: str, body: NewVersion) -> Status[AgentVersionDetail]:
    """Add a version, made from the newest one: with another ``base`` it is refused as stale."""
    who = asking(request)
    number = services.version_create(
        by=who.by, slug=slug, definition=body.definition, base=body.base, note=body.note,
        publish=body.publish,
    )  # fmt: skip
    view = selectors.version_get(workspace_id=who.workspace_id, slug=slug, number=number)
    return Status(201, view)


@router.get(
    "/agents/{slug}/versions/{number}",
    response={200: AgentVersionDetail, **READING},
    operation_id="get_agent_version",
)
def get_version(
    request: HttpRequest, slug: str, number: Numbered, format: str = "json"
) -> AgentVersionDetail | HttpResponse:
    """One version with its definition as it is written; ``format=yaml`` gives that as a file."""
    who = asking(request)
    view = selectors.version_get(workspace_id=who.workspace_id, slug=slug, number=number)
    if format != "yaml":
        return view
    answer = HttpResponse(write_yaml(view.definition), "text/yaml; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-{number}.yaml"'
    return answer


@router.get(
    "/agents/{slug}/versions/{number}/diff/{other}",
    response={200: DiffView, **READING},
    operation_id="diff_agent_versions",
)
def diff_versions(request: HttpRequest, slug: str, number: Numbered, other: Numbered) -> DiffView:
    """What the version ``other`` says otherwise than ``number``, field by field."""
    return selectors.version_diff(
        workspace_id=asking(request).workspace_id, slug=slug, before=number, after=other
    )
