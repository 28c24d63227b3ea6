"""Lists are found by an index: a workspace with many sessions reads a page, not all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.integration.agents.logs import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")

LISTS = {
    "/sessions?status=failed": ("agents_session", "agents_head_status"),
    "/agents": ("agents_session", "agents_session_agent"),
}


@pytest.fixture
def _plans(db: None) -> Iterator[None]:
    """A table of three rows is best read whole: that is not what is asked here."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for way in ("seqscan", "bitmapscan", "sort"):
                cursor.execute(f"SET enable_{way} = off")
    yield
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("RESET ALL")


def _plan(sql: str) -> str:
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def _plans_of(bob: Person, path: str, table: str) -> list[str]:
    browser = bob.browser()
    made = browser.post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."})
    asked(made.json()["id"])
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(path).status_code == 200
    asks = [query["sql"] for query in queries.captured_queries]
    return [_plan(sql) for sql in asks if f'FROM "{table}"' in sql]


@pytest.mark.usefixtures("_plans")
@pytest.mark.parametrize("path", LISTS)
def test_a_list_is_found_by_its_index(bob: Person, path: str) -> None:
    table, index = LISTS[path]
    plans = _plans_of(bob, path, table)
    assert any(index in plan for plan in plans), plans


@pytest.mark.postgres
@pytest.mark.usefixtures("_plans")
def test_questions_are_read_in_the_order_of_an_index(bob: Person) -> None:
    """SQLite, where a workspace is all there is, takes those of the workspace and sorts them."""
    plans = _plans_of(bob, "/interrupts", "agents_interrupt")
    assert any("agents_interrupt_recent" in plan for plan in plans), plans
