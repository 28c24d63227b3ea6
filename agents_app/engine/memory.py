"""Memories by name, how well a text fits a query, and a memory in this process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents_app.engine.loop.checked import kind
from agents_app.engine.ports import MemoryPort, Remembered, Space
from agents_app.engine.words import word_set
from playhead.core.errors import InvalidInput, PlayheadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What every store can hold as a key (characters).
LONGEST_KEY = 200


def fitting(query: str, texts: Iterable[tuple[str, str]], *, limit: int) -> list[Remembered]:
    """The texts that share words with the query, by how many of its words they have.

    Args:
        texts: (key, text), the newest first.
    """
    wanted = word_set(query)
    if not wanted:
        return [Remembered(key, text, 0.0) for key, text in list(texts)[:limit]]
    scored = [
        Remembered(key, text, len(wanted & word_set(text)) / len(wanted)) for key, text in texts
    ]
    found = sorted((each for each in scored if each.score > 0), key=lambda each: -each.score)
    return found[:limit]


async def recalled(store: MemoryPort, space: Space, query: str, *, limit: int) -> list[Remembered]:
    """What a memory finds.

    Raises:
        PlayheadError: a plug-in's memory gave something else; says what is expected.
    """
    who, found = type(store).__name__, await store.search(space, query, limit=limit)
    if not isinstance(found, (list, tuple)):
        said = f"the memory {who}: search returned {kind(found)}, expected a list of Remembered"
        raise PlayheadError(said, code="bad_memory")
    for place, each in enumerate(found):
        if not isinstance(each, Remembered):
            said = f"search returned a list whose [{place}] is {kind(each)}, expected a Remembered"
            raise PlayheadError(f"the memory {who}: {said}", code="bad_memory")
        for name, kinds in (("key", str), ("text", str), ("score", (int, float))):
            if not isinstance(getattr(each, name), kinds):
                said = f"search returned a Remembered whose {name} is {kind(getattr(each, name))}"
                raise PlayheadError(f"the memory {who}: {said}", code="bad_memory")
    return list(found)


def checked_key(key: str) -> str:
    """The key.

    Raises:
        InvalidInput: it is empty, too long, or holds what no database keeps.
    """
    if not key or len(key) > LONGEST_KEY or "\x00" in key:
        raise InvalidInput(
            f"key: 1 to {LONGEST_KEY} characters, none of them NUL", detail={"field": "key"}
        )
    return key


class MemoryInProcess:
    """What this process remembers, by words: for tests and for an ``AgentLoop``."""

    def __init__(self) -> None:
        self._kept: dict[Space, dict[str, str]] = {}

    async def write(self, space: Space, key: str, text: str) -> None:
        """Keep a text."""
        self._kept.setdefault(space, {})[checked_key(key)] = text

    async def search(self, space: Space, query: str, *, limit: int) -> list[Remembered]:
        """What shares words with the query."""
        return fitting(query, reversed(self._kept.get(space, {}).items()), limit=limit)

    async def forget(self, space: Space, key: str) -> bool:
        """Remove a text."""
        return self._kept.get(space, {}).pop(key, None) is not None


def _in_process() -> Mapping[str, MemoryPort]:
    return {"text": MemoryInProcess()}


@dataclass(frozen=True, slots=True)
class Memories:
    """The memories of a workspace, by name; what the platform gives to who asks for it."""

    stores: Mapping[str, MemoryPort] = field(default_factory=_in_process)
    workspace: str = ""

    def store(self, name: str) -> MemoryPort:
        """The memory of that name.

        Raises:
            InvalidInput: there is none.
        """
        if name not in self.stores:
            known = ", ".join(sorted(self.stores))
            raise InvalidInput(
                f"no memory is named {name!r}; use one of: {known}", detail={"field": "store"}
            )
        return self.stores[name]

    def space(self, name: str) -> Space:
        """A room of this workspace."""
        return Space(self.workspace, name)
