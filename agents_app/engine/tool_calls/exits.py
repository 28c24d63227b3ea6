"""An exit in a task that a tool started: the event loop would raise it and end the process."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any

from agents_app.engine.errors import ToolError

_inside: ContextVar[bool] = ContextVar("inside_a_tool", default=False)


def tried_to_exit(error: BaseException) -> ToolError:
    """The error that an exit of a tool is."""
    return ToolError(f"it tried to end the process ({type(error).__name__}: {error})")


def guard_tasks() -> None:
    """From here on, tasks that the running code starts turn an exit into an error of theirs."""
    loop = asyncio.get_running_loop()
    if loop.get_task_factory() is None:
        loop.set_task_factory(_task)
    _inside.set(True)


def _task(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
    guarded = _Guarded(coro) if _inside.get() else coro
    return asyncio.Task(guarded, loop=loop, **options)


class _Guarded(Coroutine[Any, Any, Any]):
    """A coroutine as it is, but for its exits."""

    def __init__(self, inner: Coroutine[Any, Any, Any]) -> None:
        self._inner = inner
        self.__name__ = getattr(inner, "__name__", type(inner).__name__)
        self.__qualname__ = getattr(inner, "__qualname__", self.__name__)

    def __await__(self) -> Any:
        return self._inner.__await__()

    def send(self, value: Any) -> Any:
        try:
            return self._inner.send(value)
        except (SystemExit, KeyboardInterrupt) as error:
            raise tried_to_exit(error) from error

    def throw(self, *given: Any) -> Any:
        try:
            return self._inner.throw(*given)
        except (SystemExit, KeyboardInterrupt) as error:
            raise tried_to_exit(error) from error

    def close(self) -> None:
        self._inner.close()
