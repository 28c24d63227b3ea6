"""What rate limits have given out: one row for each thing that is limited."""

from django.db import models


class Rate(models.Model):
    """``until``: up to when what was let through fills its time (seconds since 1970)."""

    name = models.CharField(max_length=300, primary_key=True)
    until = models.FloatField()

    def __str__(self) -> str:
        return self.name
