"""W1 through the worker: claim, kernel, seam, journal, writer, log; only the model is a stub.

Beside the steps per second stand the raw commits of the same moments, and what a step costs of the
processor, thread by thread.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from django.core.management import call_command

from playhead.ops.start import settle
from tests.bench.raw import COMMITS_A_STEP, Rate, raw_commit, raw_table
from tests.bench.scene import Scene, check_ended, on_loop
from tests.bench.w1 import Workload

#: Rounds of a measurement, each beside a slice of raw commits.
ROUNDS = 5
SIXTEEN = 16


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of the processor by thread, as the kernel counts them."""

    main: float
    writer: float

    @classmethod
    def now(cls) -> Spent:
        """What was spent so far."""
        threads = {thread.name: thread.native_id for thread in threading.enumerate()}
        writers = [at for name, at in threads.items() if name.startswith("log-writer")]
        return cls(time.thread_time(), sum(map(_seconds, writers)))


def _seconds(thread: int | None) -> float:
    return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[0]) / 1e9


@dataclass(slots=True)
class Speed:
    """What some sessions of the same length took, side by side or one after the other."""

    steps: int = 0
    seconds: float = 0.0
    commits: int = 0
    main: float = 0.0
    writer: float = 0.0
    raw: Rate = field(default_factory=Rate)

    def add(self, before: Spent, after: Spent, commits: int) -> None:
        """Count what a run took of the processor."""
        self.main += after.main - before.main
        self.writer += after.writer - before.writer
        self.commits += commits

    @property
    def per_second(self) -> float:
        return self.steps / self.seconds

    @property
    def half(self) -> float:
        """What the raw commits of the same moments allow."""
        return self.raw.per_second / COMMITS_A_STEP


def measure(scene: Scene, workloads: list[Workload], rounds: int) -> Speed:
    """Workloads side by side through one worker, in turns with raw commits."""
    speed = Speed()
    for _ in range(rounds):
        speed.raw.turn(raw_commit)
        sessions = [scene.session(workload).pk for workload in workloads]
        on_loop(_run(scene, sessions, speed))
        check_ended(sessions)
        speed.steps += sum(workload.n for workload in workloads)
        speed.raw.turn(raw_commit)
    return speed


async def _run(scene: Scene, sessions: list[int], speed: Speed) -> None:
    async with scene.host() as host:
        spent, began = Spent.now(), time.perf_counter()
        await asyncio.gather(*(host.advance(session) for session in sessions))
        await host.idle(after=0)
        speed.seconds += time.perf_counter() - began
        speed.add(spent, Spent.now(), host.commits)


def run() -> None:
    """Print steps per second of one session at N=100 and N=1000, and of 16 at once."""
    call_command("flush", verbosity=0, interactive=False)
    raw_table()
    large = Workload(1000, seed=99)
    small = [Workload(100, seed=seed) for seed in range(SIXTEEN)]
    scene = Scene([large, *small])
    settle()  # as the worker does
    _say("N=100", measure(scene, small[:1], rounds=ROUNDS * 2))
    one = measure(scene, [large], rounds=ROUNDS)
    _say("N=1000", one)
    shared = measure(scene, small, rounds=ROUNDS)
    _say(f"{SIXTEEN} x N=100", shared)
    ratio = shared.per_second / one.per_second
    sys.stdout.write(f"worker   16 sessions: {ratio:.1f} x one (goal: 3 x)\n")


def _say(what: str, speed: Speed) -> None:
    step = 1000 / speed.steps
    sys.stdout.write(
        f"worker   {what:<10} {speed.per_second:,.0f} steps/s = {speed.per_second / speed.half:.0%}"
        f" of half of {speed.raw.per_second:,.0f} raw commits/s (goal: 60 %);"
        f" a step: {speed.commits / speed.steps:.2f} commits,"
        f" {speed.main * step:.2f} ms CPU in the loop, {speed.writer * step:.2f} in the writer\n"
    )
