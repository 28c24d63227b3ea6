"""Questions to PostgreSQL: a read-only transaction, one statement, and a bound on its time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import psycopg

from agents_app.adapters.tools.rows import OURS, REFUSED, Answer, bounded
from agents_app.engine.errors import ToolError

if TYPE_CHECKING:
    from agents_app.adapters.tools.sql import SqlOptions


async def ask(url: str, query: str, options: SqlOptions) -> Answer:
    """Run one statement through a cursor of the server, which takes a SELECT and nothing else.

    Raises:
        ToolError: what is wrong with the statement, or with the database.
    """
    try:
        async with asyncio.timeout(options.timeout):
            return await _ask(url, query, options)
    except TimeoutError:
        raise ToolError(f"no answer within {options.timeout:g} s") from None
    except psycopg.OperationalError as error:
        if error.sqlstate is None:  # the text may tell host and user
            raise ToolError("the database can't be reached") from None
        raise ToolError(_said(error)) from None
    except psycopg.Error as error:
        raise ToolError(_said(error)) from None


async def _ask(url: str, query: str, options: SqlOptions) -> Answer:
    ms = round(options.timeout * 1000)
    bounds = f"-c default_transaction_read_only=on -c statement_timeout={ms} -c lock_timeout={ms}"
    async with await psycopg.AsyncConnection.connect(
        url, options=bounds, connect_timeout=max(2, round(options.timeout))
    ) as connection:
        await connection.set_read_only(True)
        if not options.own and await _is_ours(connection):
            raise ToolError(REFUSED)
        async with connection.cursor(name="question") as cursor:
            await cursor.execute(query.rstrip().rstrip(";").encode())
            rows = await cursor.fetchmany(options.max_rows + 1)
            columns = [each.name for each in cursor.description or ()]
        await connection.rollback()
    return bounded(columns, rows, max_rows=options.max_rows, max_bytes=options.max_bytes)


async def _is_ours(connection: psycopg.AsyncConnection[tuple[object, ...]]) -> bool:
    found = await connection.execute("SELECT 1 FROM pg_class WHERE relname = %s", (OURS,))
    return await found.fetchone() is not None


def _said(error: psycopg.Error) -> str:
    if isinstance(error, psycopg.errors.QueryCanceled):
        return "no answer within its time"
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return "only questions are allowed: nothing is changed"
    return str(error).partition("\n")[0]
