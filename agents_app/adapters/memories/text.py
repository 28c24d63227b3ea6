"""The memory by words: full-text search of the database finds, words in common rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from agents_app.adapters.memories.rows import MemoryRows, in_thread, rows_of, terms_of
from agents_app.engine.memory import fitting
from agents_app.engine.words import words_of

if TYPE_CHECKING:
    from agents_app.engine.ports import Remembered, Space

#: A longer query is looked for by its first words.
_WORDS = 48
#: So many times the limit are found before they are ranked.
_ROOM = 8

_SQLITE = """
    SELECT m.id FROM agents_memory_words w JOIN agents_memory m ON m.id = w.rowid
    WHERE w.terms MATCH %s AND m.workspace_id = %s AND m.space = %s
    ORDER BY bm25(agents_memory_words), m.id DESC LIMIT %s
"""
_POSTGRES = """
    SELECT id FROM agents_memory, to_tsquery('simple', %s) query
    WHERE to_tsvector('simple', terms) @@ query AND workspace_id = %s AND space = %s
    ORDER BY ts_rank(to_tsvector('simple', terms), query) DESC, id DESC LIMIT %s
"""


class TextMemory(MemoryRows):
    """Finds texts that share words with the query, Chinese by pairs of characters."""

    async def write(self, space: Space, key: str, text: str) -> None:
        """Keep a text under a key; the same key again replaces it."""
        await self.keep(space, key, text, None)

    async def search(self, space: Space, query: str, *, limit: int) -> list[Remembered]:
        """What shares words with the query, the best first; no words: the newest."""
        return list(await in_thread(lambda: _search(space, query, limit)))


def _search(space: Space, query: str, limit: int) -> list[Remembered]:
    rows = rows_of(space)
    terms = terms_of(words_of(query))[:_WORDS]
    room = limit * _ROOM
    rows = rows.filter(pk__in=_candidates(space, terms, room)) if terms else rows[:limit]
    return fitting(query, rows.values_list("key", "text"), limit=limit)


def _candidates(space: Space, terms: list[str], limit: int) -> list[int]:
    if connection.vendor == "sqlite":
        statement, query = _SQLITE, " OR ".join(f'"{term}"' for term in terms)
    else:
        statement, query = _POSTGRES, " | ".join(terms)
    with connection.cursor() as cursor:
        cursor.execute(statement, [query, space.workspace, space.name, limit])
        return [row[0] for row in cursor.fetchall()]
