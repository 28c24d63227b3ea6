"""``sql_query`` on PostgreSQL: a read-only transaction, and one statement in it."""

from __future__ import annotations

import os
from typing import Any

import psycopg
import pytest

from agents_app.engine.errors import ToolError
from tests.contract.tools.test_sql_query import ask

pytestmark = pytest.mark.postgres


@pytest.fixture
def url() -> Any:
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as made:
        made.execute("DROP SCHEMA IF EXISTS shop CASCADE")
        made.execute("CREATE SCHEMA shop")
        made.execute("CREATE TABLE shop.sold AS SELECT n AS id FROM generate_series(1, 5) n")
        yield server
        made.execute("DROP SCHEMA shop CASCADE")


async def test_a_question_is_answered(url: str) -> None:
    found = await ask(
        "SELECT id, '%s' AS text, now() > now() AS no, 1.50::numeric, 'a'::bytea"
        " FROM shop.sold;", url, own=True, max_rows=1,
    )  # fmt: skip
    assert found["columns"][:3] == ["id", "text", "no"]
    assert (found["rows"], found["cut"]) == ([[1, "%s", False, "1.50", "<1 bytes>"]], True)


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM shop.sold", "SELECT 1; DELETE FROM shop.sold", "DROP TABLE shop.sold",
        "WITH gone AS (DELETE FROM shop.sold RETURNING 1) SELECT * FROM gone",
        "COMMIT; DELETE FROM shop.sold", "SET TRANSACTION READ WRITE",
        "SELECT set_config('transaction_read_only', 'off', false)", "SELECT nextval('x')",
        "COPY shop.sold TO '/tmp/x'", "SELECT pg_sleep(30)", "SELEC", "",
        "SELECT 1 INTO shop.other", "SELECT * FROM shop.sold FOR UPDATE",
    ],
)  # fmt: skip
async def test_nothing_else_gets_through(url: str, query: str) -> None:
    with pytest.raises(ToolError):
        await ask(query, url, own=True, timeout=1)
    assert (await ask("SELECT count(*) FROM shop.sold", url, own=True))["rows"] == [[5]]


async def test_the_database_of_playhead_is_refused(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as made:
        made.execute("CREATE TABLE IF NOT EXISTS shop.agents_session (id int)")
    with pytest.raises(ToolError, match="set own = true"):
        await ask("SELECT 1", url)
