"""Questions to a SQLite file: opened to read, and an authorizer that lets nothing else through."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from agents_app.adapters.tools.rows import OURS, REFUSED, Answer, bounded
from agents_app.engine.errors import ToolError
from agents_app.engine.tools.threads import THREADS

if TYPE_CHECKING:
    from agents_app.adapters.tools.sql import SqlOptions

_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
#: Functions that reach outside of the database.
_REFUSED = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}
#: Steps of SQLite's machine between two looks at the clock; bytes of one value.
_STEPS, _VALUE = 1000, 1_000_000


async def ask(url: str, query: str, options: SqlOptions) -> Answer:
    """Run one statement in a thread, which ends with its time.

    Raises:
        ToolError: what is wrong with the statement, or with the database.
    """
    turn = await THREADS.turn("sql_query")
    return await turn.run(lambda: _ask(url, query, options))


def _ask(url: str, query: str, options: SqlOptions) -> Answer:
    path = Path(url.removeprefix("sqlite:///"))
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise ToolError(f"the database can't be opened: {error}") from None
    try:
        if not options.own and _is_ours(connection):
            raise ToolError(REFUSED)
        return _answer(connection, query, options)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise ToolError(_said(error, options)) from None
    finally:
        connection.close()


def _answer(connection: sqlite3.Connection, query: str, options: SqlOptions) -> Answer:
    until = time.monotonic() + options.timeout
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_authorizer(_authorize)
    connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    cursor = connection.execute(query)
    if cursor.description is None:
        raise ToolError("this is no question: use one SELECT statement")
    columns = [str(each[0]) for each in cursor.description]
    return bounded(columns, cursor, max_rows=options.max_rows, max_bytes=options.max_bytes)


def _authorize(action: int, _: str | None, second: str | None, *__: str | None) -> int:
    if action in _ALLOWED:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in _REFUSED:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _is_ours(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (OURS,))
    return found.fetchone() is not None


def _said(error: Exception, options: SqlOptions) -> str:
    if "interrupted" in str(error):
        return f"no answer within {options.timeout:g} s"
    if "not authorized" in str(error) or "prohibited" in str(error):
        return "only questions are allowed: one SELECT statement over the tables"
    return f"{type(error).__name__}: {error}"
