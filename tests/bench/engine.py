"""The engine alone: processor time of a live step, and of a re-enact, beside a floor.

The floor is what no implementation can leave out: each event's body dumped as canonical JSON and
hashed, its envelope too, and the chain. Everything is in memory, by one process; compare figures
of one run with one another.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import random
import sys
import time
from typing import TYPE_CHECKING, Any

from agents_app.adapters.vault import VaultSeals
from agents_app.engine import AgentSpec, Limits, Message, ToolCall, tool
from agents_app.engine.actor import Actor
from agents_app.engine.facade import start_payload
from agents_app.engine.log.journal import Journal, Memory
from agents_app.engine.log.record import Record
from agents_app.engine.loop.kernel import Kernel
from agents_app.engine.loop.shared import Loop
from agents_app.engine.nulls import NobodyWatches
from agents_app.engine.parts import BUILT_IN
from agents_app.engine.ports import Delta, ModelReply, ModelRequest, OnDelta
from playhead.core.clock import SystemClock
from playhead.core.events import Draft
from replay_app.engine.player import Player
from tests.bench.w1 import Workload

if TYPE_CHECKING:
    from collections.abc import Callable

    from playhead.core.events import Event

BY = {"kind": "user", "id": "user_bench", "name": "Bench"}
SIZES = (100, 1000)
ROUNDS = 7


def run() -> None:
    """Print microseconds of CPU per live step at each size, and milliseconds of a re-enact."""
    for n in SIZES:
        live, again, floor, events = _measured(Workload(n))
        sys.stdout.write(
            f"engine   N={n:<5} live step {live / n * 1e6:,.0f} us CPU"
            f" = {live / floor:.1f} x floor;"
            f" re-enact {again * 1e3:,.0f} ms = {again / floor:.1f} x floor"
            f" (floor {floor * 1e3:,.1f} ms, {events} events)\n"
        )


def _measured(workload: Workload) -> tuple[float, float, float, int]:
    """The fastest live run, re-enact and floor of some rounds by turns, and how many events."""
    rounds = []
    for _ in range(max(ROUNDS, ROUNDS * 200 // workload.n)):
        loop = loop_of(workload)
        live = _timed(lambda loop=loop: asyncio.run(Kernel(loop).run()))
        again = _timed(lambda loop=loop: asyncio.run(_replay(loop)))
        floor = _timed(lambda loop=loop: _floor(loop.record.events))
        rounds.append((live, again, floor))
    live, again, floor = map(min, zip(*rounds, strict=True))
    return live, again, floor, len(loop.record.events)


async def _replay(loop: Loop) -> None:
    await Player(loop.record.events, loop.spec).replay()


def loop_of(workload: Workload) -> Loop:
    """W1 in memory: model and tool give what the workload has, secrets are looked for."""
    results = iter(workload.steps)

    @tool
    async def search(query: str, limit: int) -> str:
        """Search the documents."""
        return next(results).result["content"]

    system, user = (message["content"] for message in workload.messages[:2])
    limits = Limits(max_steps=workload.n + 1)
    spec = AgentSpec(slug="w1", instructions=system, tools=(search,), limits=limits)
    record, clock, model = Record(), SystemClock(), Recorded(workload)
    seals = VaultSeals(1, random.Random(1).randbytes(32), {})
    journal = Journal(session_id="sess_w1", record=record, sink=Memory(), clock=clock, seals=seals)
    journal.emit(Draft("session_start", start_payload(spec, version=1, seed="00" * 16)))
    opening = {"message": {"role": "user", "content": user}, "by": BY, "policy": "start"}
    journal.emit(Draft("user_message", {**opening, "to": "agent:w1"}))
    return Loop(
        session_id="sess_w1", record=record, journal=journal, clock=clock,
        model=lambda _name: model,
        live=NobodyWatches(), actor=Actor(spec, BUILT_IN.strategy(spec), limits, ()),
        parts=BUILT_IN,
    )  # fmt: skip


class Recorded:
    """A model that answers W1's responses in order, in pieces as a provider streams them."""

    def __init__(self, workload: Workload, piece: int = 24) -> None:
        self._steps = iter(workload.steps)
        self._piece = piece

    async def respond(self, _request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """The next response; the last one ends the run."""
        step = next(self._steps, None)
        if step is None:
            return ModelReply(Message("assistant", "Done."), stop_reason="stop")
        text = step.response["content"]
        for at in range(0, len(text), self._piece):
            on_delta(Delta("text", text[at : at + self._piece]))
        call = step.response["tool_calls"][0]
        on_delta(Delta("tool:0", call["function"]["arguments"]))
        asked = ToolCall("", "search", step.arguments, call["id"])
        return ModelReply(Message("assistant", text, [asked]), stop_reason="tool_calls")


def _timed(work: Callable[[], Any]) -> float:
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def _floor(events: list[Event]) -> None:
    """Dump and hash every body and every envelope, and chain them."""
    prev, sha256 = bytes(32), hashlib.sha256
    dumps = json.JSONEncoder(
        sort_keys=True, ensure_ascii=False, separators=(",", ":"), check_circular=False
    ).encode
    for event in events:
        body = dumps(event.payload).encode()
        envelope = dumps([event.seq, event.event_type, event.ts, event.scope, event.cause]).encode()
        prev = sha256(prev + sha256(envelope).digest() + sha256(body).digest()).digest()
