"""A log in memory that behaves like the database's: fenced appends, gapless, durable or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playhead.core.clock import Clock, stamp
from playhead.core.events import GENESIS, Draft, Event, StoredEvent, store_form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(slots=True)
class MemoryLog:
    """What is durable of one session: events, vault rows and checkpoints by seq.

    ``inherited`` is the number of events that a branch takes from its parent.
    """

    session_id: str
    clock: Clock
    events: list[Event] = field(default_factory=list)
    stored: list[StoredEvent] = field(default_factory=list)
    vault: dict[str, tuple[str, str]] = field(default_factory=dict)
    checkpoints: dict[int, bytes] = field(default_factory=dict)
    inherited: int = 0

    @property
    def seq(self) -> int:
        """The seq of the head."""
        return self.events[-1].seq if self.events else 0

    def append(self, expected: int, batch: Sequence[tuple[Event, StoredEvent]]) -> bool:
        """Append behind ``expected``; False when the head is somewhere else."""
        if self.seq != expected:
            return False
        for event, stored in batch:
            self.events.append(event)
            self.stored.append(stored)
        return True

    def keep(self, rows: Mapping[str, tuple[str, str]], seq: int, data: bytes | None) -> None:
        """What is committed together with an event."""
        self.vault.update(rows)
        if data is not None:
            self.checkpoints[seq] = data

    def write(self, *drafts: Draft) -> list[Event]:
        """A person's append: behind whatever the head is."""
        out = []
        for draft in drafts:
            prev = self.events[-1].hash if self.events else GENESIS
            ts = stamp(self.clock.now())
            stored = store_form(self.session_id, prev, self.seq + 1, ts, draft)
            event = stored.event()
            self.append(self.seq, [(event, stored)])
            out.append(event)
        return out
