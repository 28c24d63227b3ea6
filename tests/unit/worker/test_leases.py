"""What the keeper of leases makes of the database's answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from agents_app.worker import leases
from agents_app.worker.leases import MARGIN, LeaseKeeper

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TTL = 15.0


class Store:
    """Answers a renewal as the test says, when it says."""

    def __init__(self) -> None:
        self.answer: dict[int, int | None] = {}
        self.meanwhile: Callable[[], None] = lambda: None

    def renew(self, **_: Any) -> dict[int, int | None]:
        self.meanwhile()
        return self.answer


class Desk:
    """A keeper whose thread is the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(leases, "_clock", self)
        self.store = Store()
        self.held = {1: 4, 2: 7}
        self.lost: list[Mapping[int, int]] = []
        self.renewed: list[Mapping[int, int]] = []
        self.keeper = LeaseKeeper(
            store=cast("Any", self.store), owner="me", held=lambda: dict(self.held),
            renewed=self.renewed.append, lost=self.lost.append, ttl=TTL,
        )  # fmt: skip
        self.keeper._loop = asyncio.get_running_loop()
        for session in self.held:
            self.keeper.claimed(session)

    def monotonic(self) -> float:
        return self.now

    async def look(self) -> None:
        """One turn of the keeper's thread."""
        self.keeper._check()
        self.keeper._renew()
        await asyncio.sleep(0)


@pytest.fixture
async def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


async def test_a_locked_session_is_neither_renewed_nor_lost(desk: Desk) -> None:
    desk.store.answer = {1: 20, 2: None}
    desk.now += 6
    await desk.look()
    assert (desk.renewed, desk.lost) == ([{1: 20}], [])
    desk.now += TTL * (1 - MARGIN) - 5
    await desk.look()
    assert desk.lost == [{2: 7}]


async def test_a_session_that_was_claimed_during_a_renewal_is_not_forgotten(desk: Desk) -> None:
    """Its lease counts from its claim, and ends by itself when nothing renews it."""

    def claim() -> None:
        desk.held[3] = 1
        desk.keeper.claimed(3)

    desk.store.answer, desk.store.meanwhile = {1: 20, 2: 30}, claim
    desk.now += 6
    await desk.look()
    desk.store.meanwhile = lambda: None
    desk.now += TTL * (1 - MARGIN) + 0.1
    desk.store.answer = {}
    desk.keeper._check()
    await asyncio.sleep(0)
    assert desk.lost == [{1: 4, 2: 7, 3: 1}]


async def test_a_session_that_is_not_in_the_answer_is_lost_in_its_epoch(desk: Desk) -> None:
    desk.store.answer = {1: 20}
    desk.now += 6
    await desk.look()
    assert desk.lost == [{2: 7}]
