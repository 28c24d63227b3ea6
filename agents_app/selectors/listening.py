"""A subscription to a group of the channel layer, and a look of its own now and then."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from playhead.core.clock import SystemClock
from playhead.realtime.subscribe import subscription

logger = logging.getLogger(__name__)
_clock = SystemClock()
#: After the channel layer failed, how long until it is tried again (seconds).
REST = 1.0
#: How long a start waits for the channel layer; without it, looks carry everything.
PATIENCE = 2.0

Payload = dict[str, Any]
Heard = Callable[[Payload | None], Awaitable[None]]


class Listener:
    """Calls ``heard`` with each wake-up of a group, and with ``None`` now and then.

    Args:
        every: seconds after which it is called without a wake-up: one may have been lost.
    """

    def __init__(self, group: str, heard: Heard, every: float) -> None:
        self._group = group
        self._heard = heard
        self._every = every
        self._looked = _clock.monotonic()
        self._subscribed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen in the background; returns once subscribed, or when the layer is away."""
        self._task = asyncio.create_task(self._listen())
        try:
            async with asyncio.timeout(PATIENCE):
                await self._subscribed.wait()
        except TimeoutError:
            logger.warning("No wake-ups of %s for now", self._group)

    async def stop(self) -> None:
        """Stop listening and leave the group."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with subscription(self._group) as payloads:
                    self._subscribed.set()
                    await self._follow(payloads)
            except Exception as error:
                logger.warning("Wake-ups of %s are lost for a while: %s", self._group, error)
            await self._tell(None)
            await asyncio.sleep(REST)

    async def _follow(self, payloads: AsyncIterator[Payload]) -> None:
        """Wait for wake-ups. A receive that was begun is never given up: that loses the channel."""
        receiving: asyncio.Future[Payload] = asyncio.ensure_future(anext(payloads))
        try:
            while True:
                done, _ = await asyncio.wait({receiving}, timeout=self._every)
                if done:
                    payload = receiving.result()
                    receiving = asyncio.ensure_future(anext(payloads))
                    await self._tell(payload)
                if _clock.monotonic() - self._looked >= self._every:
                    await self._tell(None)
        finally:
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)

    async def _tell(self, payload: Payload | None) -> None:
        if payload is None:
            self._looked = _clock.monotonic()
        try:
            await self._heard(payload)
        except Exception:
            logger.exception("What a wake-up of %s told could not be read", self._group)
            await asyncio.sleep(REST)
