"""What a model that streams takes by itself, without Playhead: in a process, and over HTTP.

``python -m tests.bench.bare URL STREAMS SECONDS PIECES`` prints the resident memory of a stream
while all of them are open: of the model of ``tests.bench.slow``, and of the openai SDK over aiohttp
at the server of that URL. An answer is kept while it arrives.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openai import AsyncOpenAI, DefaultAioHttpClient
from uvicorn import Config

from agents_app.engine import Message
from agents_app.engine.ports import ModelRequest
from playhead.ops.start import make_room, settle
from tests.bench.slow import INSTRUCTIONS, TEXT, Slow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

WARM = 40
#: A tool as it is offered.
LOOK_UP = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Look something up.",
        "parameters": {
            "type": "object",
            "properties": {"key": {"type": "string"}},
            "required": ["key"],
            "additionalProperties": False,
        },
    },
}


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _in_process(model: Slow, number: int) -> object:
    """Ask the model in this process what a session asks; nobody keeps its pieces."""
    request = ModelRequest((Message("user", f"Question {number}"),))
    return await model.respond(request, lambda _: None)


async def _over_http(client: Any, number: int) -> str:
    """Ask by the SDK what a session asks the second time."""
    said = [f"Question {number}", f"{number}: {TEXT}", "light: on"]
    messages = [{"role": "user", "content": text} for text in said]
    stream = await client.chat.completions.create(
        model="slow", messages=[{"role": "system", "content": INSTRUCTIONS}, *messages],
        tools=[LOOK_UP], stream=True, stream_options={"include_usage": True},
    )  # fmt: skip
    answer = ""
    async for chunk in stream:
        answer += (chunk.choices[0].delta.content or "") if chunk.choices else ""
    return answer


async def _begin(
    one: Callable[[int], Awaitable[object]], count: int, seconds: float
) -> list[asyncio.Future[object]]:
    """Open them evenly over some seconds."""
    streams: list[asyncio.Future[object]] = []
    for number in range(count):
        streams.append(asyncio.ensure_future(one(number)))
        await asyncio.sleep(seconds / count)
    return streams


async def _measure(
    what: str, one: Callable[[int], Awaitable[object]], count: int, seconds: float
) -> None:
    """Print what one of them takes."""
    await asyncio.gather(*await _begin(one, WARM, 0.5))
    gc.collect()
    before = resident()
    streams = await _begin(one, count, seconds * 0.95)
    held = (resident() - before) / sum(not stream.done() for stream in streams)
    await asyncio.gather(*streams)
    sys.stdout.write(
        f"waiting  bare       {count} streams of {what}, without Playhead:"
        f" memory {held / 1000:.1f} kB a stream\n"
    )


async def measure(url: str, count: int, seconds: float, pieces: int) -> None:
    """Print what a stream takes in this process, then over HTTP, which is ten times as much."""
    make_room()
    settle()
    await _measure(
        "the model in process", partial(_in_process, Slow(seconds, pieces)), count, seconds
    )
    client = AsyncOpenAI(base_url=url, api_key="none", http_client=DefaultAioHttpClient())
    await _measure("the openai SDK over aiohttp", partial(_over_http, client), count, seconds)
    await client.close()


if __name__ == "__main__":
    url, *sizes = sys.argv[1:]
    with asyncio.Runner(loop_factory=Config("", log_config=None).get_loop_factory()) as runner:
        runner.run(measure(url, int(sizes[0]), float(sizes[1]), int(sizes[2])))
