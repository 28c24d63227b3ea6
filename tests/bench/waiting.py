"""A thousand sessions that wait for a streaming model, in one worker process.

Each session asks the model, calls a tool, and asks again; an answer takes ten seconds. They begin
evenly over the length of an answer, as people do, so all of them wait at once for ten seconds.

*Step overhead* is what passes between the end of one answer and the moment at which the next is
asked for: response and intents committed, the tool run, its result, the step's end and the next
request committed. *Memory* is the process's resident memory when all wait for their second answer,
less what it was before the first began, by session. Its *context* are the messages of its request
as the process holds them, objects and texts, but the instructions, which all sessions share. Each
measurement has a process of its own: in one that has freed memory, what is taken again does not
show. What such a model takes by itself, in this process or over HTTP, is measured beside
(``tests.bench.bare``). Sizes are those of WAITING_SESSIONS, WAITING_SECONDS and WAITING_PIECES.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.management import call_command
from django.db import connection, connections

from agents_app.adapters import definitions
from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.engine import AgentSpec, tool
from agents_app.models import Session
from agents_app.services.agents import agents_sync
from agents_app.services.sessions import session_create
from agents_app.worker.host import SessionHost
from playhead.accounts.contracts import Principal, Role
from playhead.accounts.services.setup import workspace_ensure
from playhead.jobs import home
from playhead.ops.start import make_room, settle
from tests.bench.bare import resident
from tests.bench.scene import check_ended, on_loop
from tests.bench.slow import INSTRUCTIONS, Slow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agents_app.engine.ports import ModelPort, ModelReply, ModelRequest, OnDelta

SESSIONS = int(os.environ.get("WAITING_SESSIONS", "1000"))
SECONDS = float(os.environ.get("WAITING_SECONDS", "10"))
PIECES = int(os.environ.get("WAITING_PIECES", "20"))
WARM = 40
GOAL_MS, GOAL_KB = 50, 30


@dataclass(slots=True)
class Timed:
    """A model whose calls are watched: those that are open, and the gaps between a session's.

    ``second`` counts the open calls for a second answer, ``context`` is that of the last of them.
    """

    model: ModelPort
    second: int = 0
    context: int = 0
    gaps: list[float] = field(default_factory=list)
    _ended: dict[str, float] = field(default_factory=dict)

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """Note when it is asked and when it has answered."""
        session = next(m.content for m in request.messages if m.role == "user")
        ended = self._ended.pop(session, None)
        if ended is not None:
            self.gaps.append(time.perf_counter() - ended)
            self.second += 1
            self.context = context_of(request)
        try:
            return await self.model.respond(request, on_delta)
        finally:
            self.second -= ended is not None
            self._ended[session] = time.perf_counter()

    async def aclose(self) -> None:
        """Close the model's connections."""
        close = getattr(self.model, "aclose", None)
        if close is not None:
            await close()


def context_of(request: ModelRequest) -> int:
    """Bytes of the messages that a model is asked, as the session holds them: see above."""
    own = [message for message in request.messages if message.role != "system"]
    calls = [call for message in own for call in message.calls]
    parts: list[Any] = [*own, *calls, *(call.arguments for call in calls)]
    for message in own:
        parts += [message.content, message.origin, message.key, message.digest]
    for call in calls:
        parts += [call.id, *call.arguments.values()]
    return sum(map(sys.getsizeof, parts))  # with the collector's headers, where there are some


class Scene:
    """The agent, and its sessions."""

    def __init__(self) -> None:
        @tool
        async def look_up(key: str) -> str:
            """Look something up."""
            return f"{key}: on"

        spec = AgentSpec(
            slug="keeper", model="scripted:slow", instructions=INSTRUCTIONS, tools=(look_up,)
        )
        self.by = Principal("api_key", "bench", "Bench", Role.ADMIN, workspace_ensure())
        definitions.use(definitions.Definitions({"keeper": spec}, {}))
        agents_sync()

    def sessions(self, count: int, what: str) -> list[int]:
        """So many sessions, ready to be run."""
        names = [
            session_create(by=self.by, agent="keeper", text=f"Question {what} {number}")
            for number in range(count)
        ]
        rows = dict(Session.objects.filter(public_id__in=names).values_list("public_id", "pk"))
        return [rows[name] for name in names]


