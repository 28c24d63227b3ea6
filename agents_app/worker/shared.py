"""What many sessions of a process hold alike is held once.

A session that waits should cost little more than its context, and the definition of its agent and
the list of plug-ins are most of what its first event says.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from playhead.core import canonical

if TYPE_CHECKING:
    from playhead.core.events import Event

_ALIKE = ("definition", "plugins", "limits")


def share(start: Event) -> None:
    """Let a ``session_start`` refer to the values that others of the same agent have already."""
    for name in _ALIKE:
        if name in start.payload:
            start.payload[name] = _one(canonical.dumps(start.payload[name]))


@lru_cache(maxsize=512)
def _one(data: bytes) -> Any:
    return canonical.loads(data)
