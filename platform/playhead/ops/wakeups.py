"""Hearing jobs from the broker inside a worker process.

Celery's own worker runs in a thread; its tasks hand an id to the session loop and are done, so a
few threads serve any number of sessions.
"""

import logging
import threading
from importlib import import_module
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)


class BrokerListener:
    """Celery's consumer in a thread of this process. When it fails, sweeps carry the work."""

    def __init__(self) -> None:
        self._controller: Any = None
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; what was handed on is the loop's. Blocks for a few seconds at most."""
        if self._controller is not None:
            self._controller.stop()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        try:
            app = import_module(settings.PLAYHEAD_BROKER_APP).app
            self._controller = app.WorkController(
                pool_cls="threads",
                concurrency=4,
                without_heartbeat=True,
                without_mingle=True,
                without_gossip=True,
                loglevel="WARNING",
            )
            self._controller.start()
        except Exception:
            logger.exception("The broker listener ended; sweeps carry the work")
