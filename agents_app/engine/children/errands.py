"""What a running tool has the loop do: agents below its call, in the loop's own task.

The function waits; the loop may be entered again meanwhile and goes on with what waits. Where the
session stands still, the function is taken out, and is entered again from the top later on.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import Suspended

if TYPE_CHECKING:
    from agents_app.engine.children.child import ChildOutcome
    from agents_app.engine.spec import AgentSpec


@dataclass(eq=False, slots=True)
class Errand:
    """One agent to run; ``name`` is its slug, and from the second on its number (``clerk#2``)."""

    name: str
    spec: AgentSpec
    task: str
    info: Any
    state: Any
    done: asyncio.Future[ChildOutcome]


class Errands:
    """Those of one call. Its time stands still while it waits."""

    def __init__(self) -> None:
        self.waiting: list[Errand] = []
        self.halted = False
        self.clock: asyncio.Timeout | None = None
        self.loop = asyncio.get_running_loop()
        self._left: float | None = None
        self._news: asyncio.Future[None] = self.loop.create_future()

    async def run(
        self, name: str, spec: AgentSpec, task: str, *, info: Any, state: Any
    ) -> ChildOutcome:
        """Wait until the loop has run it.

        Raises:
            Suspended: the session stands still.
        """
        if self.halted:
            raise Suspended
        errand = Errand(name, spec, task, info, state, self.loop.create_future())
        self.waiting.append(errand)
        self._hold()
        if not self._news.done():
            self._news.set_result(None)
        try:
            return await errand.done
        finally:
            self.waiting.remove(errand)
            self._release()

    def news(self) -> asyncio.Future[None]:
        """Done when there is an errand that nobody was told of."""
        if self._news.done():
            self._news = self.loop.create_future()
        return self._news

    def halt(self) -> None:
        """Take the function out where it waits; what it makes of it counts for nothing."""
        self.halted = True
        for errand in self.waiting:
            if not errand.done.done():
                errand.done.set_exception(Suspended())

    def _hold(self) -> None:
        if self.clock is not None and len(self.waiting) == 1:
            until = self.clock.when()
            self._left = None if until is None else until - self.loop.time()
            with contextlib.suppress(RuntimeError):  # its time is over already
                self.clock.reschedule(None)

    def _release(self) -> None:
        if self.clock is not None and not self.waiting and self._left is not None:
            with contextlib.suppress(RuntimeError):
                self.clock.reschedule(self.loop.time() + self._left)
