"""The audit trail."""

from typing import Any, NoReturn

from django.db import models
from django.db.models.functions import Now


class AppendOnly(models.QuerySet["AuditEntry"]):
    """Rows can be added and read."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise TypeError("Audit entries are never changed.")

    def delete(self) -> NoReturn:
        raise TypeError("Audit entries are never deleted.")


class AuditEntry(models.Model):
    """One thing that somebody did. Names are copied: they must outlive the account."""

    workspace_id = models.CharField(max_length=40, default="", db_index=True)
    who_kind = models.CharField(max_length=16)
    who_id = models.CharField(max_length=64)
    who_name = models.CharField(max_length=200)
    what = models.CharField(max_length=64)
    object_type = models.CharField(max_length=32)
    object_id = models.CharField(max_length=64, db_index=True)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField(db_default=Now(), db_index=True)

    objects = AppendOnly.as_manager()

    def __str__(self) -> str:
        return f"{self.who_name} {self.what} {self.object_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert; a second save is an error."""
        if not self._state.adding:
            raise TypeError("Audit entries are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError("Audit entries are never deleted.")
