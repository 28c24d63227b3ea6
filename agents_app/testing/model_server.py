"""A model server of the OpenAI protocol on this machine, whose answers are a script's.

What a client gets is what the real server sends: streamed chunks with calls by index and a usage
chunk, statuses with ``Retry-After``, and every way to fail. Each body is kept byte for byte.

    with serving(Script([Rule(lambda view: True, lambda view: reply("Hello."))])) as server:
        OpenAIChat("any", base_url=server.url)

From a shell: ``python -m agents_app.testing.model_server module:SCRIPT --port 9000 --folder DIR``.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.scripted import Reply, Script, View
from agents_app.testing.chat_protocol import (
    ERRORS,
    Answer,
    Unacceptable,
    error_body,
    read_request,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADER_LIMIT = 65_536


class ModelServer:
    """Serves until it is closed; ``url`` is the base URL for a client.

    Args:
        script: what it answers. Failures of a reply become those of a server: a status, or, for
            ``stalled``, ``stream_dropped``, ``unreachable`` and ``bad_response``, the thing itself.
        folder: where bodies are written, ``000001.json`` and on; they are in ``bodies`` too.
        usage: whether it sends usage to those who ask for it.
        key: the API key it accepts; any when there is none.
        keep_alive: off, it closes each connection behind an answer without having said so.
    """

    def __init__(
        self,
        script: Script,
        *,
        folder: Path | None = None,
        usage: bool = True,
        key: str | None = None,
        keep_alive: bool = True,
    ) -> None:
        self.script, self.folder, self.usage, self.key = script, folder, usage, key
        self.keep_alive = keep_alive
        self.bodies: list[bytes] = []
        self.url = ""
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[Any]] = set()

    async def start(self, *, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes a free one."""
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
        self._server = await asyncio.start_server(self._serve, host, port, limit=_HEADER_LIMIT)
        self.url = f"http://{host}:{self._server.sockets[0].getsockname()[1]}/v1"

    async def until_disconnected(self) -> None:
        """Wait until every client has let go of its connection."""
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def aclose(self) -> None:
        """Stop listening and end what is open."""
        if self._server is not None:
            self._server.close()
        for task in self._connections:
            task.cancel()
        await self.until_disconnected()

    async def __aenter__(self) -> ModelServer:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while await self._exchange(reader, writer) and self.keep_alive:
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection goes on."""
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        method, path, _ = first.split(" ")
        if (method, path) == ("POST", "/v1/chat/completions"):
            return await self._chat(_Out(writer), headers, body)
        known = {"/v1/models": {"object": "list", "data": []}, "/health": {"status": "ok"}}
        status, answer = (
            (200, known[path]) if path in known else (404, {"error": {"message": path}})
        )
        await _Out(writer).json(status, answer)
        return True

    async def _chat(self, out: _Out, headers: dict[str, str], body: bytes) -> bool:
        number = self._keep(body)
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            return await self._status(out, "auth", None)
        try:
            asked = read_request(body)
        except Unacceptable as error:
            says = {"message": str(error), "type": "invalid_request_error", "param": None}
            await out.json(400, {"error": {**says, "code": None}})
            return True
        reply = self.script.answer(View(asked.messages, asked.tools))
        if reply.fail in ERRORS and not reply.text:
            return await self._status(out, reply.fail or "", reply.retry_after, reply.says)
        if reply.fail == "unreachable":
            return False
        if reply.fail == "bad_response":
            await out.text("<html>It works!</html>")
            return True
        answer = Answer(asked, reply, number)
        if not asked.stream:
            await out.json(200, answer.whole())
            return True
        return await self._stream(out, answer, reply)

    async def _status(
        self, out: _Out, code: str, retry_after: float | None, says: str | None = None
    ) -> bool:
        status, answer = error_body(code, says)
        more = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
        await out.json(status, answer, **more)
        return True

    async def _stream(self, out: _Out, answer: Answer, reply: Reply) -> bool:
        pace = self.script.pace if reply.pace is None else reply.pace
        await out.begin_events()
        if reply.stall:
            await asyncio.sleep(reply.stall)
        for count, chunk in enumerate(answer.chunks(usage=self.usage)):
            if reply.cut is not None and count > reply.cut:
                return False
            if reply.fail and chunk["choices"][0]["finish_reason"]:
                return await self._fail_within(out, reply)
            await out.event(json.dumps(chunk))
            await asyncio.sleep(pace)
        await out.event("[DONE]")
        await out.end_events()
        return True

    async def _fail_within(self, out: _Out, reply: Reply) -> bool:
        """What goes wrong after the text: an error event, silence, or a lost connection."""
        if reply.fail == "stalled":
            await asyncio.Event().wait()
        if reply.fail in ERRORS:
            await out.event(json.dumps(error_body(reply.fail or "", reply.says)[1]))
            await out.end_events()
            return True
        return False

    def _keep(self, body: bytes) -> int:
        self.bodies.append(body)
        number = len(self.bodies)
        if self.folder is not None:
            (self.folder / f"{number:06d}.json").write_bytes(body)
        return number


class _Out:
    """Writes the answer of one request."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def json(self, status: int, value: Any, **headers: str) -> None:
        await self._whole(status, "application/json", json.dumps(value).encode(), headers)

    async def text(self, text: str) -> None:
        await self._whole(200, "text/html", text.encode(), {})

    async def _whole(self, status: int, kind: str, body: bytes, headers: dict[str, str]) -> None:
        self._head(status, {"Content-Type": kind, "Content-Length": str(len(body)), **headers})
        self._writer.write(body)
        await self._writer.drain()

    async def begin_events(self) -> None:
        kind = "text/event-stream; charset=utf-8"
        self._head(200, {"Content-Type": kind, "Transfer-Encoding": "chunked"})
        await self._writer.drain()

    async def event(self, data: str) -> None:
        line = f"data: {data}\n\n".encode()
        self._writer.write(b"%x\r\n%s\r\n" % (len(line), line))
        await self._writer.drain()

    async def end_events(self) -> None:
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    def _head(self, status: int, headers: dict[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} Scripted", *(f"{k}: {v}" for k, v in headers.items())]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))


@contextlib.contextmanager
def serving(script: Script, *, port: int = 0, **options: Any) -> Iterator[ModelServer]:
    """A model server on a loop of its own, for tests that have none."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="model-server", daemon=True)
    thread.start()
    server = ModelServer(script, **options)
    try:
        asyncio.run_coroutine_threadsafe(server.start(port=port), loop).result()
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.aclose(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def main() -> None:
    """Serve a script until interrupted; prints the base URL."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("script", help="module:NAME of a Script")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where to write the bodies of requests")
    options = parser.parse_args()
    module, _, name = options.script.partition(":")
    script = getattr(importlib.import_module(module), name)
    with (
        serving(script, port=options.port, folder=options.folder) as server,
        contextlib.suppress(KeyboardInterrupt),
    ):
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
