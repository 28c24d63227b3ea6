"""The time between two tries: it grows up to a bound, and not all sessions try at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from agents_app.engine.loop.hooks import current

Seconds = Annotated[float, Field(ge=0, le=300)]
Factor = Annotated[float, Field(ge=1, le=10)]


@dataclass(frozen=True, slots=True)
class Backoff:
    """``initial`` seconds before the first retry, ``factor`` times as long before each next one.

    With ``jitter`` it is between half of that and all of it, as the session's seed says.
    """

    initial: float
    factor: float
    longest: float
    jitter: bool

    async def wait(self, retry: int) -> None:
        """Let the time before a retry pass, counted from 0."""
        seconds = min(self.initial * self.factor**retry, self.longest)
        if self.jitter:
            seconds *= 0.5 + current().chance(retry) / 2
        await current().sleep(seconds)
