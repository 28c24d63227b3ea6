"""States in the database of this installation, by Django's ORM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import close_old_connections
from django.db.models.functions import Now

from agents_app.adapters.states.threaded import ThreadedStateStore
from agents_app.models import SavedState

if TYPE_CHECKING:
    from collections.abc import Callable


class DatabaseStateStore(ThreadedStateStore):
    """States as rows of one table; PostgreSQL and SQLite."""

    def read(self, session_id: str) -> bytes | None:
        """The bytes of the row."""
        body = _closing(
            lambda: SavedState.objects.filter(pk=session_id).values_list("body", flat=True).first()
        )
        return None if body is None else bytes(body)

    def write(self, session_id: str, data: bytes) -> None:
        """Insert or replace the row in one statement: of two writers the later one stays."""
        row = SavedState(session_id=session_id, body=data, updated_at=Now())
        _closing(
            lambda: SavedState.objects.bulk_create(
                [row],
                update_conflicts=True,
                unique_fields=["session_id"],
                update_fields=["body", "updated_at"],
            )
        )

    def remove(self, session_id: str) -> None:
        """Delete the row."""
        _closing(lambda: SavedState.objects.filter(pk=session_id).delete())


def _closing(work: Callable[[], Any]) -> Any:
    """Run in a thread that nobody closes connections for."""
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()
