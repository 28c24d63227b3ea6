"""Agents and their versions. A version never changes: sessions point at what they ran with."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from playhead.core.errors import Conflict


class Agent(models.Model):
    """A named agent of one workspace; what it does stands in its versions.

    One of the origin *code* follows the modules of the installation and is edited by nobody; one of
    the origin *console* is people's. ``published`` is the version that new sessions get, ``None``
    where none is out yet.
    """

    class Origin(models.TextChoices):
        """Who writes an agent's versions."""

        CODE = "code"
        CONSOLE = "console"

    workspace = models.ForeignKey("accounts.Workspace", models.CASCADE, related_name="+")
    slug = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.CODE)
    published = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "slug"], name="agents_agent_slug"),
        ]

    def __str__(self) -> str:
        return self.slug


class Versions(models.QuerySet["AgentVersion"]):
    """Versions, and those of them that can be started."""

    def startable(self) -> Versions:
        """Without those that came with a recorded session: they are kept for it alone."""
        return self.filter(imported=False)


class AgentVersion(models.Model):
    """One stored definition: canonical JSON text and its digest.

    ``written`` is the definition as a person wrote it (JSON text, in its order), ``None`` where
    none did. Nothing of a version changes but ``published_at``: when it was first published.
    """

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    definition = models.TextField()
    digest = models.CharField(max_length=80)
    written = models.TextField(null=True)  # noqa: DJ001  nothing written is not ""
    note = models.TextField(blank=True, default="")
    imported = models.BooleanField(default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    author = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())
    published_at = models.DateTimeField(null=True)

    objects = Versions.as_manager()

    class Meta:
        ordering = ["agent", "number"]
        constraints = [
            models.UniqueConstraint(fields=["agent", "number"], name="agents_version_number"),
        ]

    def __str__(self) -> str:
        return f"{self.agent} v{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert a new version; a stored one is refused.

        Raises:
            Conflict: the version is stored already.
        """
        if not self._state.adding:
            raise Conflict("A version of an agent never changes: add a new one.", code="immutable")
        super().save(*args, **kwargs)
