"""Agents and their versions. A version never changes: sessions point at what they ran with."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from playhead.core.errors import Conflict


class Agent(models.Model):
    """A named agent of one workspace; what it does stands in its versions."""

    workspace = models.ForeignKey("accounts.Workspace", models.CASCADE, related_name="+")
    slug = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "slug"], name="agents_agent_slug"),
        ]

    def __str__(self) -> str:
        return self.slug


#: The note of a version that came with a recorded session: kept for it, never started.
IMPORTED = "imported"


class AgentVersion(models.Model):
    """One stored definition: canonical JSON text and its digest."""

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    definition = models.TextField()
    digest = models.CharField(max_length=80)
    note = models.TextField(blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now())

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
