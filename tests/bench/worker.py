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
from typing import TYPE_CHECKING

from django.core.management import call_command
from uvicorn import Config

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec, Limits, Message, ToolCall, tool
from agents_app.engine.ports import Delta, ModelReply, ModelRequest
from agents_app.models import Head, Session
from agents_app.services.agents import agents_sync
from agents_app.services.sessions import session_create
from agents_app.worker.host import SessionHost
from playhead.accounts.contracts import Principal, Role
from playhead.accounts.services.setup import workspace_ensure
from playhead.core.usage import Usage
from playhead.jobs import home
from tests.bench.raw import COMMITS_A_STEP, Rate, raw_commit, raw_table
from tests.bench.w1 import Workload

if TYPE_CHECKING:
    from agents_app.engine.ports import OnDelta

#: Rounds of a measurement, each beside a slice of raw commits.
ROUNDS = 5
SIXTEEN = 16
MODEL = "scripted:w1"


class Stub:
    """The model of W1, which answers at once, and the tool's results by what it is asked."""

    def __init__(self, workloads: list[Workload]) -> None:
        self._by_question = {load.messages[1]["content"]: load for load in workloads}
        self._results = {
            step.arguments["query"]: step.result["content"]
            for load in workloads
            for step in load.steps
        }

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """The next answer of the workload that the question belongs to."""
        load = self._by_question[request.messages[1].content]
        number = len(request.messages) // 2 - 1
        used = Usage(input=320 * len(request.messages), output=125)
        if number == load.n:
            return ModelReply(Message("assistant", "Done."), stop_reason="stop", usage=used)
        step = load.steps[number]
        on_delta(Delta("text", step.response["content"]))
        asked = ToolCall(step.response["tool_calls"][0]["id"], "search", step.arguments)
        message = Message("assistant", step.response["content"], [asked])
        return ModelReply(message, stop_reason="tool_calls", usage=used, model=request.model)

    def result(self, query: str) -> str:
        """What the tool finds."""
        return str(self._results[query])


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


class Bench:
    """The sessions that are measured: their agent, their model, who starts them."""

    def __init__(self, workloads: list[Workload]) -> None:
        self.stub = stub = Stub(workloads)

        @tool
        async def search(query: str, limit: int) -> str:
            """Search the documents for a query."""
            return stub.result(query)

        longest = max(load.n for load in workloads)
        spec = AgentSpec(
            slug="w1", model=MODEL, instructions=workloads[0].messages[0]["content"],
            tools=(search,), limits=Limits(max_steps=longest + 1), params={"temperature": 0},
        )  # fmt: skip
        self.by = Principal("api_key", "bench", "Bench", Role.ADMIN, workspace_ensure())
        definitions.use(definitions.Definitions({"w1": spec}, {"w1": None}))
        agents_sync()

    def session(self, workload: Workload) -> int:
        """A session of that workload, ready to be run."""
        text = workload.messages[1]["content"]
        return Session.objects.get(public_id=session_create(by=self.by, agent="w1", text=text)).pk

    async def run(self, workloads: list[Workload], into: Speed) -> None:
        """Run a session of each to its end in one host."""
        home.set_loop(asyncio.get_running_loop())
        host = SessionHost(models=lambda _name: self.stub)
        await host.start(sweeping=False)
        sessions = [await host.in_thread(self.session, workload) for workload in workloads]
        spent, began = Spent.now(), time.perf_counter()
        await asyncio.gather(*(host.advance(session) for session in sessions))
        await host.idle(after=0)
        into.seconds += time.perf_counter() - began
        into.add(spent, Spent.now(), host.commits)
        into.steps += sum(workload.n for workload in workloads)
        await host.in_thread(_check_ended, sessions)
        await host.stop()
        home.set_loop(None)


def _check_ended(sessions: list[int]) -> None:
    ended = Head.objects.filter(session__in=sessions, status="finished").count()
    if ended != len(sessions):
        raise AssertionError(f"{len(sessions) - ended} session(s) did not end")


def measure(bench: Bench, workloads: list[Workload], rounds: int) -> Speed:
    """Workloads side by side through one worker, in turns with raw commits."""
    speed, loops = Speed(), Config("", log_config=None).get_loop_factory()  # the worker's loop
    for _ in range(rounds):
        speed.raw.turn(raw_commit)
        with asyncio.Runner(loop_factory=loops) as runner:
            runner.run(bench.run(workloads, speed))
        speed.raw.turn(raw_commit)
    return speed


def run() -> None:
    """Print steps per second of one session at N=100 and N=1000, and of 16 at once."""
    call_command("flush", verbosity=0, interactive=False)
    raw_table()
    large = Workload(1000, seed=99)
    small = [Workload(100, seed=seed) for seed in range(SIXTEEN)]
    bench = Bench([large, *small])
    _say("N=100", measure(bench, small[:1], rounds=ROUNDS * 2))
    one = measure(bench, [large], rounds=ROUNDS)
    _say("N=1000", one)
    shared = measure(bench, small, rounds=ROUNDS)
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
