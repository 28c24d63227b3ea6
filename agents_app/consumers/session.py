"""`/ws/sessions/{id}`: every event of the view once, in order, from the client's seq on."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from urllib.parse import parse_qs

from agents_app.adapters.stores import log_store
from agents_app.selectors.events import types_of
from agents_app.selectors.feeds import PAGE, Feed, News, View, join, leave
from agents_app.selectors.masks import Eyes
from agents_app.selectors.sessions import session_ref
from agents_app.selectors.threads import in_thread
from agents_app.selectors.wire import event_json, events_frame
from playhead.core.errors import InvalidInput, NotFound
from playhead.realtime.socket import NOT_FOUND, Refused, Socket

logger = logging.getLogger(__name__)
BAD_REQUEST = 4400
#: With more than this waiting for a reader, stream text is not worth queueing.
BUSY = 64


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the client asks for in its address."""

    after: int
    bodies: bool
    types: frozenset[str] | None


def wanted_of(query: str) -> Wanted:
    """The parameters of a socket's address.

    Raises:
        InvalidInput: a parameter that is none of ours to understand.
    """
    given = {name: values[-1] for name, values in parse_qs(query).items()}
    after = given.get("after", "0")
    if not after.isdecimal() or len(after) > 9:
        raise InvalidInput("after is a seq.", detail={"field": "after"})
    return Wanted(int(after), given.get("bodies", "1") != "0", types_of(given.get("types")))


def backlog(session: int, after: int, upto: int, view: View) -> tuple[str | None, int]:
    """A frame with the next events of a view, and the seq up to which it is complete."""
    rows = log_store().read(
        session, after=after, upto=upto, types=view.types, limit=PAGE, blobs=False
    )
    texts = [event_json(row, bodies=view.bodies, eyes=view.eyes) for row in rows]
    frame = events_frame(texts) if texts else None
    return frame, rows[-1].seq if len(rows) == PAGE else upto


class SessionSocket(Socket):
    """Subscribes first, sends the backlog, then follows the feed: nothing twice, nothing lost."""

    view: View
    feed: Feed | None = None
    _standing: tuple[str, str | None] | None = None

    async def opened(self) -> None:
        workspace = self.principal.workspace
        name = self.scope["url_route"]["kwargs"]["session_id"]
        try:
            wanted = wanted_of(self.scope["query_string"].decode("latin-1"))
            session = await in_thread(
                session_ref, workspace_id=workspace.id if workspace else "", session_id=name
            )
        except NotFound:
            raise Refused(NOT_FOUND) from None
        except InvalidInput:
            raise Refused(BAD_REQUEST) from None
        self.view = View(wanted.bodies, wanted.types, Eyes.of(self.principal))
        self.feed = await join(session)
        # In a task of its own: a reader that is slow or gone must not hold the socket's own door.
        self.beside(self._catch_up(self.feed, wanted.after))

    async def closed(self) -> None:
        feed, self.feed = self.feed, None
        if feed is not None:
            feed.followers.discard(self)
            await leave(feed)

    def more(self, frame: str | None, news: News) -> None:
        if frame is not None:
            self.push(frame)
        if frame is None or news.standing != self._standing:
            self._standing = news.standing
            self.push(news.head)

    def passing(self, frame: str) -> None:
        if self.view.takes("llm_response") and self.queued < BUSY:
            self.push(frame)

    async def _catch_up(self, feed: Feed, after: int) -> None:
        if after > feed.seq:  # the client may have seen more than a feed that is about to look
            await feed.refresh()
        if after > feed.seq:
            await self.write(json.dumps({"type": "reset", "after": 0}))
            after = 0
        while after < feed.seq and not self.is_closing:
            frame, after = await in_thread(backlog, feed.session.pk, after, feed.seq, self.view)
            if frame is not None:
                await self.write(frame)
        # Nothing is awaited between the last look at the feed's seq and following it.
        if not self.is_closing:
            feed.followers.add(self)
            self._standing = feed.latest.standing
            self.push(feed.latest.head)
