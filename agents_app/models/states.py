"""What the façade's state store in the database keeps: nothing of the platform stands on it."""

from django.db import models
from django.db.models.functions import Now


class SavedState(models.Model):
    """The state of one session of an ``AgentLoop``, as JSON."""

    session_id = models.CharField(max_length=200, primary_key=True)
    body = models.BinaryField()
    updated_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.session_id
