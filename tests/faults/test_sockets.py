"""Every watcher sees every event, in order, once, whatever happens to its connection."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING

from readers import TOO_SLOW, Reader
from scaled import Refused, until
from stream_agents import LARGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scaled import Command, Scaled

READERS, SLOW, CUTS = 188, 12, 5
#: Events a second that must come while they read.
RATE = 50
#: Longer than a web process waits for somebody who reads nothing.
STALL = 20.0


def start(scaled: Scaled, web: Command, agent: str) -> str:
    """A session that runs until it is cancelled; its id."""
    return str(scaled.call(web, "/sessions", {"agent": agent, "input": "go"})["id"])


def readers(
    scaled: Scaled, webs: list[Command], session: str, count: int, *, over: float, stall: float = 0
) -> list[Reader]:
    """Clients that will be cut at random times of the next ``over`` seconds."""
    chance = Random(stall)
    now = time.monotonic()
    return [
        Reader(
            [web.url for web in webs],
            scaled.key,
            session,
            sorted(now + chance.uniform(stall, over) for _ in range(CUTS)),
            Random(number),
            stall=stall,
            bodies=int(stall > 0 or number % 4 == 0),
        )
        for number in range(count)
    ]


async def follow(those: list[Reader], stop: Callable[[], None], *, within: float) -> None:
    """Let all read; ``stop`` ends the sessions when the last of them has had its last cut."""
    async with asyncio.timeout(within), asyncio.TaskGroup() as group:
        for reader in sorted(those, key=lambda each: -each.stall):
            group.create_task(reader.run())
            if reader.stall:  # it fills the way to it before the crowd comes
                await reader.begun.wait()
        while any(reader.cuts and not reader.wrong for reader in those):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        await asyncio.to_thread(stop)


def ending(scaled: Scaled, web: Command, *sessions: str) -> Callable[[], None]:
    """What cancels these sessions."""

    def end() -> None:
        for session in sessions:
            try:
                scaled.call(web, f"/sessions/{session}/cancel", {})
            except Refused as error:  # it has come to its own end
                if error.status != 409:
                    raise

    return end


def test_g15_200_sockets_over_two_web_processes_see_every_event_in_order_once(
    scaled: Scaled,
) -> None:
    webs, worker = [scaled.web(), scaled.web()], scaled.worker()
    full = start(scaled, webs[0], "filler")
    until(
        lambda: scaled.call(webs[0], f"/sessions/{full}")["head_seq"] > 5 * LARGE + 5,
        within=120,
        what="the worker is too slow",
    )
    busy = start(scaled, webs[0], "ticker")
    before = [command.cpu for command in (*webs, worker)]
    begun, own = time.monotonic(), time.process_time()
    many = readers(scaled, webs, busy, READERS, over=25)
    slow = readers(scaled, webs, full, SLOW, over=30, stall=STALL)
    asyncio.run(follow([*many, *slow], ending(scaled, webs[0], busy, full), within=200))
    took, own = time.monotonic() - begun, time.process_time() - own
    cores = [(c.cpu - b) / took for c, b in zip((*webs, worker), before, strict=True)]

    assert [reader.wrong for reader in many + slow if reader.wrong] == []
    rate, head = log_of(scaled, webs[1], busy)
    assert {reader.after for reader in many} == {head}
    assert {reader.after for reader in slow} == {log_of(scaled, webs[1], full)[1]}
    assert all(len(reader.aborted) == CUTS for reader in many + slow)
    assert TOO_SLOW in {reader.codes[0] for reader in slow}
    assert rate >= RATE, "the worker wrote too slowly to show anything"
    delays = sorted(delay for reader in many for delay in reader.delays)
    sys.stdout.write(
        f"\n{len(many + slow)} sockets, {rate:.0f} events/s for {took:.0f} s, "
        f"{sum(reader.after for reader in many) / took:,.0f} deliveries/s; "
        f"delay p50 {statistics.median(delays) * 1000:.0f} ms, "
        f"p99 {delays[int(len(delays) * 0.99)] * 1000:.0f} ms; cores: web {cores[0]:.2f} "
        f"+ {cores[1]:.2f}, worker {cores[2]:.2f}, clients {own / took:.2f}\n"
    )


def log_of(scaled: Scaled, web: Command, session: str) -> tuple[float, int]:
    """Events a second of a whole session, by their times in the log, and its last seq."""
    found = scaled.call(web, f"/sessions/{session}/heads")
    first, last = (datetime.fromisoformat(found["data"]["ts"][place]) for place in (0, -1))
    return found["head_seq"] / (last - first).total_seconds(), found["head_seq"]


def test_a_planted_fault_of_a_feed_is_found(scaled: Scaled) -> None:
    webs = {fault: scaled.web(plant=fault) for fault in ("drop", "double", "swap", "gap")}
    scaled.worker()
    session = start(scaled, webs["drop"], "ticker")
    those = {fault: readers(scaled, [web], session, 5, over=5) for fault, web in webs.items()}
    every = [reader for some in those.values() for reader in some]
    asyncio.run(follow(every, ending(scaled, webs["drop"], session), within=120))
    found = {fault: [each.wrong for each in some if each.wrong] for fault, some in those.items()}
    assert all(found.values()), found
