"""Questions to people: a projection of ``interrupt`` and ``decision`` events."""

from django.db import models
from django.db.models.functions import Now


class Interrupt(models.Model):
    """One question of one session. It is decided once: the append compares and swaps ``status``.

    What the person saw and answered stands in the events ``seq`` and ``decision_seq``.
    """

    class Status(models.TextChoices):
        PENDING = "pending"
        DECIDED = "decided"
        EXPIRED = "expired"
        CANCELLED = "cancelled"

    id = models.TextField(primary_key=True)
    session = models.ForeignKey("agents.Session", models.CASCADE, related_name="+", db_index=False)
    seq = models.IntegerField()
    agent = models.TextField()
    kind = models.CharField(max_length=20)
    address = models.TextField()
    tool = models.TextField(null=True)  # noqa: DJ001  a question may name no tool
    digest = models.TextField()
    allowed = models.JSONField(default=list)
    required_role = models.CharField(max_length=20)
    expires_at = models.DateTimeField(null=True)
    on_expiry = models.TextField(null=True)  # noqa: DJ001  one without expiry has none
    status = models.CharField(max_length=12, choices=Status, default=Status.PENDING)
    decision = models.CharField(max_length=20, null=True)  # noqa: DJ001  open is not ""
    decision_seq = models.IntegerField(null=True)
    decided_by = models.JSONField(null=True)
    decided_at = models.DateTimeField(null=True)
    consumed_at = models.DateTimeField(null=True)
    quorum = models.PositiveSmallIntegerField(default=1)
    delegated_to = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["session", "seq"], name="agents_interrupt_session"),
            models.Index(fields=["-created_at", "-id"], name="agents_interrupt_recent"),
            models.Index(
                fields=["expires_at"],
                name="agents_interrupt_pending",
                condition=models.Q(status="pending"),
            ),
        ]

    def __str__(self) -> str:
        return self.id
