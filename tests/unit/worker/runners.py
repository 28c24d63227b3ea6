"""A runner of sessions that only listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents_app.adapters.stores.port import VaultRow
    from agents_app.engine.log.journal import VaultRows


class Listening:
    """Seals nothing; ``misses`` counts how often somebody wrote first."""

    def __init__(self) -> None:
        self.misses = 0

    def sealed(self, rows: VaultRows) -> tuple[VaultRow, ...]:
        """Nothing was."""
        return ()

    def committed(self, seq: int) -> None:
        """Nobody needs to know."""

    def missed(self) -> None:
        """Count it."""
        self.misses += 1
