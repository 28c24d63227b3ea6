"""A subscription to a group of the channel layer, and a look of its own now and then."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import get_channel_layer

from playhead.core.clock import SystemClock

logger = logging.getLogger(__name__)
_clock = SystemClock()
#: After the channel layer failed, how long until it is tried again (seconds).
REST = 1.0

Heard = Callable[[dict[str, Any] | None], Awaitable[None]]


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
        self._channel = ""
        self._receiving: asyncio.Task[dict[str, Any]] | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Subscribe, then listen in the background. A layer that is away is tried again later."""
        try:
            await self._subscribe()
        except Exception as error:
            logger.warning("No wake-ups for now: %s", error)
        self._task = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Stop listening and leave the group."""
        for task in (self._task, self._receiving):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        layer = get_channel_layer()
        if layer is not None and self._channel:
            try:
                await layer.group_discard(self._group, self._channel)
            except Exception as error:
                logger.info("A group was not left: %s", error)

    async def _subscribe(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            raise RuntimeError("there is no channel layer")
        self._channel = await layer.new_channel()
        await layer.group_add(self._group, self._channel)

    async def _listen(self) -> None:
        while True:
            try:
                message = await self._next()
            except Exception as error:
                logger.warning("Wake-ups are lost for a while: %s", error)
                self._receiving = None
                await asyncio.sleep(REST)
                await self._again()
                message = None
            await self._tell(message)
            if message is not None and _clock.monotonic() - self._looked > self._every:
                await self._tell(None)

    async def _tell(self, message: dict[str, Any] | None) -> None:
        if message is None:
            self._looked = _clock.monotonic()
        try:
            await self._heard(message)
        except Exception:
            logger.exception("What a wake-up of %s told could not be read", self._group)
            await asyncio.sleep(REST)

    async def _again(self) -> None:
        try:
            await self._subscribe()
        except Exception as error:
            logger.info("Still no wake-ups: %s", error)

    async def _next(self) -> dict[str, Any] | None:
        """The next wake-up, or ``None``. A receive that was begun is never given up half-way."""
        layer = get_channel_layer()
        if layer is None or not self._channel:
            await asyncio.sleep(self._every)
            return None
        if self._receiving is None:
            self._receiving = asyncio.create_task(layer.receive(self._channel))
        done, _ = await asyncio.wait({self._receiving}, timeout=self._every)
        if not done:
            return None
        message = self._receiving.result()
        self._receiving = None
        return message