@dataclass(slots=True)
class Seen:
    """What was measured."""

    before: int = 0
    waiting: int = 0
    at_once: int = 0
    seconds: float = 0.0
    processor: float = 0.0


async def _all(sessions: list[int], timed: Timed) -> Seen:
    home.set_loop(asyncio.get_running_loop())
    make_room()
    settle()  # as the worker does
    host = SessionHost(models=lambda _name: timed, concurrency=len(sessions) + WARM)
    await host.start(sweeping=False)
    seen = Seen()
    try:
        await _begin(host, sessions[:WARM], 0.0)  # at once: every thread has to begin
        await host.idle(after=0)
        timed.gaps.clear()
        gc.collect()
        seen.before = resident()
        began, spent = time.perf_counter(), time.process_time()
        watching = asyncio.create_task(_watch(timed, len(sessions) - WARM, seen))
        await _begin(host, sessions[WARM:], SECONDS)
        await host.idle(after=0)
        seen.seconds = time.perf_counter() - began
        seen.processor = time.process_time() - spent
        watching.cancel()
    finally:
        await host.stop(grace=0)
        await timed.aclose()
        home.set_loop(None)
    return seen


async def _begin(host: SessionHost, sessions: list[int], seconds: float) -> None:
    """Begin them evenly over some seconds."""
    began = time.perf_counter()
    claims = []
    for number, session in enumerate(sessions):
        due = began + seconds * number / len(sessions)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        claims.append(asyncio.create_task(host.advance(session)))
    await asyncio.gather(*claims)


async def _watch(timed: Timed, count: int, seen: Seen) -> None:
    """Look at the memory when most of them wait for their second answer."""
    while True:
        await asyncio.sleep(0.1)
        if timed.second >= min(count, max(seen.at_once + 1, count * 0.5)):
            seen.at_once = timed.second
            seen.waiting = resident()


def measure(what: str, model: ModelPort) -> None:
    """Run them and print."""
    call_command("flush", verbosity=0, interactive=False)
    sessions = Scene().sessions(SESSIONS + WARM, what)
    timed = Timed(model)
    found: list[Seen] = []

    async def run() -> None:
        found.append(await _all(sessions, timed))

    on_loop(run())
    check_ended(sessions)
    _say(what, found[0], sorted(timed.gaps), timed.context)


def _say(what: str, seen: Seen, gaps: list[float], context: int) -> None:
    def at(share: float) -> float:
        return gaps[min(len(gaps) - 1, int(len(gaps) * share))] * 1000

    held = (seen.waiting - seen.before) / seen.at_once if seen.at_once else float("nan")
    sys.stdout.write(
        f"waiting  {what:<10} {SESSIONS} sessions of 2 x {SECONDS:g} s in {PIECES} pieces: all"
        f" finished in {seen.seconds:.0f} s, {seen.at_once} at once;"
        f" step overhead p50 {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms, max {at(1):.1f} ms"
        f" (goal: p99 {GOAL_MS} ms);"
        f" memory {held / 1000:.1f} kB a session, of which its context {context / 1000:.1f} kB:"
        f" {(held - context) / 1000:.1f} kB beyond it (goal: {GOAL_KB} kB);"
        f" CPU {seen.processor / seen.seconds:.0%} of one core, load {os.getloadavg()[0]:.1f}\n"
    )


@contextmanager
def slow_server() -> Iterator[str]:
    """The server, in a process of its own; its base URL."""
    command = [sys.executable, "-m", "tests.bench.slow", str(SECONDS), str(PIECES)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.communicate()


def run() -> None:
    """Print what sessions cost that wait for a model in this process, and for one over HTTP."""
    _by_itself(_in_process)
    with slow_server() as url:
        _by_itself(partial(_over_http, url))
        bare = [sys.executable, "-m", "tests.bench.bare", url]
        subprocess.run([*bare, str(SESSIONS), str(SECONDS), str(PIECES)], check=True)


def _in_process() -> None:
    model: Any = Slow(SECONDS, PIECES)
    measure("in process", model)


def _over_http(url: str) -> None:
    measure("over HTTP", OpenAIChat("slow", base_url=url))


def _by_itself(work: Callable[[], None]) -> None:
    """Do it in a process of its own, with connections of its own."""
    connections.close_all()
    for close in filter(None, [getattr(connection, "close_pool", None)]):
        close()  # its threads would not be in the other process
    sys.stdout.flush()
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)
