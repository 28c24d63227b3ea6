"""A store whose calls block: each runs in a thread, so that no loop waits for a disk or a server.

It belongs to no event loop: one store serves every loop of the process.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Any

from agents_app.engine.states import checked_id, dump_state, load_state


class ThreadedStateStore(ABC):
    """A ``StatePort`` over three blocking calls."""

    async def load(self, session_id: str) -> dict[str, Any] | None:
        """The state that was saved last, ``None`` where there is none."""
        data = await asyncio.to_thread(self.read, checked_id(session_id))
        return None if data is None else load_state(session_id, data)

    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        """Keep a state in place of the last one.

        Raises:
            InvalidInput: a value that JSON has not; nothing was stored.
        """
        await asyncio.to_thread(self.write, checked_id(session_id), dump_state(state))

    async def delete(self, session_id: str) -> None:
        """Forget a state; one that is not there is not missed."""
        await asyncio.to_thread(self.remove, checked_id(session_id))

    @abstractmethod
    def read(self, session_id: str) -> bytes | None:
        """The bytes, ``None`` where there are none."""

    @abstractmethod
    def write(self, session_id: str, data: bytes) -> None:
        """Replace the bytes, as a whole or not at all."""

    @abstractmethod
    def remove(self, session_id: str) -> None:
        """Remove the bytes, if there are any."""
