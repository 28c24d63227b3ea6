"""Wraps of a run: they look on at a stretch of work, and change nothing about it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from agents_app.engine.actor import name_of
from agents_app.engine.errors import is_control
from agents_app.engine.loop.current import Current
from agents_app.engine.loop.hooks import Handler, implementing, nested

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.spec import Outcome

logger = logging.getLogger(__name__)


class _Work:
    """The work itself, once, whoever asks for it and however often."""

    def __init__(self, work: Callable[[], Awaitable[Outcome]]) -> None:
        self._work = work
        self._begun, self._over = asyncio.Event(), asyncio.Event()
        self.became: Outcome | BaseException | None = None

    @property
    def runs_on(self) -> bool:
        """Whether it was begun, somewhere, and has not ended."""
        return self._begun.is_set() and not self._over.is_set()

    async def __call__(self, _: Any = None) -> Outcome:
        if self._begun.is_set():
            await self._over.wait()
        else:
            self._begun.set()
            try:
                self.became = await self._work()
            except BaseException as error:
                self.became = error
            self._over.set()
        if isinstance(self.became, BaseException):
            raise self.became
        if self.became is None:
            raise AssertionError("work that is over became something")
        return self.became


def around_run(
    loop: Loop, activation: Activation, run: Callable[[], Awaitable[Outcome]]
) -> Awaitable[Outcome]:
    """The outcome of a stretch of work on a run, inside the wraps of its middlewares."""
    wraps = () if loop.seam.replaying else implementing(activation, "wrap_run")
    return _wrapped(loop, activation, wraps, _Work(run)) if wraps else run()


async def _wrapped(loop: Loop, activation: Activation, wraps: Any, work: _Work) -> Outcome:
    try:
        await _look_on(loop, activation, wraps, work)
        return await work()
    except asyncio.CancelledError:
        if work.runs_on:  # in a task that a wrap made, and that nobody can stop
            loop.seam.abandon()
        raise


async def _look_on(loop: Loop, activation: Activation, wraps: Any, work: _Work) -> None:
    handler: Handler = work
    for middleware in reversed(wraps):
        here = Current(loop, activation, name_of(middleware), activation.scope, wrapping=True)
        handler = nested(here, _of_run(middleware), handler)
    try:
        await handler(None)
    except BaseException as error:
        if work.became is None and is_control(error):
            raise
        if work.became is not error:
            logger.warning("A wrap of a run failed: %s: %s", type(error).__name__, error)


def _of_run(middleware: Any) -> Any:
    """A wrap of a run as a wrap of anything: what it hands on is a function without arguments."""

    async def wrap(_: Any, inner: Handler) -> Any:
        return await middleware.wrap_run(lambda: inner(None))

    return wrap
