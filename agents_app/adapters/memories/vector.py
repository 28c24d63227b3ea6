"""The memory by likeness: texts whose vectors point the same way, compared one by one."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from agents_app.adapters.memories.embedding import Embed, cosine, hashed_words, unit
from agents_app.adapters.memories.rows import MemoryRows, in_thread, rows_of
from agents_app.engine.ports import Remembered

if TYPE_CHECKING:
    from agents_app.engine.ports import Space

#: So many of the newest texts of a space are compared: about 30 ms at 256 numbers each.
_COMPARED = 2000
#: Below this, two texts have nothing to do with one another.
_ALIKE = 0.1


class VectorMemory(MemoryRows):
    """Finds texts that are like the query.

    Args:
        embed: texts to vectors; by default by the words' letters, without a model.
        alike: what is less alike than this (0 to 1) is not found.
    """

    def __init__(self, embed: Embed = hashed_words, *, alike: float = _ALIKE) -> None:
        self.embed, self.alike = embed, alike

    async def write(self, space: Space, key: str, text: str) -> None:
        """Keep a text and its vector under a key; the same key again replaces it."""
        (vector,) = await self.embed([text])
        await self.keep(space, key, text, unit(vector).tobytes())

    async def search(self, space: Space, query: str, *, limit: int) -> list[Remembered]:
        """What is like the query, the best first; an empty query: the newest."""
        if not query.strip():
            return list(await in_thread(lambda: _newest(space, limit)))
        (vector,) = await self.embed([query])
        wanted = unit(vector)
        return list(await in_thread(lambda: self._alike(space, wanted, limit)))

    def _alike(self, space: Space, wanted: array[float], limit: int) -> list[Remembered]:
        rows = rows_of(space).filter(vector__isnull=False)
        scored = [
            Remembered(key, text, cosine(wanted, array("f", bytes(vector or b""))))
            for key, text, vector in rows.values_list("key", "text", "vector")[:_COMPARED]
        ]
        found = [each for each in scored if each.score >= self.alike]
        return sorted(found, key=lambda each: -each.score)[:limit]


def _newest(space: Space, limit: int) -> list[Remembered]:
    rows = rows_of(space).values_list("key", "text")[:limit]
    return [Remembered(key, text, 0.0) for key, text in rows]
