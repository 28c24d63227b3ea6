"""What a reader may see: personal data is masked for a role without ``reveal``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from agents_app.adapters.doors import mask_key
from playhead.core.mask import mask

if TYPE_CHECKING:
    from playhead.accounts.contracts import Principal


@dataclass(frozen=True, slots=True)
class Eyes:
    """Whose eyes. Sealed values stay markers for everybody: this is about personal data."""

    reveal: bool

    @classmethod
    def of(cls, principal: Principal) -> Self:
        """The eyes of whoever asks."""
        return cls(principal.can_reveal)

    def value(self, value: Any) -> Any:
        """A JSON value as these eyes see it."""
        return value if self.reveal or value is None else mask(value, key=mask_key())[0]

    def text(self, text: str) -> str:
        """A text as these eyes see it."""
        return str(self.value(text))


#: The system's own eyes, and an owner's.
OPEN = Eyes(reveal=True)
