"""A secret, and the vault of one session tree in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.ports import SealedValue
from playhead.core.seal import Sealer, StreamGuard, unseal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.testing import Session

KEY = "sk-proj-QQQQWWWWEEEERRRRTTTT1234567890uiopasdfgh"


class TreeSeals:
    """The vault of one tree, in memory."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def seal(
        self, value: Any, *, secret_paths: Sequence[str] = (), spans: Sequence[Any] = ()
    ) -> SealedValue:
        sealer = Sealer(b"k" * 32, self.known)
        sealed = sealer.seal(value, secret_paths=secret_paths, spans=map(list, spans))
        self.known |= {name: secret for name, (_, secret) in sealed.new.items()}
        return SealedValue(sealed.value, sealed.spans, sealed.new)

    def open(self, value: Any, spans: Sequence[Any]) -> Any:
        return unseal(value, spans, self.known)

    def guard(self, *_: Any, **__: Any) -> StreamGuard:
        return StreamGuard(Sealer(b"k" * 32, self.known))


def written(session: Session) -> str:
    """Everything that a session has written: events with their envelopes, and checkpoints."""
    events = [event.to_dict() for event in session.events]
    return f"{events} {list(session.log.checkpoints.values())}"
