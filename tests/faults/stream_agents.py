"""Agents that fill a log quickly, for those who watch: many events, or large ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agents_app.adapters.models.scripted import Reply, Rule, Script, View, call, reply
from agents_app.engine import AgentSpec, Limits, tool

if TYPE_CHECKING:
    from collections.abc import Callable

#: A step of ``ticker``: a request, a response, calls, results and the step's end.
CALLS = 6
#: A session runs until it is cancelled, or ends at a limit: after that, a slow machine catches up.
STEPS = 180
#: The first results of ``filler`` are large: more than what waits between two processes.
LARGE = 30


@tool
async def tick(number: int) -> str:
    """Wait for a moment."""
    await asyncio.sleep(0.15)
    return f"tick {number}"


@tool(max_output=1_000_000)  # the whole of it is to fill the way
async def fill(lines: int) -> str:
    """Give a text of so many lines."""
    await asyncio.sleep(0.05 if lines > 1 else 0.2)
    return "One line more.\n" * lines


def _tick(view: View) -> Reply:
    first = len(view.calls)
    return reply("On it goes.", calls=[call("tick", number=first + n) for n in range(CALLS)])


def _fill(view: View) -> Reply:
    return reply(calls=[call("fill", lines=12_000 if len(view.calls) < LARGE else 1)])


def _always(answer: Callable[[View], Reply]) -> Script:
    return Script([Rule(lambda v: True, answer)], pace=0.0)


SCRIPTS = {"ticker": _always(_tick), "filler": _always(_fill)}
AGENTS = [
    AgentSpec(
        slug=name, model=f"scripted:{name}", tools=(tick, fill), limits=Limits(max_steps=STEPS)
    )
    for name in SCRIPTS
]
