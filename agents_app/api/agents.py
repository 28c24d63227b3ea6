"""Agents: read them."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router

from agents_app.api.asking import asking
from agents_app.api.schemas import READING
from agents_app.contracts import AgentView
from agents_app.selectors import agents as selectors
from playhead.rest.pagination import Page

router = Router(tags=["agents"])


@router.get("/agents", response={200: Page[AgentView], **READING}, operation_id="list_agents")
def list_agents(request: HttpRequest) -> Page[AgentView]:
    """All agents of the workspace, on one page, without instructions, schemas and versions."""
    items = selectors.agent_list(workspace_id=asking(request).workspace_id)
    return Page[AgentView](items=items)


@router.get("/agents/{slug}", response={200: AgentView, **READING}, operation_id="get_agent")
def get_agent(request: HttpRequest, slug: str) -> AgentView:
    """One agent, whole, in its newest version."""
    return selectors.agent_get(workspace_id=asking(request).workspace_id, slug=slug)
