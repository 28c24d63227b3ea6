"""Parallel work of one step: each piece runs until it ends or stands still, and then all do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from agents_app.engine.errors import (
    Cancelled,
    Closed,
    ControlFlow,
    Failed,
    Interrupted,
    LimitReached,
    Moved,
    Paused,
    WaitUntil,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from agents_app.engine.loop.shared import Loop

T = TypeVar("T")
#: When calls of one turn end differently, the strongest word is the turn's.
_PRECEDENCE: tuple[type[BaseException], ...] = (Failed, Cancelled, Paused, LimitReached, Closed)


async def settled(loop: Loop, working: Sequence[Coroutine[Any, Any, T]]) -> list[T | BaseException]:
    """What became of each; a failed sibling never discards a finished one."""
    if len(working) > 1 and not loop.seam.replaying:
        return await asyncio.gather(*working, return_exceptions=True)
    outcomes: list[T | BaseException] = []
    for each in working:
        try:
            outcomes.append(await each)
        except asyncio.CancelledError:
            raise
        except (ControlFlow, Exception) as outcome:
            outcomes.append(outcome)
    return outcomes


async def settle_all(loop: Loop, working: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Run parallel work below one step until each piece has ended or stands still.

    Raises:
        Interrupted, Paused, WaitUntil, Cancelled, Failed: the strongest that any of them raised.
    """
    outcomes = await settled(loop, working)
    raise_strongest(outcomes, [])
    return [each for each in outcomes if not isinstance(each, BaseException)]


def raise_strongest(outcomes: Sequence[object], points: list[Mapping[str, Any]]) -> None:
    """Raise what counts of what was raised, with all questions where nothing is stronger."""
    raised = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for error in raised:
        if isinstance(error, Moved) or not isinstance(error, ControlFlow):
            raise error
    for kind in _PRECEDENCE:
        for error in raised:
            if isinstance(error, kind):
                raise error
    asked = [error for error in raised if isinstance(error, Interrupted)]
    points = [*points, *(point for error in asked for point in error.points)]
    stopped = [error for error in raised if isinstance(error, (Interrupted, WaitUntil))]
    due = min((each.due for each in stopped if each.due is not None), default=None)
    if points:
        raise Interrupted(points, due=due)
    if due is not None:
        raise WaitUntil(due)
