"""Agents: read them, make them, publish a version."""

from __future__ import annotations

from dataclasses import fields

from django.http import HttpRequest
from ninja import Router, Status

from agents_app import permissions
from agents_app.api.asking import asking
from agents_app.api.schemas import READING, WRITING, CheckIn, ImportIn, NewAgent, PublishIn
from agents_app.contracts import AgentView
from agents_app.contracts.definitions import AppliedView, CheckView, PartsView
from agents_app.selectors import agents as selectors
from agents_app.selectors.parts import parts_of
from agents_app.services import checks
from agents_app.services import versions as services
from agents_app.services.yaml_files import yaml_apply
from playhead.rest.auth import requires
from playhead.rest.idempotency import idempotent
from playhead.rest.pagination import Page

router = Router(tags=["agents"])


@router.get("/agents", response={200: Page[AgentView], **READING}, operation_id="list_agents")
def list_agents(request: HttpRequest) -> Page[AgentView]:
    """All agents of the workspace, on one page, without instructions, schemas and versions."""
    items = selectors.agent_list(workspace_id=asking(request).workspace_id)
    return Page[AgentView](items=items)


@router.get("/agents/parts", response={200: PartsView, **READING}, operation_id="agent_parts")
def agent_parts(request: HttpRequest) -> PartsView:
    """What an agent can be made of: strategies, middleware, tools, models, agents, limits."""
    who = asking(request)
    return parts_of(who.workspace_id, edits=who.by.has(permissions.EDIT))


@router.post(
    "/agents/check",
    auth=requires(permissions.EDIT),
    response={200: CheckView, **READING},
    operation_id="check_agent",
)
def check_agent(request: HttpRequest, body: CheckIn) -> CheckView:
    """Say everything that is wrong with a definition or a YAML text of one, and store nothing."""
    workspace = asking(request).workspace_id
    if body.yaml is not None:
        return checks.yaml_check(workspace_id=workspace, text=body.yaml)
    return checks.definition_check(workspace_id=workspace, definition=body.definition)


@router.post(
    "/agents",
    auth=requires(permissions.EDIT),
    response={201: AgentView, **WRITING},
    operation_id="create_agent",
)
@idempotent()
def create_agent(request: HttpRequest, body: NewAgent) -> Status[AgentView]:
    """Make an agent. Its definition's problems are told by field, all at once."""
    who = asking(request)
    slug = services.agent_create(
        by=who.by, definition=body.definition, note=body.note, publish=body.publish
    )
    return Status(201, selectors.agent_get(workspace_id=who.workspace_id, slug=slug))


@router.post(
    "/agents/import",
    auth=requires(permissions.EDIT),
    response={200: AppliedView, 201: AppliedView, **WRITING},
    operation_id="import_agent",
)
@idempotent()
def import_agent(request: HttpRequest, body: ImportIn) -> Status[AppliedView]:
    """Let an agent be as YAML says: made, in a next version, or as it is."""
    who = asking(request)
    slug, result = yaml_apply(by=who.by, text=body.yaml, note=body.note, publish=body.publish)
    agent = selectors.agent_get(workspace_id=who.workspace_id, slug=slug)
    shown = {each.name: getattr(agent, each.name) for each in fields(agent)}
    return Status(200 if result == "unchanged" else 201, AppliedView(**shown, result=result))


@router.get("/agents/{slug}", response={200: AgentView, **READING}, operation_id="get_agent")
def get_agent(request: HttpRequest, slug: str) -> AgentView:
    """One agent, whole, in its published version, else in its newest."""
    return selectors.agent_get(workspace_id=asking(request).workspace_id, slug=slug)


@router.post(
    "/agents/{slug}/publish",
    auth=requires(permissions.EDIT),
    response={200: AgentView, **WRITING},
    operation_id="publish_agent",
)
def publish_agent(request: HttpRequest, slug: str, body: PublishIn) -> AgentView:
    """Let new sessions have a version; to roll back is to publish an older one."""
    who = asking(request)
    services.version_publish(by=who.by, slug=slug, version=body.version)
    return selectors.agent_get(workspace_id=who.workspace_id, slug=slug)
