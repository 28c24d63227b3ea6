"""Telling those who watch: wake-ups after commit, and passing stream text while somebody looks.

All of it may be lost, doubled or late: a socket reads the log, a worker sweeps. What is sent:
``session.<pk>`` gets ``{"seq"}`` or ``{"delta"}``, ``workspace.<id>`` gets ``{"session", "seq"}``.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from django.conf import settings
from django.core.cache import cache

from playhead.core.clock import SystemClock
from playhead.realtime.publish import tell
from playhead.realtime.publish import wake as wake_group

logger = logging.getLogger(__name__)
_clock = SystemClock()
#: How long stream text is gathered before it is sent (seconds): at most 20 frames a second.
FRAME = 0.05
#: A watcher of another process counts this long after it was last heard of, and says so this often.
HEARD = 15.0
SAY = 5.0
#: How long a worker believes what it has read about watchers.
BELIEVED = 0.5
#: How long it asks nobody after a Redis that did not answer.
AWAY = 5.0


def session_group(session: int) -> str:
    """The group of everybody who follows one session (by the number of its row)."""
    return f"session.{session}"


def workspace_group(workspace_id: str) -> str:
    """The group of everybody who follows a workspace."""
    return f"workspace.{workspace_id}"


def committed(*, session: int, workspace_id: str, seq: int) -> None:
    """Say at once that a session's log has grown to ``seq``: it is committed. From any thread."""
    tell(
        {
            session_group(session): {"seq": seq},
            workspace_group(workspace_id): {"session": session, "seq": seq},
        }
    )


def wake(*, session: int, workspace_id: str, seq: int) -> None:
    """Say that a session's log has grown to ``seq``, as soon as that is committed."""
    wake_group(session_group(session), {"seq": seq})
    wake_group(workspace_group(workspace_id), {"session": session, "seq": seq})


class Watchers(Protocol):
    """Who watches which session."""

    def begin(self, session: int) -> None:
        """One more watches."""
        ...

    def renew(self, session: int) -> None:
        """Somebody still does; said every ``SAY`` seconds."""
        ...

    def end(self, session: int) -> None:
        """One less watches."""
        ...

    def watched(self, session: int) -> bool:
        """Whether anybody does, as far as is known here."""
        ...


class LocalWatchers:
    """Watchers of this process: everything is in one."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def begin(self, session: int) -> None:
        self._counts[session] += 1

    def renew(self, session: int) -> None:
        """Nothing lapses here."""

    def end(self, session: int) -> None:
        self._counts[session] -= 1
        if self._counts[session] <= 0:
            del self._counts[session]

    def watched(self, session: int) -> bool:
        return session in self._counts


class SharedWatchers:
    """Watchers of all processes, as keys in Redis that lapse by themselves.

    A Redis that is away means that nobody is known to watch: text that passes is not kept anyway.
    Whether somebody does is asked in a thread: the loop on which sessions run waits for no Redis.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, bool]] = {}
        self._asking: set[int] = set()
        self._away_until = 0.0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="watchers")

    def begin(self, session: int) -> None:
        self.renew(session)

    def renew(self, session: int) -> None:
        try:
            cache.set(f"watch.{session}", 1, timeout=HEARD)
        except Exception as error:  # each client library has errors of its own
            logger.info("Watching can't be said: %s", error)

    def end(self, session: int) -> None:
        """The key lapses: another process may watch too."""

    def watched(self, session: int) -> bool:
        at, known = self._known.get(session, (-BELIEVED, False))
        now = _clock.monotonic()
        if now - at >= BELIEVED and session not in self._asking and now >= self._away_until:
            self._asking.add(session)
            self._thread.submit(self._ask, session)
        return known and now >= self._away_until

    def _ask(self, session: int) -> None:
        try:
            known = cache.get(f"watch.{session}") is not None
        except Exception as error:
            logger.info("Who watches is not known: %s", error)
            known, self._away_until = False, _clock.monotonic() + AWAY
        if len(self._known) > 10_000:
            self._known.clear()
        self._known[session] = (_clock.monotonic(), known)
        self._asking.discard(session)


_watchers: Watchers | None = None


def watchers() -> Watchers:
    """The watchers of this installation: shared where there is a Redis."""
    global _watchers  # noqa: PLW0603 - one per process is the point
    if _watchers is None:
        _watchers = SharedWatchers() if settings.REDIS_URL else LocalWatchers()
    return _watchers


class Deltas:
    """The engine's ``Live`` port of one session: gathers text and sends it while somebody watches.

    Used on the loop that it is called on. ``at`` is the place of the text in its part, so a reader
    who came late or lost a piece can tell.
    """

    __slots__ = ("_pieces", "_session", "_timer")

    def __init__(self, session: int) -> None:
        self._session = session
        self._pieces: dict[tuple[int, int, str], tuple[int, list[str]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.watched()  # asked now, it is known when the first piece comes

    def watched(self) -> bool:
        """Whether anybody watches the session."""
        return watchers().watched(self._session)

    def delta(self, *, request: int, attempt: int, part: str, at: int, text: str) -> None:
        """Send a piece soon, together with what comes right after it."""
        key = (request, attempt, part)
        start, texts = self._pieces.get(key, (at, []))
        if start + sum(map(len, texts)) != at:
            self._send(key)
            start, texts = at, []
        texts.append(text)
        self._pieces[key] = (start, texts)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FRAME, self.flush)

    def flush(self) -> None:
        """Send now what has been gathered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for key in list(self._pieces):
            self._send(key)

    def _send(self, key: tuple[int, int, str]) -> None:
        start, texts = self._pieces.pop(key, (0, []))
        if texts and self.watched():
            request, attempt, part = key
            frame: dict[str, Any] = {"request": request, "attempt": attempt, "part": part}
            frame |= {"at": start, "text": "".join(texts)}
            tell({session_group(self._session): {"delta": frame}})
