"""The rows that all memories of the platform share: a text is kept once, however it is found."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from django.db import close_old_connections
from django.db.models.functions import Now

from agents_app.engine.memory import checked_key
from agents_app.engine.words import words_of
from agents_app.models import Memory
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.db.models import QuerySet

    from agents_app.engine.ports import Space


class MemoryRows:
    """Writes and forgets rows; each call in a thread, so that no loop waits for the database."""

    async def keep(self, space: Space, key: str, text: str, vector: bytes | None) -> None:
        """Insert or replace the row in one statement: of two writers the later one stays."""
        text = str(sanitise(text)[0])
        row = Memory(
            workspace_id=space.workspace, space=space.name, key=checked_key(key), text=text,
            terms=" ".join(map(term_of, words_of(text))), vector=vector, updated_at=Now(),
        )  # fmt: skip
        await in_thread(
            lambda: Memory.objects.bulk_create(
                [row],
                update_conflicts=True,
                unique_fields=["workspace", "space", "key"],
                update_fields=["text", "terms", "vector", "updated_at"],
            )
        )

    async def forget(self, space: Space, key: str) -> bool:
        """Remove a row; whether there was one."""
        deleted, _ = await in_thread(lambda: rows_of(space).filter(key=key).delete())
        return bool(deleted)


def rows_of(space: Space) -> QuerySet[Memory]:
    """The rows of a space, the newest first."""
    found = Memory.objects.filter(workspace_id=space.workspace, space=space.name)
    return found.order_by("-updated_at", "-id")


def term_of(word: str) -> str:
    """A word in letters that both databases take for one word, whatever writing it is of."""
    return f"w{word}" if word.isascii() else f"u{word.encode().hex()}"


def terms_of(words: Iterable[str]) -> list[str]:
    """The different terms of words, in order."""
    return list(dict.fromkeys(map(term_of, words)))


async def in_thread(work: Callable[[], Any]) -> Any:
    """Run blocking work in a thread that nobody else closes connections for."""

    def run() -> Any:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.to_thread(run)
