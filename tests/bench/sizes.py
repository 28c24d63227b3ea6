"""How many bytes the database holds for a session."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from django.core.management import call_command
from django.db import connection

from tests.bench.scene import Scene
from tests.bench.w1 import Workload


@dataclass(frozen=True, slots=True)
class Size:
    """W1 of ``n`` steps: U, and the bytes of all tables, indexes and TOAST that grew with it.

    ``stored`` is what the first session of an empty database takes: with it come the first pages of
    every table and index, however small. ``added`` is what one more session adds on average, which
    is how a database grows with its sessions.
    """

    n: int
    unique: int
    stored: int
    added: float
    tables: dict[str, int]

    @property
    def ratio(self) -> float:
        return self.stored / self.unique


def measure(n: int, *, more: int) -> Size:
    """Run W1 in a worker, in a database that holds an agent and no session; then ``more`` of it."""
    call_command("flush", verbosity=0, interactive=False)
    workload = Workload(n)
    scene = Scene([workload])
    before = table_sizes()
    scene.finish(scene.session(workload))
    after = table_sizes()
    for _ in range(more):
        scene.finish(scene.session(workload))
    added = (sum(table_sizes().values()) - sum(after.values())) / more
    grown = {name: size for name, size in after.items() if size > before.get(name, 0)}
    return Size(n, workload.unique_bytes(), sum(grown.values()), added, grown)


def table_sizes() -> dict[str, int]:
    """Bytes by table, indexes and TOAST included."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.execute(
                "SELECT m.tbl_name, sum(s.pgsize) FROM dbstat s JOIN sqlite_master m"
                " ON m.name = s.name GROUP BY 1"
            )
            return dict(cursor.fetchall())
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return dict(cursor.fetchall())


def run() -> None:
    """Print the bytes of W1 at N=100 and N=1000 and how they grow."""
    small, large = measure(100, more=5), measure(1000, more=1)
    for size in (small, large):
        sys.stdout.write(
            f"bytes    N={size.n:<5} {size.stored:>9,} B = {size.ratio:.2f} U"
            f"  (U = {size.unique:,} B; {_detail(size)};"
            f" one more adds {size.added:,.0f} B = {size.added / size.unique:.2f} U, goal 1.3)\n"
        )
    sys.stdout.write(
        f"bytes    N=1000 / N=100: {large.stored / small.stored:.2f} of the first session, "
        f"{large.added / small.added:.2f} of one more (goal: at most 10.5)\n"
    )


def _detail(size: Size) -> str:
    return ", ".join(f"{name.removeprefix('agents_')} {at:,}" for name, at in size.tables.items())
