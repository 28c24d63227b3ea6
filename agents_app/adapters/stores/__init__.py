"""The log's stores, one per database."""

from __future__ import annotations

from functools import cache

from agents_app.adapters.stores.port import (
    Append,
    AppendError,
    CheckpointRow,
    Claimed,
    Due,
    Head,
    HeaderRow,
    LogStore,
    VaultRow,
)

__all__ = [
    "Append",
    "AppendError",
    "CheckpointRow",
    "Claimed",
    "Due",
    "Head",
    "HeaderRow",
    "LogStore",
    "VaultRow",
    "log_store",
]


@cache
def log_store() -> LogStore:
    """The store for the database that Django is configured with."""
    from django.db import connection

    if connection.vendor == "postgresql":
        from agents_app.adapters.stores.postgres import PostgresLogStore

        return PostgresLogStore()
    from agents_app.adapters.stores.sqlite import SqliteLogStore

    return SqliteLogStore()
