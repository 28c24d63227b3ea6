"""The conformance suite of memories: what a ``MemoryPort`` must do.

Subclass ``MemoryConformance`` in a test module and say in ``make_memory`` which one is tried, and
in ``workspaces`` two that it may write to. The tests are coroutines (``asyncio_mode = "auto"``).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from agents_app.engine.ports import Space
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from agents_app.engine.ports import MemoryPort

TEXTS = {
    "a": "Ann Smith prefers to be paid back by bank transfer.",
    "b": "The parcel of order A-1043 was lost twice on its way to Oslo.",
    "c": "订单一〇四三的客户要求退款到银行卡。",
    "d": "Größe und Änderung: die Lieferung nach München kam spät.",
}


class MemoryConformance:
    """Every demand on a memory."""

    def make_memory(self) -> MemoryPort:
        """A memory; called once or twice a test, each time for the same place."""
        raise NotImplementedError

    @pytest.fixture
    def memory(self) -> MemoryPort:
        """The memory that is tried."""
        return self.make_memory()

    @pytest.fixture
    def workspaces(self) -> tuple[str, str]:
        """Two workspaces in which nothing is remembered yet."""
        return ("ws_one", "ws_two")

    @pytest.fixture
    def space(self, workspaces: tuple[str, str]) -> Space:
        """A room of the first workspace."""
        return Space(workspaces[0], "agent:desk")

    async def filled(self, memory: MemoryPort, space: Space) -> None:
        """Keep all texts."""
        for key, text in TEXTS.items():
            await memory.write(space, key, text)

    @pytest.mark.parametrize(
        ("query", "key"),
        [
            ("How does Ann Smith want her money?", "a"),
            ("lost parcels", "b"),
            ("客户要退款", "c"),
            ("银行卡", "c"),
            ("änderung größe", "d"),
            ("ORDER a-1043", "b"),
        ],
    )
    async def test_what_fits_comes_first(
        self, memory: MemoryPort, space: Space, query: str, key: str
    ) -> None:
        await self.filled(memory, space)
        found = await memory.search(space, query, limit=3)
        assert found[0].key == key
        assert found[0].text == TEXTS[key]
        assert 0 < found[0].score <= 1.001

    async def test_what_has_nothing_in_common_is_not_found(
        self, memory: MemoryPort, space: Space
    ) -> None:
        await memory.write(space, "a", "Bananas.")
        assert await memory.search(space, "quarterly budget", limit=3) == []

    async def test_no_more_than_asked_for_the_best_first(
        self, memory: MemoryPort, space: Space
    ) -> None:
        for n in range(6):
            await memory.write(space, f"k{n}", f"shipping note number{n}")
        await memory.write(space, "best", "shipping to Oslo by air")
        found = await memory.search(space, "shipping to Oslo by air", limit=4)
        assert [each.key for each in found][:1] == ["best"]
        assert len(found) == 4
        assert [e.score for e in found] == sorted((e.score for e in found), reverse=True)

    async def test_the_same_key_again_replaces(self, memory: MemoryPort, space: Space) -> None:
        await memory.write(space, "k", "The colour is green.")
        await memory.write(space, "k", "The colour is green.")
        await memory.write(space, "k", "The colour is blue.")
        found = await memory.search(space, "colour", limit=5)
        assert [each.text for each in found] == ["The colour is blue."]
        assert await memory.search(space, "green", limit=5) == []

    async def test_writers_at_once_of_one_key_leave_one_text(
        self, memory: MemoryPort, space: Space
    ) -> None:
        await asyncio.gather(*(memory.write(space, "k", "colour") for _ in range(8)))
        assert len(await memory.search(space, "colour", limit=5)) == 1

    async def test_rooms_and_workspaces_are_kept_apart(
        self, memory: MemoryPort, workspaces: tuple[str, str]
    ) -> None:
        spaces = [
            Space(workspace, name)
            for workspace in workspaces
            for name in ("agent:desk", "agent:desk;user:u1", "agent:des", "workspace")
        ]
        for number, space in enumerate(spaces):
            await memory.write(space, "k", f"colour number{number}")
        for number, space in enumerate(spaces):
            found = await memory.search(space, "colour", limit=9)
            assert [each.text for each in found] == [f"colour number{number}"]

    async def test_no_words_find_the_newest(self, memory: MemoryPort, space: Space) -> None:
        for n in range(4):
            await memory.write(space, f"k{n}", f"note {n}")
        assert [each.key for each in await memory.search(space, "", limit=2)] == ["k3", "k2"]

    async def test_what_is_forgotten_is_gone(self, memory: MemoryPort, space: Space) -> None:
        await self.filled(memory, space)
        assert await memory.forget(space, "b") is True
        assert await memory.forget(space, "b") is False
        found = await memory.search(space, "parcel order", limit=5)
        assert "b" not in [each.key for each in found]

    async def test_another_memory_of_the_same_place_finds_it(
        self, memory: MemoryPort, space: Space
    ) -> None:
        await self.filled(memory, space)
        found = await self.make_memory().search(space, "parcel", limit=1)
        assert [each.key for each in found] == ["b"]

    @pytest.mark.parametrize(
        "query", ['"', "a AND (", "'; DROP TABLE", "-x* NEAR", "\x00 \ud800", "%s {0}", "x" * 9000]
    )
    async def test_a_query_is_text_whatever_stands_in_it(
        self, memory: MemoryPort, space: Space, query: str
    ) -> None:
        await self.filled(memory, space)
        assert isinstance(await memory.search(space, query, limit=3), list)

    async def test_a_text_is_kept_whatever_stands_in_it(
        self, memory: MemoryPort, space: Space
    ) -> None:
        text = 'He said: "100%"; DROP TABLE x -- {braces} 🚀 colour'
        await memory.write(space, "k", text)
        (found,) = await memory.search(space, "colour braces", limit=1)
        assert found.text == text

    @pytest.mark.parametrize("key", ["", "x" * 201, "a\x00b"])
    async def test_a_key_that_not_every_place_can_hold_is_refused(
        self, memory: MemoryPort, space: Space, key: str
    ) -> None:
        with pytest.raises(InvalidInput, match="key"):
            await memory.write(space, key, "text")
