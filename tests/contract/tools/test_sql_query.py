"""``sql_query``: it answers questions, and nothing that it is asked changes or reaches anything."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.tools.sql import SqlOptions, SqlTool, sql_query
from agents_app.engine.errors import ToolError
from agents_app.engine.tools.single import context_alone, text_of
from playhead.core import canonical
from playhead.plugins import PluginError
from playhead.plugins.configuration import configured

if TYPE_CHECKING:
    from pathlib import Path


async def ask(query: str, url: str, **options: Any) -> dict[str, Any]:
    made = sql_query(SqlOptions(url=url, **options))
    answer: dict[str, Any] = canonical.loads(
        (await text_of(made, {"query": query}, context_alone("k"))).encode()
    )
    return answer


@pytest.fixture
def url(tmp_path: Path) -> str:
    path = tmp_path / "shop #1?.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE sold (id INTEGER, what TEXT, price REAL, raw BLOB)")
        made.executemany(
            "INSERT INTO sold VALUES (?, ?, ?, ?)",
            [(n, f"thing {n}", n / 2, b"xyz") for n in range(1, 6)],
        )
    made.close()
    return f"sqlite:///{path}"


async def test_a_question_is_answered_with_columns_and_rows(url: str) -> None:
    assert await ask("SELECT id, what, price, raw, NULL AS no FROM sold WHERE id < 3", url) == {
        "columns": ["id", "what", "price", "raw", "no"],
        "rows": [[1, "thing 1", 0.5, "<3 bytes>", None], [2, "thing 2", 1.0, "<3 bytes>", None]],
        "cut": False,
    }
    counted = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n LIMIT 3) SELECT sum(x) FROM n"
    )
    assert (await ask(counted, url))["rows"] == [[6]]
    assert (await ask("select upper(what) from sold order by id limit 1;", url))["rows"] == [
        ["THING 1"]
    ]


CHANGES = [
    "DELETE FROM sold", "INSERT INTO sold VALUES (1, 2, 3, 4)", "UPDATE sold SET price = 0",
    "DROP TABLE sold", "CREATE TABLE x (y)", "CREATE TEMP TABLE x (y)", "VACUUM",
    "ATTACH DATABASE '/tmp/x.db' AS x", "PRAGMA journal_mode = DELETE", "PRAGMA writable_schema=1",
    "SELECT 1; DROP TABLE sold", "SELECT load_extension('x')", "BEGIN", "COMMIT", "REINDEX",
    "VACUUM INTO '/tmp/x.db'", "DETACH main", "SELEC 1", "", "-- nothing",
    "EXPLAIN DELETE FROM sold", "SELECT * FROM none", "SELECT fts3_tokenizer('simple')",
    "SELECT zeroblob(100000000)", "SELECT * FROM pragma_table_info('sold')",
]  # fmt: skip


@pytest.mark.parametrize("query", CHANGES)
async def test_nothing_else_gets_through(url: str, query: str) -> None:
    with pytest.raises(ToolError):
        await ask(query, url)
    assert (await ask("SELECT count(*), sum(price) FROM sold", url))["rows"] == [[5, 7.5]]


async def test_rows_bytes_and_time_are_bounded(url: str) -> None:
    found = await ask("SELECT id FROM sold", url, max_rows=2)
    assert (found["rows"], found["cut"]) == ([[1], [2]], True)
    found = await ask("SELECT hex(zeroblob(50)) FROM sold", url, max_bytes=250)
    assert (len(found["rows"]), found["cut"]) == (2, True)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n"
    with pytest.raises(ToolError, match=r"no answer within 0.1 s"):
        await ask(endless, url, timeout=0.1)


async def test_the_database_of_playhead_is_refused_under_whatever_name(tmp_path: Path) -> None:
    path = tmp_path / "copy.sqlite3"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE agents_session (id)")
    made.close()
    (tmp_path / "link").symlink_to(path)
    for name in (path, tmp_path / "link"):
        with pytest.raises(ToolError, match="set own = true"):
            await ask("SELECT 1", f"sqlite:///{name}")
        assert (await ask("SELECT 1", f"sqlite:///{name}", own=True))["rows"] == [[1]]


async def test_what_is_not_there_is_told_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="can't be opened"):
        await ask("SELECT 1", f"sqlite:///{tmp_path}/none.db")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(ToolError, match="sql_query is off: name a database"):
        await ask("SELECT 1", "")
    assert "off" in sql_query(SqlOptions()).labels
    assert not sql_query(SqlOptions()).effectful


def test_a_setting_that_does_not_fit_is_named_and_not_repeated() -> None:
    with pytest.raises(PluginError) as caught:
        configured(SqlTool.meta, {"url": "mysql://me:secret@host/x"})
    assert "playhead.sql.url: " in caught.value.message
    assert "use sqlite:///path or postgres://" in caught.value.message
    assert "secret" not in caught.value.message


async def test_an_address_with_a_password_is_repeated_by_no_error() -> None:
    with pytest.raises(ToolError) as failed:
        await ask("SELECT 1", "postgres://me:secret@127.0.0.1:1/x", timeout=5)
    assert failed.value.message == "the database can't be reached"
