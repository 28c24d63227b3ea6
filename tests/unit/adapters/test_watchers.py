"""Who watches is told by Redis; the loop on which sessions run never waits for it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import live

if TYPE_CHECKING:
    from collections.abc import Callable


class Redis:
    """A cache that answers when, and how, the test says."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self._answer = answer
        self.asked = 0
        self.go = threading.Event()

    def get(self, _key: str) -> Any:
        self.asked += 1
        assert self.go.wait(timeout=30)
        return self._answer()


def _away() -> Any:
    raise ConnectionError("no Redis")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]

    class Clock:
        def monotonic(self) -> float:
            return now[0]

    monkeypatch.setattr(live, "_clock", Clock())
    return now


def _settled(watchers: live.SharedWatchers) -> None:
    watchers._thread.submit(lambda: None).result(30)


@pytest.mark.usefixtures("clock")
def test_a_redis_that_hangs_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it answers nobody watches, and it is asked once."""
    monkeypatch.setattr(live, "cache", redis := Redis(lambda: 1))
    watchers = live.SharedWatchers()
    assert [watchers.watched(7) for _ in range(3)] == [False] * 3
    redis.go.set()
    _settled(watchers)
    assert watchers.watched(7)
    assert redis.asked == 1


def test_a_redis_that_is_away_is_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    monkeypatch.setattr(live, "cache", redis := Redis(_away))
    redis.go.set()
    watchers = live.SharedWatchers()
    watchers.watched(7)
    _settled(watchers)
    assert [watchers.watched(session) for session in range(100)] == [False] * 100
    _settled(watchers)
    assert redis.asked == 1
    clock[0] += live.AWAY
    watchers.watched(8)
    _settled(watchers)
    assert redis.asked == 2


def test_what_was_heard_is_asked_again_soon(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    answers: list[Any] = [None, 1]
    monkeypatch.setattr(live, "cache", redis := Redis(lambda: answers.pop(0)))
    redis.go.set()
    watchers = live.SharedWatchers()
    watchers.watched(7)
    _settled(watchers)
    clock[0] += live.BELIEVED
    assert not watchers.watched(7)
    _settled(watchers)
    assert watchers.watched(7)
