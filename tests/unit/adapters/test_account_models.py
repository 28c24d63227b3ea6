"""The connections of models: as many as are used, however many models are named."""

from __future__ import annotations

import asyncio
from typing import Any

from agents_app.adapters.models.providers import MOST_PORTS, AccountModels
from agents_app.adapters.models.streaming import StreamingModel
from agents_app.engine import Message
from agents_app.engine.ports import ModelRequest

ASKED = ModelRequest((Message("user", "Hi."),))


class Client:
    """A client of an SDK, which notes that it was closed."""

    open = 0

    def __init__(self) -> None:
        Client.open += 1

    async def close(self) -> None:
        Client.open -= 1


class Port(StreamingModel):
    """A model whose stream can be held."""

    provider, key_name = "mine", "MINE"
    held: asyncio.Event | None = None

    def _client(self, key: str) -> Any:
        return Client()

    async def _open(self, request: ModelRequest) -> Any:
        return self._clients.current()

    async def _read(self, *_: Any) -> None:
        if self.held is not None:
            await self.held.wait()
        raise RuntimeError("said nothing")

    def _collected(self) -> Any:
        return None


class Mine(AccountModels):
    def _port(self, name: str) -> StreamingModel:
        return Port(name, base_url="http://127.0.0.1:1")


async def ask(models: Mine, name: str) -> None:
    await asyncio.gather(models.model(name).respond(ASKED, lambda _: None), return_exceptions=True)


async def test_models_that_nobody_asks_any_more_hold_no_connection() -> None:
    Client.open, models = 0, Mine()
    for number in range(MOST_PORTS * 3):
        await ask(models, f"m{number}")
        await ask(models, "used")
    await asyncio.sleep(0)
    assert Client.open == MOST_PORTS
    used = models.model("used")
    assert used is models.model("used")
    await models.on_stop()
    assert Client.open == 0


async def test_a_call_that_runs_keeps_its_connection_to_its_end() -> None:
    Client.open, models = 0, Mine()
    port = models.model("slow")
    assert isinstance(port, Port)
    port.held = asyncio.Event()
    call = asyncio.create_task(port.respond(ASKED, lambda _: None))
    await asyncio.sleep(0)
    for number in range(MOST_PORTS):
        models.model(f"m{number}")
    await asyncio.sleep(0)
    assert Client.open == 1
    port.held.set()
    await asyncio.gather(call, return_exceptions=True)
    assert Client.open == 0
