"""Sessions and their heads.

``Head`` is a table apart: it is rewritten by every append, in place when its page has room, while
the session's wide row with its indexes is written once and at the end of a run.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Status(models.TextChoices):
    """What a session is doing; *lost* is derived when it is read (running, lease over)."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    PAUSED = "paused"
    FINISHED = "finished"
    LIMIT = "limit"
    CANCELLED = "cancelled"
    FAILED = "failed"


#: What a session waits for whose agent this installation has not the code of.
HELD = "code"
#: Codes of what a worker notes in ``error`` of a session that has not ended: why it is held, and
#: what the last try met.
CODE_MISSING, FAULT = "code_missing", "worker_fault"


class Session(models.Model):
    """One linear log of one agent version. ``parent`` and ``fork_seq`` make it a branch.

    ``lineage`` lists ``[[ancestor pk, last inherited seq], …]``, oldest first: an event with seq
    ``s`` belongs to the first ancestor whose last inherited seq is at least ``s``, else to the
    session itself. An ``imported`` one is read, replayed and branched, and never written to again.
    """

    public_id = models.CharField(max_length=40)
    workspace = models.ForeignKey(
        "accounts.Workspace", models.CASCADE, related_name="+", db_index=False
    )
    agent_version = models.ForeignKey(
        "agents.AgentVersion", models.PROTECT, related_name="+", db_index=False
    )
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="+", db_index=False)
    fork_seq = models.PositiveIntegerField(null=True)
    root = models.ForeignKey("self", models.DO_NOTHING, null=True, related_name="+", db_index=False)
    lineage = models.JSONField(default=list)
    title = models.CharField(max_length=200, blank=True, default="")
    tags = models.JSONField(default=list)
    model = models.CharField(max_length=200, blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now())
    outcome = models.CharField(max_length=20, null=True)  # noqa: DJ001  not ended is not ""
    answer = models.TextField(null=True)  # noqa: DJ001  no answer is not an empty one
    error = models.JSONField(null=True)
    ended_at = models.DateTimeField(null=True)
    search = models.TextField(blank=True, default="")
    imported = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["public_id"], name="agents_session_public_id"),
        ]
        indexes = [
            models.Index(fields=["workspace", "-id"], name="agents_session_recent"),
            models.Index(fields=["root"], name="agents_session_root"),
            models.Index(fields=["workspace", "agent_version"], name="agents_session_agent"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the session; one that has no root yet is its own."""
        super().save(*args, **kwargs)
        if self.root_id is None:
            self.root_id = self.pk
            type(self).objects.filter(pk=self.pk).update(root=self.pk)


class Head(models.Model):
    """Where a session's log stands and who writes it. Every append moves it in its statement.

    Its numbers are plain integers: the checks of positive ones would run at every append.
    """

    session = models.OneToOneField(Session, models.CASCADE, primary_key=True, related_name="head")
    seq = models.IntegerField(default=0)
    hash = models.BinaryField(max_length=32, default=bytes(32))
    epoch = models.IntegerField(default=0)
    owner = models.CharField(max_length=80, null=True)  # noqa: DJ001  nobody is not ""
    lease_until = models.DateTimeField(null=True)
    released = models.BooleanField(default=True)
    attempts = models.SmallIntegerField(default=0)
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED)
    waiting_for = models.CharField(max_length=12, null=True)  # noqa: DJ001  nothing is not ""
    due_at = models.DateTimeField(null=True)
    run = models.IntegerField(default=0)
    inbox = models.IntegerField(default=0)
    pending = models.IntegerField(default=0)
    # Nothing used is known to be 0; what some call did not report is unknown: null.
    tokens_input = models.BigIntegerField(null=True, default=0)
    tokens_output = models.BigIntegerField(null=True, default=0)
    tokens_cached = models.BigIntegerField(null=True, default=0)
    tokens_reasoning = models.BigIntegerField(null=True, default=0)
    cost = models.DecimalField(max_digits=24, decimal_places=12, null=True, default=0)
    cancel_seq = models.IntegerField(null=True)
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            # What a sweep looks for. Its columns change seldom, so appends stay in their page.
            models.Index(
                fields=["session"],
                name="agents_head_runnable",
                condition=models.Q(status__in=["queued", "running"])
                | models.Q(due_at__isnull=False),
            ),
            models.Index(fields=["status", "-session"], name="agents_head_status"),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}@{self.seq}"
