"""What is wrong with a definition: every fault names its field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine.options import nearest
from agents_app.engine.said import Said

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

#: What is told of one definition at most: a file of another kind is wrong in every line.
MOST = 100


@dataclass(frozen=True, slots=True)
class Fault:
    """A field, as a dotted path into the definition, and what to do about it."""

    field: str
    message: str


class Faults:
    """Gathers faults, so that a person is told all of them at once."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, field: str, message: str) -> None:
        """One more."""
        if len(self.found) < MOST:
            self.found.append(Fault(field, message))

    def __len__(self) -> int:
        return len(self.found)

    def unknown(self, data: Mapping[str, Any], known: Collection[str], where: str = "") -> None:
        """A fault for each key that is none of the known ones."""
        for key in data:
            if key not in known:
                listed = ", ".join(known)
                said = f"no such field{nearest(str(key), known)} (there are: {listed})"
                self.add(at(where, key), Said(said, "unknown_field", known=listed))


def at(where: str, *parts: object) -> str:
    """The dotted path of a field below another one."""
    return ".".join(map(str, (where, *parts) if where else parts))
