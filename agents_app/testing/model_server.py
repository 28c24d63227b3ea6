"""A model server on this machine that speaks three protocols and whose answers are a script's.

It answers OpenAI chat completions, OpenAI responses and Anthropic messages. What a client gets is
what the real server sends: the same events in the same order, usage, statuses with their headers,
and every way to fail; a request that the real server refuses is refused. Each body is kept byte
for byte, and ``used`` is what each answer was billed, counted inclusively.

    with serving(Script([Rule(lambda view: True, lambda view: reply("Hello."))])) as server:
        OpenAIChat("any", base_url=server.url)
        AnthropicMessages("any", base_url=server.url)

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

from agents_app.adapters.models.scripted import Script, View
from agents_app.testing.chat_protocol import ERRORS, Chat
from agents_app.testing.http_answers import Out
from agents_app.testing.messages_protocol import Messages
from agents_app.testing.model_protocol import Unacceptable, shared
from agents_app.testing.responses_protocol import Responses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.adapters.models.scripted import Reply
    from agents_app.engine.messages import Message
    from agents_app.testing.model_protocol import Answer, Asked, ModelProtocol
    from playhead.core.usage import Usage

PROTOCOLS: dict[str, ModelProtocol] = {
    "/v1/chat/completions": Chat(),
    "/v1/responses": Responses(),
    "/v1/messages": Messages(),
}
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
        self.headers: list[dict[str, str]] = []
        self.used: list[Usage] = []
        self._prompts: list[tuple[Message, ...]] = []
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
        if method == "POST" and path in PROTOCOLS:
            return await self._answer(Out(writer), PROTOCOLS[path], headers, body)
        known = {"/v1/models": {"object": "list", "data": []}, "/health": {"status": "ok"}}
        status, answer = (
            (200, known[path]) if path in known else (404, {"error": {"message": path}})
        )
        await Out(writer).json(status, answer)
        return True

    async def _answer(
        self, out: Out, protocol: ModelProtocol, headers: dict[str, str], body: bytes
    ) -> bool:
        number = self._keep(body)
        self.headers.append(headers)
        if self.key is not None and not protocol.accepts(headers, self.key):
            await out.json(*protocol.error("auth"))
            return True
        try:
            asked = protocol.read(headers, body)
        except Unacceptable as error:
            await out.json(400, protocol.unacceptable(error))
            return True
        reply = self.script.answer(View(asked.messages, asked.tools))
        if reply.fail in ERRORS and not reply.text:
            return await self._status(out, protocol, reply)
        if reply.fail == "unreachable":
            return False
        if reply.fail == "bad_response":
            await out.text("<html>It works!</html>")
            return True
        usage = self._counted(protocol, asked, reply)
        answer = protocol.answer(asked, reply, number, usage)
        if not asked.stream:
            await out.json(200, answer.whole())
            return True
        return await self._stream(out, protocol, answer, reply, usage)

    def _counted(self, protocol: ModelProtocol, asked: Asked, reply: Reply) -> Usage | None:
        """What the answer uses; a prompt that begins like an earlier one is cached so far."""
        if not self.usage:
            return None
        cached = shared(asked.messages, self._prompts)
        self._prompts.append(asked.messages)
        return reply.usage or protocol.counted(asked, reply, cached)

    async def _status(self, out: Out, protocol: ModelProtocol, reply: Reply) -> bool:
        status, answer = protocol.error(reply.fail or "", reply.says, reply.status)
        more = dict(reply.headers)
        if reply.retry_after is not None:
            more["retry-after"] = f"{reply.retry_after:g}"
        await out.json(status, answer, **more)
        return True

    async def _stream(
        self,
        out: Out,
        protocol: ModelProtocol,
        answer: Answer,
        reply: Reply,
        usage: Usage | None,
    ) -> bool:
        pace = self.script.pace if reply.pace is None else reply.pace
        await out.begin_events()
        if reply.stall:
            await asyncio.sleep(reply.stall)
        said = 0
        for sent in answer.events():
            if sent.piece and said == reply.cut:
                return False
            if reply.fail and sent.ends:
                return await self._fail_within(out, answer, reply)
            await out.event(json.dumps(sent.data), sent.name)
            said += sent.piece
            if sent.usage and usage is not None:
                self.used.append(usage)
            await asyncio.sleep(pace)
        if protocol.last is not None:
            await out.event(protocol.last)
        await out.end_events()
        return True

    async def _fail_within(self, out: Out, answer: Answer, reply: Reply) -> bool:
        """What goes wrong after the text: an error event, silence, or a lost connection."""
        if reply.fail == "stalled":
            await asyncio.Event().wait()
        if reply.fail in ERRORS:
            broken = answer.broken_off(reply.fail or "", reply.says)
            await out.event(json.dumps(broken.data), broken.name)
            await out.end_events()
            return True
        return False

    def _keep(self, body: bytes) -> int:
        self.bodies.append(body)
        number = len(self.bodies)
        if self.folder is not None:
            (self.folder / f"{number:06d}.json").write_bytes(body)
        return number


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
