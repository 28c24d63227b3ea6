"""What a stream costs by itself: so many of the SDK's, over aiohttp, with nothing of Playhead.

``python -m tests.bench.bare URL STREAMS SECONDS`` prints the resident memory of a stream while all
of them are open; the server is that of ``tests.bench.slow``. An answer is kept while it arrives.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI, DefaultAioHttpClient
from uvicorn import Config

from playhead.ops.start import make_room, settle
from tests.bench.slow import TEXT

WARM = 40


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _stream(client: Any, number: int) -> str:
    """Ask about what a session asks the second time."""
    said = [f"Question {number}", f"{number}: {TEXT}", "light: on"]
    messages = [{"role": "user", "content": text} for text in said]
    stream = await client.chat.completions.create(model="slow", messages=messages, stream=True)
    answer = ""
    async for chunk in stream:
        answer += (chunk.choices[0].delta.content or "") if chunk.choices else ""
    return answer


async def _begin(client: Any, count: int, seconds: float) -> list[asyncio.Task[str]]:
    """Open them evenly over some seconds."""
    streams = []
    for number in range(count):
        streams.append(asyncio.create_task(_stream(client, number)))
        await asyncio.sleep(seconds / count)
    return streams


async def measure(url: str, count: int, seconds: float) -> None:
    """Print what one of them takes."""
    client = AsyncOpenAI(base_url=url, api_key="none", http_client=DefaultAioHttpClient())
    make_room()
    settle()
    await asyncio.gather(*await _begin(client, WARM, 0.5))
    gc.collect()
    before = resident()
    streams = await _begin(client, count, seconds * 0.95)
    held = (resident() - before) / sum(not stream.done() for stream in streams)
    await asyncio.gather(*streams)
    await client.close()
    sys.stdout.write(
        f"waiting  bare       {count} streams of the openai SDK over aiohttp, without Playhead:"
        f" memory {held / 1000:.1f} kB a stream\n"
    )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=Config("", log_config=None).get_loop_factory()) as runner:
        runner.run(measure(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
