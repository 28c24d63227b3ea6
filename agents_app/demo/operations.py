"""The demo's machine room: services, alerts and runbooks in a small database of the data folder.

A minute after a roll-back somebody ships the bad release again, so that the demo can be played
again.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings

SEED = Path(__file__).with_name("operations.sql")
_SHIP_AGAIN = """
UPDATE services SET version = previous, previous = version, error_rate = 12.5, since = '09:38'
WHERE name = 'checkout' AND version = '2.13.4'
AND (SELECT max(at) FROM changes) <= datetime('now', '-60 seconds')
"""
#: An error rate (per cent) from which on there is an alert.
ALERT = 2.0


def _connect() -> sqlite3.Connection:
    path = Path(settings.PLAYHEAD_DATA) / "demo" / "operations.sqlite3"
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'services'").fetchone():
            for statement in SEED.read_text(encoding="utf-8").split(";\n"):
                connection.execute(statement)
        connection.execute(_SHIP_AGAIN)
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def alerts() -> list[dict[str, Any]]:
    """Services with more errors than they may have, the worst first."""
    query = "SELECT name, error_rate, since FROM services WHERE error_rate >= ? ORDER BY 2 DESC"
    with closing(_connect()) as connection:
        return [dict(row) for row in connection.execute(query, (ALERT,))]


def service(name: str) -> dict[str, Any] | None:
    """A service: its version, the one before, its error rate in per cent, since when it runs."""
    with closing(_connect()) as connection:
        row = connection.execute("SELECT * FROM services WHERE name = ?", (name,)).fetchone()
    return dict(row) if row else None


def runbooks(query: str) -> list[dict[str, str]]:
    """Runbooks that have one of the words."""
    words = query.lower().split()
    with closing(_connect()) as connection:
        rows = [dict(row) for row in connection.execute("SELECT * FROM runbooks ORDER BY topic")]
    return [row for row in rows if any(word in str(row).lower() for word in words)]


def roll_back(*, key: str, name: str, version: str) -> dict[str, Any] | None:
    """Put the version before in place; the same key does it once."""
    with closing(_connect()) as connection:
        connection.execute("BEGIN IMMEDIATE")
        done = connection.execute("SELECT 1 FROM changes WHERE key = ?", (key,)).fetchone()
        if not done:
            connection.execute(
                "UPDATE services SET version = ?, previous = version, error_rate = 0.1, "
                "since = '09:52' WHERE name = ? AND previous = ?",
                (version, name, version),
            )
            what = f"rolled back to {version}"
            connection.execute(
                "INSERT INTO changes (key, service, what) VALUES (?, ?, ?)", (key, name, what)
            )
        connection.execute("COMMIT")
    return service(name)
