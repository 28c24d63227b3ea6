"""How long a person waits: for a branch, for a session to go on after a restart, for a verdict."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

from django.core.management import call_command
from django.db import connection

from agents_app import facade
from agents_app.adapters.stores import log_store
from agents_app.contracts import BranchPlan
from playhead.core.clock import SystemClock, parse_stamp
from replay_app.selectors.proofs import session_verify
from replay_app.services.branches import branch_start
from tests.bench.scene import Scene, check_ended, on_loop
from tests.bench.w1 import Workload

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.models import Session

STEPS = 1000
ROUNDS = 7
#: Where a branch's rows could be copied to.
_TABLES = ("agents_session", "agents_head", "agents_event", "agents_checkpoint", "agents_blob")


def run() -> None:
    """Print the milliseconds of a branch, a resume and a verify of a session of 1,000 steps."""
    call_command("flush", verbosity=0, interactive=False)
    workload = Workload(STEPS)
    scene = Scene([workload])
    session = scene.session(workload)
    resumed = _resumed(scene, session)
    head = log_store().head(session.pk).seq
    at = head // 2
    before = _rows()
    plan = BranchPlan(at=at, title="b")
    branches = [
        _ms(lambda: branch_start(by=scene.by, session_id=session.public_id, plan=plan))
        for _ in range(ROUNDS)
    ]
    added = {name: (count - before[name]) / ROUNDS for name, count in _rows().items()}
    rows = ", ".join(f"{count:g} in {name}" for name, count in added.items() if count)
    ref = facade.session_ref(
        workspace_id=facade.workspace_of(scene.by), session_id=session.public_id
    )
    read = min(_ms(lambda: log_store().read(session.pk)) for _ in range(3))
    verify = min(_ms(lambda: session_verify(session=ref)) for _ in range(3))
    sys.stdout.write(
        f"moments  branch at event {at} of {head:,}: {sorted(branches)[ROUNDS // 2]:.1f} ms"
        f" (goal: 10), rows: {rows}\n"
        f"moments  resume after a restart at step {STEPS}: {resumed:.0f} ms"
        f" from claim to first event\n"
        f"moments  verify of {STEPS} steps from the database: {verify:.0f} ms,"
        f" of which reading the log {read:.0f}\n"
    )


def _resumed(scene: Scene, session: Session) -> float:
    """Stop a worker while it waits for the last answer; milliseconds until the next one writes."""
    held = scene.stub.held = asyncio.Event()

    async def begin() -> None:
        async with scene.host() as host:
            await host.advance(session.pk)
            await held.wait()

    on_loop(begin())
    scene.stub.held = None
    head, at = log_store().head(session.pk).seq, SystemClock().now()
    scene.finish(session)
    check_ended([session.pk])
    first = log_store().read(session.pk, after=head)[0]
    return (parse_stamp(first.ts) - at).total_seconds() * 1000


def _ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        out = {}
        for name in _TABLES:
            cursor.execute(f"SELECT count(*) FROM {name}")
            out[name] = cursor.fetchone()[0]
        return out
