"""One `playhead up` per data folder. Holding the lock proves that a former process is dead."""

import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from playhead.core.errors import Conflict

FILE = "up.lock"


class DataLock:
    """An exclusive lock that the kernel drops with the process, however it ends."""

    def __init__(self, data: Path) -> None:
        self._path = data / FILE
        self._fd: int | None = None

    def __enter__(self) -> "DataLock":
        """Take the lock.

        Raises:
            Conflict: `data_in_use`: another process holds it.
        """
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            where = served_url(self._path.parent) or "somewhere"
            raise Conflict(
                f"Another Playhead uses {self._path.parent} already and serves {where}. "
                "Stop it first, or choose another folder (make run DATA=folder, or --data folder).",
                code="data_in_use",
            ) from None
        self._fd = fd
        return self

    def note(self, url: str) -> None:
        """Write down where this process serves, for commands that print a link."""
        if self._fd is not None:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, json.dumps({"pid": os.getpid(), "url": url}).encode(), 0)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def served_url(data: Path) -> str | None:
    """Where the Playhead of this folder serves, or last did."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return str(json.loads((data / FILE).read_text())["url"])
    return None
