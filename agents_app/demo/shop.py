"""The demo's shop: a small real database in the data folder, made on first need."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings

SEED = Path(__file__).with_name("shop.sql")


def shop_path() -> Path:
    """Where the shop's database is."""
    return Path(settings.PLAYHEAD_DATA) / "demo" / "shop.sqlite3"


def connect() -> sqlite3.Connection:
    """A connection; the first one makes the tables and their rows."""
    path = shop_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.row_factory = sqlite3.Row
    made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'orders'").fetchone()
    if made is None:
        _make(connection)
    return connection


def _make(connection: sqlite3.Connection) -> None:
    """All or nothing, also when two processes start at once."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if (
            connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'orders'").fetchone()
            is None
        ):
            for statement in SEED.read_text(encoding="utf-8").split(";\n"):
                if statement.strip():
                    connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def order(order_id: str) -> dict[str, Any] | None:
    """An order as the shop has it; amounts are text, as the shop's import left them."""
    query = (
        "SELECT o.*, c.name, c.email FROM orders o "
        "JOIN customers c ON c.id = o.customer_id WHERE o.id = ?"
    )
    with closing(connect()) as connection:
        row = connection.execute(query, (order_id,)).fetchone()
    if row is None:
        return None
    return {
        "order_id": row["id"],
        "customer": {"name": row["name"], "email": row["email"]},
        "item": row["item"],
        "paid": row["paid"],
        "currency": row["currency"],
        "delivered": row["delivered"],
        "source": row["source"],
    }


def policies(query: str) -> list[dict[str, str]]:
    """Policies by full-text search, the best first."""
    words = " OR ".join(f'"{word}"' for word in query.replace('"', " ").split())
    with closing(connect()) as connection:
        rows = connection.execute(
            "SELECT title, body FROM policies WHERE policies MATCH ? ORDER BY rank LIMIT 3",
            (words or '""',),
        ).fetchall()
    return [{"title": row["title"], "text": row["body"]} for row in rows]


def refund(*, key: str, order_id: str, amount_cents: int, reason: str) -> dict[str, Any]:
    """Write a refund row; the same key writes one row only."""
    with closing(connect()) as connection:
        connection.execute(
            "INSERT OR IGNORE INTO refunds (key, order_id, amount_cents, reason) "
            "VALUES (?, ?, ?, ?)",
            (key, order_id, amount_cents, reason),
        )
        row = connection.execute(
            "SELECT id, amount_cents FROM refunds WHERE key = ?", (key,)
        ).fetchone()
    return {
        "refund_id": f"RF-{row['id']:04d}",
        "order_id": order_id,
        "amount_cents": row["amount_cents"],
    }


def refunds(order_id: str) -> list[dict[str, Any]]:
    """The refunds of an order, the oldest first."""
    with closing(connect()) as connection:
        rows = connection.execute(
            "SELECT id, amount_cents, reason FROM refunds WHERE order_id = ? ORDER BY id",
            (order_id,),
        ).fetchall()
    return [dict(row) for row in rows]
