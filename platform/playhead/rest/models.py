"""Answers that are given again when the same request comes again."""

from django.db import models
from django.db.models.functions import Now


class IdempotentAnswer(models.Model):
    """One `Idempotency-Key` of a principal on a route. Without a status it is being worked on."""

    principal = models.CharField(max_length=80)
    route = models.CharField(max_length=300)
    key = models.CharField(max_length=255)
    body_digest = models.CharField(max_length=64)
    claimed_at = models.DateTimeField(db_default=Now(), db_index=True)
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=100, default="")
    answer = models.TextField(default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["principal", "route", "key"], name="one_answer_per_key")
        ]

    def __str__(self) -> str:
        return f"{self.route} {self.key}"
