"""How many steps a second get durable, beside the raw commit rate of the same moments."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from django.core.management import call_command

from agents_app.adapters.stores import Append, log_store
from agents_app.engine.log.projection import HeadState
from agents_app.testing.log_store import Scene
from tests.bench.log import commits, stored_events
from tests.bench.raw import COMMITS_A_STEP, Rate, raw_commit, raw_table
from tests.bench.w1 import Workload

ROUNDS = 12


@dataclass(slots=True)
class Writers:
    """Sessions of W1 that are written side by side, in one statement each time."""

    count: int
    steps: int
    _parts: list[list[Append]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._parts = [[] for _ in range(self.count)]

    def commit(self) -> int:
        """The next append of every session."""
        store = log_store()
        for number, left in enumerate(self._parts):
            if not left:
                self._parts[number] = self._session(number)
        batch = [left.pop() for left in self._parts]
        if not all(store.append(batch)):
            raise AssertionError("an append was refused")
        return self.count

    def prepare(self) -> None:
        """Make the sessions, so that only appends are timed."""
        self._parts = [self._session(number) for number in range(self.count)]

    def _session(self, seed: int) -> list[Append]:
        seat, state, seq = Scene().seat(), HeadState(status="running", run=1), 0
        out = []
        for part in commits(stored_events(Workload(self.steps, seed=seed), seat.public_id)):
            out.append(Append(seat.pk, seq, None, part, state))
            seq += len(part)
        return out[::-1]


def run() -> None:
    """Print steps per second of one session and of 16, in turns with raw commits."""
    call_command("flush", verbosity=0, interactive=False)
    raw_table()
    raw, one, many = Rate(), Rate(), Rate()
    single, sixteen = Writers(1, 2500), Writers(16, 600)
    single.prepare()
    sixteen.prepare()
    for _ in range(ROUNDS):
        raw.turn(raw_commit)
        one.turn(single.commit)
        many.turn(sixteen.commit)
    half = raw.per_second / COMMITS_A_STEP
    steps, shared = one.per_second / COMMITS_A_STEP, many.per_second / COMMITS_A_STEP
    sys.stdout.write(
        f"appends  raw commits {raw.per_second:,.0f}/s, so at most {half:,.0f} steps/s\n"
        f"appends  one session {steps:,.0f} steps/s = {steps / half:.0%} of that (goal: 60 %)\n"
        f"appends  16 sessions {shared:,.0f} steps/s = {shared / steps:.1f} x one (goal: 3 x)\n"
    )
