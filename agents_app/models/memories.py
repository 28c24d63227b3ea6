"""What agents remember beyond a session. No part of any log: a session's reads stand in its own."""

from django.db import models
from django.db.models.functions import Now


class Memory(models.Model):
    """One text of one space of a workspace.

    ``terms`` are its words in a form that the full-text search of either database takes as they
    are; ``vector`` is its embedding (32-bit floats), where the memory that wrote it makes one.
    """

    workspace = models.ForeignKey(
        "accounts.Workspace", models.CASCADE, related_name="+", db_index=False
    )
    space = models.CharField(max_length=250)
    key = models.CharField(max_length=200)
    text = models.TextField()
    terms = models.TextField(blank=True, default="")
    vector = models.BinaryField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "space", "key"], name="agents_memory_key"),
        ]

    def __str__(self) -> str:
        return f"{self.space}: {self.key}"
