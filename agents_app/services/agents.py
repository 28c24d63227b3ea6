"""Agents: what the code defines becomes rows, and each changed definition a version."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from agents_app.adapters.definitions import Definitions, current
from agents_app.models import Agent, AgentVersion
from playhead.accounts.models import Workspace
from playhead.core import canonical

if TYPE_CHECKING:
    from agents_app.engine.spec import AgentSpec

logger = logging.getLogger(__name__)
#: Why an agent of a module is not stored.
CLASH = "one made in the browser has its slug; give one of them another"


def agents_sync(
    *, definitions: Definitions | None = None, workspace_id: str | None = None
) -> list[str]:
    """Store what the modules define, for one workspace or for all; returns changed slugs.

    Args:
        definitions: what to store; by default what the settings name.

    A version is immutable: a definition with another digest becomes the next number. An agent
    whose module is gone keeps its row, since sessions point at it. One that people made is theirs:
    a module's agent of the same slug is told in the log and left out.
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
    shown = {"name": spec.name or spec.slug, "description": spec.description}
    with transaction.atomic():
        agent, made = Agent.objects.get_or_create(
            workspace_id=workspace_id, slug=spec.slug, defaults=shown
        )
        if agent.origin == Agent.Origin.CONSOLE:
            logger.warning("The agent %r of a module is left out: %s", spec.slug, CLASH)
            return False
        newest = agent.versions.startable().order_by("-number").first()
        changed = newest is None or newest.digest != spec.digest()
        if changed:
            newest = _version_store(agent, spec)
        if newest is None:
            return False
        Agent.objects.filter(pk=agent.pk).update(**shown, published=newest.number)
    return changed or made


def _version_store(agent: Agent, spec: AgentSpec) -> AgentVersion | None:
    last = agent.versions.order_by("-number").values_list("number", flat=True).first()
    number = (last or 0) + 1
    try:
        with transaction.atomic():
            return AgentVersion.objects.create(
                agent=agent,
                number=number,
                definition=canonical.dumps(spec.definition()).decode(),
                digest=spec.digest(),
                published_at=Now(),
            )
    except IntegrityError:
        logger.info("Version %s of %s was stored by another process", number, spec.slug)
        return None


def clashes(definitions: Definitions) -> list[str]:
    """A sentence for each agent of a module whose slug people have given to one of theirs."""
    rows = Agent.objects.filter(origin=Agent.Origin.CONSOLE, slug__in=list(definitions.specs))
    slugs = rows.order_by("slug").values_list("slug", flat=True).distinct()
    return [f"the agent {slug!r} of a module is left out: {CLASH}" for slug in slugs]
