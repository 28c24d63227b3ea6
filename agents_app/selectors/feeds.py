"""One feed per watched session and process: one read, one encoding, and all who watch get it.

A wake-up says only that there is more; what there is stands in the log. A feed looks by itself
now and then, so a wake-up that is lost costs time and nothing else.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from agents_app.adapters import live
from agents_app.adapters.stores import log_store
from agents_app.selectors.listening import Listener
from agents_app.selectors.passing import MaskedStreams
from agents_app.selectors.sessions import session_get, session_ref
from agents_app.selectors.shared_feeds import SharedFeeds
from agents_app.selectors.threads import in_thread
from agents_app.selectors.wire import event_json, events_frame
from playhead.core.clock import SystemClock

if TYPE_CHECKING:
    from agents_app.contracts import SessionRef, SessionView
    from agents_app.selectors.masks import Eyes
    from playhead.core.events import StoredEvent

_clock = SystemClock()
#: Seconds between looks when nobody wakes us, and how many events one read takes.
LOOK = 2.0
PAGE = 500
#: Somebody works on it, or is about to.
AT_WORK = frozenset({"queued", "running"})


@dataclass(frozen=True, slots=True)
class View:
    """What of a session somebody watches: part of the cursor, so it never changes on the way."""

    bodies: bool
    types: frozenset[str] | None
    eyes: Eyes

    def takes(self, event_type: str) -> bool:
        """Whether events of this type are in the view."""
        return self.types is None or event_type in self.types


class Follower(Protocol):
    """Somebody who has caught up with a feed and gets what comes."""

    @property
    def view(self) -> View:
        """What is watched."""
        ...

    def more(self, frame: str | None, news: News) -> None:
        """What came; without a frame, none of it is in the view."""
        ...

    def passing(self, frame: str) -> None:
        """Stream text that may be lost."""
        ...


@dataclass(slots=True)
class News:
    """What one look at the log brought: events up to ``seq``, and how the session stands."""

    events: list[StoredEvent]
    seq: int
    standing: tuple[str, str | None]
    encoded: dict[tuple[int, bool, bool], str] = field(default_factory=dict)

    @property
    def head(self) -> str:
        """The frame that says how far the log is and how the session stands."""
        status, waiting_for = self.standing
        head = {"type": "head", "seq": self.seq, "status": status, "waiting_for": waiting_for}
        return json.dumps(head)

    def frame(self, view: View) -> str | None:
        """The events of a view as one frame; each event is encoded once per kind of view."""
        texts = [self._text(event, view) for event in self.events if view.takes(event.event_type)]
        return events_frame(texts) if texts else None

    def _text(self, event: StoredEvent, view: View) -> str:
        key = (event.seq, view.bodies, view.eyes.reveal)
        if key not in self.encoded:
            self.encoded[key] = event_json(event, bodies=view.bodies, eyes=view.eyes)
        return self.encoded[key]


def look(session: int, after: int) -> News:
    """Read what a session's log has after a seq, and how the session stands."""
    head = log_store().head(session)
    events = log_store().read(session, after=after, upto=head.seq, limit=PAGE, blobs=False)
    standing = (head.state.status, head.state.waiting_for)
    return News(events, events[-1].seq if events else head.seq, standing)


class Feed:
    """The feed of one session in this process. ``seq`` is how far its followers are."""

    def __init__(self, session: SessionRef) -> None:
        self.session = session
        self.seq = session.head_seq
        self.latest = News([], self.seq, ("", None))
        self.followers: set[Follower] = set()
        self.users = 0
        self._changed = asyncio.Event()
        self._looking = asyncio.Lock()
        self._masked = MaskedStreams()
        self._listener = Listener(live.session_group(session.pk), self._woken, LOOK)
        self._said = _clock.monotonic()
        self.starting = asyncio.create_task(self._start())

    @property
    def key(self) -> int:
        """The number of the session's row."""
        return self.session.pk

    async def _start(self) -> None:
        """Subscribe, then look: what is committed from now on is not missed."""
        await self._listener.start()
        await in_thread(live.watchers().begin, self.session.pk)
        await self.refresh()

    async def stop(self) -> None:
        """Nobody watches any more."""
        await self._listener.stop()
        live.watchers().end(self.session.pk)

    async def changed(self, seconds: float) -> None:
        """Return when something came, or after so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return

    async def refresh(self) -> None:
        """Bring all followers up to the head."""
        async with self._looking:
            more = True
            while more:
                news = await in_thread(look, self.session.pk, self.seq)
                more = len(news.events) == PAGE
                if news.events or news.standing != self.latest.standing:
                    self._publish(news)

    def _publish(self, news: News) -> None:
        self.seq, self.latest = news.seq, news
        frames: dict[View, str | None] = {}
        for follower in list(self.followers):
            if follower.view not in frames:
                frames[follower.view] = news.frame(follower.view)
            follower.more(frames[follower.view], news)
        self._changed.set()
        self._changed.clear()

    async def _woken(self, payload: dict[str, Any] | None) -> None:
        if _clock.monotonic() - self._said > live.SAY:
            self._said = _clock.monotonic()
            await in_thread(live.watchers().renew, self.session.pk)
        if payload is not None and "delta" in payload:
            self._pass(payload["delta"])
        elif payload is None or payload.get("seq", 0) >= self.seq:  # how it stands may be new
            await self.refresh()

    def _pass(self, delta: dict[str, Any]) -> None:
        """Stream text for everybody who watches, masked for those who do not see personal data."""
        followers = list(self.followers)
        blurred = any(not follower.view.eyes.reveal for follower in followers)
        masked = self._masked.take(delta) if blurred else None
        frames = {True: _delta_frame(delta), False: _delta_frame(masked) if masked else None}
        for follower in followers:
            frame = frames[follower.view.eyes.reveal]
            if frame is not None:
                follower.passing(frame)


def _delta_frame(delta: dict[str, Any]) -> str:
    return json.dumps({"type": "delta", **delta}, ensure_ascii=False)


_feeds: SharedFeeds[Feed] = SharedFeeds()
leave = _feeds.leave


async def join(session: SessionRef) -> Feed:
    """The feed of a session on this loop, started; give it back with ``leave``."""
    return await _feeds.join(session.pk, lambda: Feed(session))


async def session_settled(
    *, workspace_id: str, eyes: Eyes, session_id: str, seconds: float
) -> SessionView:
    """A session as soon as nobody works on it, or as it is after so many seconds.

    No connection and no thread is held while it waits.

    Raises:
        NotFound: no such session in this workspace.
    """
    session = await in_thread(session_ref, workspace_id=workspace_id, session_id=session_id)
    feed = await join(session)
    end = _clock.monotonic() + seconds
    try:
        while True:
            view = await in_thread(
                session_get, workspace_id=workspace_id, eyes=eyes, session_id=session_id
            )
            left = end - _clock.monotonic()
            if view.status not in AT_WORK or left <= 0:
                return view
            await feed.changed(min(left, LOOK))
    finally:
        await leave(feed)
