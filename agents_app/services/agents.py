"""Agents: what the code defines becomes rows, and each changed definition a version."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from agents_app.adapters.definitions import Definitions, current
from agents_app.models import Agent, AgentVersion
from agents_app.models.agents import IMPORTED
from playhead.accounts.models import Workspace
from playhead.core import canonical

if TYPE_CHECKING:
    from agents_app.engine.spec import AgentSpec

logger = logging.getLogger(__name__)


def agents_sync(
    *, definitions: Definitions | None = None, workspace_id: str | None = None
) -> list[str]:
    """Store what the modules define, for one workspace or for all; returns changed slugs.

    Args:
        definitions: what to store; by default what the settings name.

    A version is immutable: a definition with another digest becomes the next number. An agent
    whose module is gone keeps its row, since sessions point at it.
    """
    workspaces = Workspace.objects.order_by("pk")
    if workspace_id is not None:
        workspaces = workspaces.filter(pk=workspace_id)
    specs = (definitions or current()).specs
    return [
        spec.slug
        for workspace in workspaces
        for spec in specs.values()
        if _agent_store(workspace_id=workspace.pk, spec=spec)
    ]


def _agent_store(*, workspace_id: str, spec: AgentSpec) -> bool:
    """Store one agent. Two processes may start at once: the loser finds what it was to write."""
    digest = spec.digest()
    with transaction.atomic():
        agent, made = Agent.objects.update_or_create(
            workspace_id=workspace_id,
            slug=spec.slug,
            defaults={"name": spec.name or spec.slug, "description": spec.description},
        )
        newest = agent.versions.exclude(note=IMPORTED).order_by("-number").first()
        if newest is not None and newest.digest == digest:
            return made
        last = agent.versions.order_by("-number").values_list("number", flat=True).first()
        number = (last or 0) + 1
        try:
            with transaction.atomic():
                AgentVersion.objects.create(
                    agent=agent,
                    number=number,
                    definition=canonical.dumps(spec.definition()).decode(),
                    digest=digest,
                )
        except IntegrityError:
            logger.info("Version %s of %s was stored by another process", number, spec.slug)
            return False
    return True
