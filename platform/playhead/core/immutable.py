"""Values that nobody changes, cheap to make: frozen for the type checker, plain at run time.

A frozen dataclass sets each field through ``object.__setattr__``, at six times the price of a plain
one, and a step makes dozens. What plug-ins get into their hands stays frozen at run time too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["immutable"]

if TYPE_CHECKING:
    from dataclasses import dataclass as immutable
else:
    from dataclasses import dataclass

    def immutable(*, frozen: bool, slots: bool) -> Any:
        """``dataclass(frozen=True, slots=True)`` without the guard at run time."""
        return dataclass(slots=slots, unsafe_hash=frozen)
