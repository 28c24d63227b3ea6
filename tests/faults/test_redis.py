"""Redis carries wake-ups only: flushed, killed and back, it costs seconds and never an outcome."""

from __future__ import annotations

import asyncio
import threading
import time
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from readers import Reader
from scaled import until
from test_crashes import assert_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Installation
    from scaled import Command, RedisServer, Scaled

#: How many sessions of each agent.
SESSIONS = 8
#: Lines that a process may write while Redis is away (for some seconds) and comes back.
LINES = 40


@pytest.fixture
def flushing(redis_server: RedisServer) -> Iterator[list[int]]:
    """Redis forgets everything, again and again; the list grows by one each time."""
    stop, flushed = threading.Event(), [0]

    def run() -> None:
        while not stop.wait(0.05):
            redis_server.flush()
            flushed.append(len(flushed))

    thread = threading.Thread(target=run)
    thread.start()
    yield flushed
    stop.set()
    thread.join()


def start(scaled: Scaled, web: Command, agent: str, text: str = "go") -> str:
    return str(scaled.call(web, "/sessions", {"agent": agent, "input": text})["id"])


def statuses(scaled: Scaled, web: Command, sessions: list[str]) -> set[str]:
    return {scaled.call(web, f"/sessions/{name}")["status"] for name in sessions}


def approve_all(scaled: Scaled, web: Command, sessions: list[str]) -> None:
    """Wait for the question of each session, and say yes."""
    until(
        lambda: statuses(scaled, web, sessions) == {"waiting"},
        within=60,
        what="not every session asks",
    )
    for question in scaled.call(web, "/interrupts?status=pending&limit=100")["items"]:
        if question["session"] in sessions:
            answer = {"decision": "approve", "digest": question["digest"]}
            scaled.call(web, f"/interrupts/{question['id']}/decision", answer)


def finished(scaled: Scaled, web: Command, sessions: list[str]) -> None:
    until(
        lambda: statuses(scaled, web, sessions) == {"finished"},
        within=60,
        what="not every session finishes",
    )


def pk_of(session: str) -> int:
    from agents_app.models import Session

    return Session.objects.get(public_id=session).pk


def test_k55_with_redis_flushed_all_the_time_every_session_finishes(
    scaled: Scaled, installation: Installation, flushing: list[int]
) -> None:
    web, _, _ = scaled.web(), scaled.worker(), scaled.worker()
    wires = [start(scaled, web, "wire") for _ in range(SESSIONS)]
    lines = [start(scaled, web, "line") for _ in range(SESSIONS)]
    approve_all(scaled, web, wires)
    finished(scaled, web, wires + lines)

    assert len(flushing) > 5
    for session in map(pk_of, wires + lines):
        assert_whole(installation, session)
    assert [len(installation.effects("wire", pk_of(session))) for session in wires] == [
        1
    ] * SESSIONS


def test_k55_a_redis_that_dies_and_comes_back_stops_nothing(
    scaled: Scaled, installation: Installation, redis_server: RedisServer
) -> None:
    web, workers = scaled.web(), [scaled.worker(), scaled.worker()]
    wires = [start(scaled, web, "wire") for _ in range(SESSIONS)]
    talks = [start(scaled, web, "talk") for _ in range(SESSIONS)]
    until(lambda: "running" in statuses(scaled, web, talks), within=30, what="nothing runs")
    redis_server.stop()
    approve_all(scaled, web, wires)
    finished(scaled, web, wires + talks)
    late = start(scaled, web, "wire")
    assert_answers(scaled, web)
    watched = watch(scaled, web, late)
    approve_all(scaled, web, [late])
    finished(scaled, web, [late])
    assert watched.result(within=20) == scaled.call(web, f"/sessions/{late}")["head_seq"]

    redis_server.start()
    until(lambda: woken(scaled, web, redis_server), within=30, what="nobody is woken again")
    for command in (web, *workers):
        assert command.process.poll() is None
        assert len(command.errors.splitlines()) < LINES, command.errors
    for session in map(pk_of, [*wires, *talks, late]):
        assert_whole(installation, session)


def assert_answers(scaled: Scaled, web: Command) -> None:
    """Pages are served soon."""
    for path in ("/me", "/sessions", "/interrupts", "/agents"):
        asked = time.monotonic()
        scaled.call(web, path)
        assert time.monotonic() - asked < 5, path


class Watched:
    """A reader in a thread of its own."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._thread = threading.Thread(target=lambda: asyncio.run(reader.run()), daemon=True)
        self._thread.start()

    def result(self, *, within: float) -> int:
        """The last seq it has seen, once the session has ended."""
        self._thread.join(within)
        assert self._reader.ended, f"it saw {self._reader.after} events: {self._reader.codes}"
        assert not self._reader.wrong, self._reader.wrong
        return self._reader.after


def watch(scaled: Scaled, web: Command, session: str) -> Watched:
    return Watched(Reader([web.url], scaled.key, session, [], Random(1)))


def woken(scaled: Scaled, web: Command, redis_server: RedisServer) -> Any:
    """Whether wake-ups are heard again: somebody listens, and a job gets through."""
    session = start(scaled, web, "line")
    watched = watch(scaled, web, session)
    watched.result(within=30)
    return redis_server.count("subscribe") and redis_server.count("publish")
