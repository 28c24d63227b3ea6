"""Two ways to carry a job: Celery between processes, and this process itself."""

import asyncio
import logging
import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from typing import Protocol

from django.conf import settings

from playhead.core.clock import SystemClock
from playhead.jobs import registry

logger = logging.getLogger(__name__)
_clock = SystemClock()

# After a broker did not answer, how long we don't ask it again (seconds).
BROKER_REST = 5.0
MOST_WAITING = 1_000


class JobsPort(Protocol):
    """Carries a job to whoever runs it, or loses it."""

    def send(self, name: str, ids: registry.Ids) -> None:
        """Never raises and never blocks for long."""
        ...


class CeleryJobs:
    """Jobs through the broker, sent by a thread of its own: a commit never waits for a broker.

    The app is set up by the composition root.
    """

    def __init__(self) -> None:
        self._waiting: queue.Queue[tuple[str, registry.Ids]] = queue.Queue(MOST_WAITING)
        self._lock = threading.Lock()
        self._sender: threading.Thread | None = None

    def send(self, name: str, ids: registry.Ids) -> None:
        """Leave the job to the sender; when it is far behind, drop it."""
        with suppress(queue.Full):
            self._waiting.put_nowait((name, ids))
        with self._lock:
            if self._sender is None:
                self._sender = threading.Thread(target=self._run, name="jobs", daemon=True)
                self._sender.start()

    def _run(self) -> None:
        silent_until = 0.0
        while True:
            name, ids = self._waiting.get()
            if _clock.monotonic() >= silent_until and not self._publish(name, ids):
                silent_until = _clock.monotonic() + BROKER_REST

    def _publish(self, name: str, ids: registry.Ids) -> bool:
        try:
            # by name: it stands above, and it is slow to import and not needed embedded
            app = import_module(settings.PLAYHEAD_BROKER_APP).app
            app.send_task(name, kwargs=dict(ids), retry=False, ignore_result=True)
        except Exception as error:  # whatever it is, nobody waits for a job
            logger.warning("The broker does not answer; sweeps carry the work: %s", error)
            return False
        return True


class InProcessJobs:
    """Jobs in threads of this process, and the periodic ones on a timer of its loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, *, threads: int = 4) -> None:
        self._loop = loop
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="job")
        self._timers: set[asyncio.Task[None]] = set()

    def send(self, name: str, ids: registry.Ids) -> None:
        """Run the job soon; after `close`, drop it."""
        try:
            self._threads.submit(registry.run, name, ids)
        except RuntimeError:
            logger.debug("A job came while stopping and was dropped: %s", name)

    def start_timers(self) -> None:
        """Start what runs by itself. On the loop."""
        for known in registry.jobs():
            if known.every is not None:
                task = self._loop.create_task(self._tick(known.name, known.every))
                self._timers.add(task)

    async def _tick(self, name: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            self.send(name, {})

    def close(self) -> None:
        """Stop the timers and take no more jobs; what runs, runs out. On the loop."""
        for task in self._timers:
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)


class NoJobs:
    """Carries nothing: a command without a worker, or wake-ups switched off."""

    def send(self, name: str, ids: registry.Ids) -> None:
        """Dropped; a sweep finds the work."""


_current: JobsPort | None = None


def use(port: JobsPort | None) -> None:
    """Carry jobs with this port from now on; None chooses by the settings again."""
    global _current  # noqa: PLW0603 - one per process is the point
    _current = port


def current() -> JobsPort:
    """The port in use, chosen by the settings unless somebody chose."""
    if not settings.PLAYHEAD_WAKEUPS:
        return NoJobs()
    if _current is None:
        use(CeleryJobs() if settings.REDIS_URL else NoJobs())
    return _current or NoJobs()
