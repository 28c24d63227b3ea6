"""The log's tables: events, blobs, checkpoints, and what is kept beside a log.

Nothing here is written by the ORM: ``adapters/stores`` writes it, fenced by the session's head.
The order of the columns is their order on disk: fixed widths first, so that nothing is padded.
"""

from django.db import models
from django.db.models.functions import Now


class Event(models.Model):
    """One event: a header in columns, the body as bytes (``adapters/stores/codec.py``).

    ``kind`` is schema version and type in one number, ``ts`` microseconds since 1970 (UTC),
    ``marks`` the canonical JSON of ``sealed`` and ``edited``, ``label`` at most 120 bytes.
    A trigger refuses UPDATE, and DELETE of a session that no ``Erasure`` names. There is no
    foreign key in the database: the append joins the head, and the head has one.
    """

    pk = models.CompositePrimaryKey("session_id", "seq")
    session = models.ForeignKey(
        "agents.Session", models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    ts = models.BigIntegerField()
    seq = models.IntegerField()
    cause = models.IntegerField(null=True)
    ms = models.IntegerField(null=True)
    tokens_in = models.IntegerField(null=True)
    tokens_out = models.IntegerField(null=True)
    kind = models.SmallIntegerField()
    error = models.BooleanField()
    hash = models.BinaryField(max_length=32)
    scope = models.TextField(null=True)  # noqa: DJ001  people's events have none
    label = models.TextField()
    tool = models.TextField(null=True)  # noqa: DJ001  no tool is not ""
    status = models.TextField(null=True)  # noqa: DJ001  none is not ""
    cost = models.DecimalField(max_digits=24, decimal_places=12, null=True)
    marks = models.BinaryField(null=True)
    body = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.session_id}:{self.seq}"


class Blob(models.Model):
    """A body of more than 256 kB, once per session tree."""

    pk = models.CompositePrimaryKey("root_id", "sha256")
    root = models.ForeignKey("agents.Session", models.CASCADE, related_name="+", db_index=False)
    sha256 = models.BinaryField(max_length=32)
    data = models.BinaryField()

    def __str__(self) -> str:
        return bytes(self.sha256).hex()


class Checkpoint(models.Model):
    """The state of an activation after a step, where it is too large for its ``step_end``.

    The newest of each activation and every 50th are kept.
    """

    pk = models.CompositePrimaryKey("session_id", "address", "step")
    session = models.ForeignKey("agents.Session", models.CASCADE, related_name="+", db_index=False)
    step = models.IntegerField()
    seq = models.IntegerField()
    address = models.TextField()
    state = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.session_id}:{self.address}/{self.step}"


class LateResult(models.Model):
    """What a worker that had lost its session came back with; shown with the call in doubt."""

    session = models.ForeignKey("agents.Session", models.CASCADE, related_name="+")
    call_seq = models.IntegerField()
    epoch = models.PositiveIntegerField()
    body = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.session_id}:{self.call_seq}"


class Erasure(models.Model):
    """The door of the append-only trigger: while a row names a session, its events may go.

    Written and removed in the one transaction that erases the session (``LogStore.erase``).
    """

    session = models.OneToOneField(
        "agents.Session", models.DO_NOTHING, primary_key=True, related_name="+", db_constraint=False
    )

    def __str__(self) -> str:
        return str(self.session_id)
