"""Every memory that ships keeps every demand of the suite, and a forgetful one is caught by it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.memories.text import TextMemory
from agents_app.adapters.memories.vector import VectorMemory
from agents_app.engine.memory import MemoryInProcess
from agents_app.engine.ports import Space
from agents_app.testing.memory_store import MemoryConformance
from playhead.accounts.models import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.ports import MemoryPort, Remembered

IN_PROCESS = MemoryInProcess()


class TestInProcess(MemoryConformance):
    """The one of this process."""

    @pytest.fixture(autouse=True)
    def _fresh(self) -> None:
        IN_PROCESS._kept.clear()

    def make_memory(self) -> MemoryPort:
        return IN_PROCESS


@pytest.mark.django_db(transaction=True)
class InTheDatabase(MemoryConformance):
    """SQLite without DATABASE_URL, else PostgreSQL."""

    @pytest.fixture
    def workspaces(self, db: None) -> tuple[str, str]:
        rows = [Workspace.objects.create(name=name) for name in ("One", "Two")]
        return str(rows[0].pk), str(rows[1].pk)


class TestByWords(InTheDatabase):
    """Full-text search."""

    def make_memory(self) -> MemoryPort:
        return TextMemory()


class TestByLikeness(InTheDatabase):
    """Vectors by letters."""

    def make_memory(self) -> MemoryPort:
        return VectorMemory()

    async def test_a_word_is_found_by_a_part_of_it(self, memory: MemoryPort, space: Space) -> None:
        await memory.write(space, "k", "reimbursement")
        assert await memory.search(space, "reimbursements were", limit=1)

    async def test_an_embedding_is_given(self, space: Space) -> None:
        """A model that knows that dogs are animals; no words in common."""

        async def embed(texts: Sequence[str]) -> list[list[float]]:
            return [[1.0, 0.2] if ("dog" in t or "animal" in t) else [0.0, 1.0] for t in texts]

        memory = VectorMemory(embed, alike=0.5)
        await memory.write(space, "a", "a dog")
        await memory.write(space, "b", "a stone")
        found = await memory.search(space, "which animal?", limit=5)
        assert [each.key for each in found] == ["a"]

    async def test_vectors_of_another_embedding_are_passed_over(self, space: Space) -> None:
        async def other(texts: Sequence[str]) -> list[list[float]]:
            return [[1.0, 1.0, 1.0] for _ in texts]

        await VectorMemory(other).write(space, "a", "a dog")
        assert await VectorMemory().search(space, "a dog", limit=5) == []


class Leaky(MemoryInProcess):
    """Looks into every room."""

    async def search(self, space: Space, query: str, *, limit: int) -> list[Remembered]:
        found = [await super(Leaky, self).search(s, query, limit=limit) for s in self._kept]
        return [each for some in found for each in some][:limit]


async def test_a_memory_that_tells_other_rooms_is_caught() -> None:
    with pytest.raises(AssertionError):
        await MemoryConformance().test_rooms_and_workspaces_are_kept_apart(Leaky(), ("a", "b"))


@pytest.mark.django_db(transaction=True)
def test_a_workspace_that_goes_takes_what_was_remembered_with_it() -> None:
    row = Workspace.objects.create(name="One")
    space = Space(str(row.pk), "agent:desk")
    asyncio.run(TextMemory().write(space, "k", "colour"))
    row.delete()
    assert asyncio.run(TextMemory().search(space, "colour", limit=1)) == []
