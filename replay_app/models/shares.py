"""Links that show a frozen, masked range of a session to whoever holds them."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class ShareLink(models.Model):
    """A frozen view. The token itself is shown once and kept only as its hash.

    ``snapshot`` is what the page fetches: masked when the link was made, so that nothing that
    was hidden is stored with it. ``verdict`` quotes the original's verification, with its date.
    """

    id = models.CharField(max_length=40, primary_key=True)
    token_hash = models.BinaryField(max_length=32)
    # No key in the database: a log is erased by its store, which knows no links. A trigger takes
    # them along, when their session is erased or the key of its tree is destroyed.
    session = models.ForeignKey(
        "agents.Session", models.CASCADE, related_name="+", db_constraint=False
    )
    title = models.CharField(max_length=200, blank=True, default="")
    from_seq = models.IntegerField()
    to_seq = models.IntegerField()
    show = models.JSONField(default=dict)
    snapshot = models.BinaryField()
    head_hash = models.BinaryField(max_length=32)
    verdict = models.JSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    views = models.PositiveIntegerField(default=0)
    last_view_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="replay_share_token"),
        ]

    def __str__(self) -> str:
        return self.id
