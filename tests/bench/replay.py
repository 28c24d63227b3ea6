"""Re-enact: kernel, strategy and seam run again on 1,000 recorded steps, with every digest."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import time
from typing import TYPE_CHECKING

from agents_app.engine import AgentSpec, Limits, Message, ToolCall, tool
from agents_app.testing import RuleModel, Session
from replay_app.testing import player_of
from tests.bench.w1 import RESPONSE_BYTES, RESULT_BYTES, SYSTEM_BYTES, USER_BYTES, text

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest

STEPS = 1000
ROUNDS = 5


def run() -> None:
    """Print the milliseconds of a re-enact, and of the least that rolling digests cost."""
    session = asyncio.run(_recorded())
    fastest = min(_timed(lambda: asyncio.run(_replay(session))) for _ in range(ROUNDS))
    floor = min(_timed(lambda: _floor(session)) for _ in range(ROUNDS))
    line = f"replay of {STEPS} steps, {len(session.events)} events: {fastest:.0f} ms CPU"
    sys.stdout.write(f"{line} (floor {floor:.0f} ms)\n")


def _timed(work: object) -> float:
    began = time.process_time()
    work()  # type: ignore[operator]
    return (time.process_time() - began) * 1000


async def _replay(session: Session) -> None:
    await player_of(session).replay()


async def _recorded() -> Session:
    import random

    rng = random.Random("w1-1")
    left = iter(range(STEPS))

    @tool
    async def search(query: str, limit: int) -> str:
        """Search."""
        return text(rng, RESULT_BYTES)

    def rule(_request: ModelRequest) -> Message:
        place = next(left, None)
        if place is None:
            return Message("assistant", "Done.")
        asked = {"query": text(rng, 90), "limit": rng.randrange(100)}
        return Message("assistant", text(rng, RESPONSE_BYTES), [ToolCall("x", "search", asked)])

    spec = AgentSpec(
        slug="w1",
        instructions=text(rng, SYSTEM_BYTES),
        tools=(search,),
        limits=Limits(max_steps=STEPS + 1),
    )
    session = Session(spec, RuleModel(rule)).start(text(rng, USER_BYTES))
    await session.run()
    return session


def _floor(session: Session) -> None:
    """Each payload's message dumped and hashed once, one rolling digest a request and a step."""
    rolled = bytes(32)
    for event in session.events:
        message = event.payload.get("message")
        if message is not None:
            data = json.dumps(message, sort_keys=True, separators=(",", ":")).encode()
            rolled = hashlib.sha256(rolled + hashlib.sha256(data).digest()).digest()
        elif event.event_type in ("llm_request", "step_end", "tool_call"):
            rolled = hashlib.sha256(rolled + bytes(32)).digest()
