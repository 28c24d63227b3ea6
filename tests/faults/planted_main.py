"""`playhead` with a fault in its sockets, named by ``PLANT``: the checks have to find it."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import django

from playhead.ops import cli

#: The seq around which an event gets lost, doubled or out of order.
SEQ = 60


def drop() -> None:
    """One event of the tail is left out."""
    _change(lambda events: [event for event in events if event.seq != SEQ])


def double() -> None:
    """One event of the tail comes twice."""
    _change(lambda events: [event for e in events for event in [e] * (1 + (e.seq == SEQ))])


def swap() -> None:
    """Two events of one commit change places."""
    _change(lambda events: sorted(events, key=lambda e: e.seq + 1.5 * (e.seq % 50 == 10)))


def gap() -> None:
    """A reader follows a moment after its backlog was read, without looking again."""
    from agents_app.consumers.session import SessionSocket

    class Late(set[Any]):
        def add(self, follower: Any) -> None:
            asyncio.get_running_loop().call_later(0.2, super().add, follower)

    plain = SessionSocket._catch_up

    async def catch_up(self: SessionSocket, feed: Any, after: int) -> None:
        if not isinstance(feed.followers, Late):
            feed.followers = Late(feed.followers)
        await plain(self, feed, after)

    SessionSocket._catch_up = catch_up  # type: ignore[method-assign]


def _change(changed: Any) -> None:
    from agents_app.selectors.feeds import News

    plain = News.frame

    def frame(self: News, view: Any) -> str | None:
        whole, self.events = self.events, changed(self.events)
        try:
            return plain(self, view)
        finally:
            self.events = whole

    News.frame = frame  # type: ignore[method-assign]


PLANTS = {"drop": drop, "double": double, "swap": swap, "gap": gap}


def main() -> int:
    """Plant the fault as soon as Django is set up, then run the command."""
    plain = django.setup

    def setup(**options: Any) -> None:
        plain(**options)
        django.setup = plain  # once
        PLANTS[os.environ["PLANT"]]()

    django.setup = setup
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
