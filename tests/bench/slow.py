"""A model that takes its time: what it says in how many pieces, and a server that says it by HTTP.

``python -m tests.bench.slow SECONDS PIECES`` serves and prints its base URL; it is a process of its
own, so that it takes nothing of the worker's.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agents_app.engine import Message, ToolCall
from agents_app.engine.ports import Delta, ModelReply, ModelRequest
from playhead.core.usage import Usage
from playhead.ops.start import make_room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.ports import OnDelta

#: What an answer says in all, about as long as a paragraph.
TEXT = "A lighthouse is a tower with a light, and people who look after it. " * 16
TOOL = "look_up"
#: What every agent is told: its context is more than a word.
INSTRUCTIONS = "You keep a lighthouse and answer questions about it. " * 20


@dataclass(frozen=True, slots=True)
class Slow:
    """A model port in this process: the first answer of a session calls a tool, the second ends."""

    seconds: float
    pieces: int

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """Stream for so long. What it says is made anew each time, as it is by those over HTTP."""
        said = ""
        for piece in pieces_of(self.pieces):
            await asyncio.sleep(self.seconds / self.pieces)
            on_delta(Delta("text", "".join(list(piece))))
            said += piece
        called = request.messages[-1].role == "tool"
        calls = None if called else [ToolCall("call_1", TOOL, {"key": "light"})]
        return ModelReply(
            Message("assistant", said, calls),
            stop_reason="stop" if called else "tool_calls",
            usage=Usage(input=300, output=250),
            model=request.model,
        )


@lru_cache
def pieces_of(count: int) -> tuple[str, ...]:
    """The text in so many pieces."""
    size = -(-len(TEXT) // count)
    return tuple(TEXT[at : at + size] for at in range(0, len(TEXT), size))


def _lines(count: int, *, called: bool) -> Iterator[bytes]:
    """The server-sent events of an answer."""

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        head = {"id": "slow-1", "object": "chat.completion.chunk", "created": 1, "model": "slow"}
        data = {**head, "choices": [choice], **more}
        return b"data: " + json.dumps(data).encode() + b"\n\n"

    for piece in pieces_of(count):
        yield chunk({"content": piece})
    function = {"name": TOOL, "arguments": '{"key": "light"}'}
    call = {"index": 0, "id": "call_1", "type": "function", "function": function}
    if not called:
        yield chunk({"tool_calls": [call]})
    used = {"prompt_tokens": 300, "completion_tokens": 250, "total_tokens": 550}
    yield chunk({}, "stop" if called else "tool_calls")
    yield (
        chunk({}, None, usage=used).replace(
            b'"choices": [{"index": 0, "delta": {}, "finish_reason": null}]', b'"choices": []'
        )
        + b"data: [DONE]\n\n"
    )


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


async def _serve(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float, count: int
) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            body = await reader.readexactly(length)
            writer.write(_HEAD)
            for place, line in enumerate(_lines(count, called=b'"role":"tool"' in body)):
                if place < count:
                    await asyncio.sleep(seconds / count)
                writer.write(b"%x\r\n%b\r\n" % (len(line), line))
            writer.write(b"0\r\n\r\n")
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def serve(seconds: float, count: int) -> None:
    """Serve until the process ends."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _serve(reader, writer, seconds, count)

    server = await asyncio.start_server(one, "127.0.0.1", 0, backlog=2048)
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    make_room()
    asyncio.run(serve(float(sys.argv[1]), int(sys.argv[2])))
