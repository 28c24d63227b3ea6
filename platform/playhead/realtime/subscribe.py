"""Hearing wake-ups once per process, whatever number of sockets wait for them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from channels.layers import get_channel_layer

from playhead.jobs import home


@asynccontextmanager
async def subscription(*groups: str) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """The payloads of what `wake` and `tell` send to these groups, while the block runs.

    Subscribe first, then read what is there: so nothing falls between. A wake-up may still be
    lost, so the reader looks by itself too, at its own slow pace.
    """
    home.adopt()
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    for group in groups:
        await layer.group_add(group, channel)

    async def payloads() -> AsyncIterator[dict[str, Any]]:
        while True:
            message = await layer.receive(channel)
            yield {name: value for name, value in message.items() if name != "type"}

    try:
        yield payloads()
    finally:
        with suppress(Exception):  # a layer that is away has forgotten us anyway
            for group in groups:
                await layer.group_discard(group, channel)
