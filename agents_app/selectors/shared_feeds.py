"""Feeds that all who watch the same thing share: the first starts one, the last stops it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


class Sharable(Protocol):
    """A feed of something; ``users`` counts who has it, ``starting`` is done when it runs."""

    users: int
    starting: asyncio.Task[None]

    @property
    def key(self) -> Hashable:
        """What it is a feed of."""
        ...

    async def stop(self) -> None:
        """Nobody watches any more."""
        ...


F = TypeVar("F", bound=Sharable)


class SharedFeeds(Generic[F]):
    """The feeds of one kind; each loop has its own."""

    def __init__(self) -> None:
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, F]]
        self._by_loop = WeakKeyDictionary()

    def running(self) -> dict[Hashable, F]:
        """Those of the running loop, by what they are of."""
        return self._by_loop.setdefault(asyncio.get_running_loop(), {})

    async def join(self, key: Hashable, make: Callable[[], F]) -> F:
        """The feed of something, started; give it back with ``leave``."""
        feeds = self.running()
        feed = feeds.get(key)
        if feed is None:
            feed = feeds[key] = make()
        feed.users += 1
        try:
            await asyncio.shield(feed.starting)
        except BaseException:
            await self.leave(feed)
            raise
        return feed

    async def leave(self, feed: F) -> None:
        """Give a feed back; the last one stops it."""
        feed.users -= 1
        feeds = self.running()
        if feed.users <= 0 and feeds.get(feed.key) is feed:
            del feeds[feed.key]
            await feed.stop()
