"""What a server writes to its standard error: into the log, no more than a reader can want."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING, Self

from playhead.core.clock import SystemClock
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

logger = logging.getLogger("playhead.mcp")
#: Lines a minute, and characters of one.
LINES, LONGEST = 60, 400


class Stderr:
    """A pipe whose lines are logged as long as a process holds its other end."""

    def __init__(self, name: str, masked: Callable[[str], str]) -> None:
        self._name, self._masked = name, masked
        self._clock = SystemClock()
        self._since, self._count = self._clock.monotonic(), 0
        self._last = b""

    @property
    def last(self) -> str:
        """What it said last."""
        return self._shown(self._last)

    def __enter__(self) -> Self:
        self._read, write = os.pipe()
        self.file: TextIO = os.fdopen(write, "w")
        self._thread = threading.Thread(target=self._listen, name=f"mcp-{self._name}", daemon=True)
        self._thread.start()
        return self

    def handed_over(self) -> None:
        """The process has its end: ours is closed, so that its death can be heard."""
        self.file.close()

    def __exit__(self, *_: object) -> None:
        """Every process has ended: what it said is read to its end, if that takes no time."""
        self.file.close()
        self._thread.join(0.2)

    def _listen(self) -> None:
        rest = b""
        with os.fdopen(self._read, "rb", buffering=0) as pipe:
            while data := pipe.read(65_536):
                *lines, rest = (rest + data).split(b"\n")
                rest = rest[: 4 * LONGEST]  # what is shown is the beginning, where no secret is cut
                for line in lines:
                    self._line(line)
            self._line(rest)

    def _line(self, line: bytes) -> None:
        if not line.strip():
            return
        self._last = line
        now = self._clock.monotonic()
        if now - self._since >= 60:
            self._since, self._count = now, 0
        self._count += 1
        if self._count <= LINES:
            logger.info("MCP server %s: %s", self._name, self._shown(line))
        elif self._count == LINES + 1:
            logger.info("MCP server %s writes more than %d lines a minute", self._name, LINES)

    def _shown(self, line: bytes) -> str:
        """A line without secrets: those of the settings, and what else looks like one."""
        text = self._masked(line.decode("utf-8", "replace").strip())
        return str(withhold(text))[:LONGEST]
