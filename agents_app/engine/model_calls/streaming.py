"""Text of a model while it arrives: passed on to those who watch, without what may be a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.loop.checked import kind
from agents_app.engine.ports import Delta
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.loop.shared import Loop


class Stream:
    """Passes deltas on, with what could be part of a secret held back.

    Text is kept as it came until somebody watches: what nobody sees need not be searched.
    ``secret`` are names of arguments: which tool a call is of is not known while it arrives. What
    is ``silent`` passes nothing on: nobody reads what a middleware asks for itself (R-55), and what
    a guard holds back nobody reads yet (R-48).
    """

    __slots__ = ("_at", "_attempt", "_guards", "_kept", "_loop", "_request", "_secret", "_silent")

    def __init__(
        self, loop: Loop, request: int, attempt: int, secret: Sequence[str], *, silent: bool
    ) -> None:
        self._loop, self._request, self._attempt, self._silent = loop, request, attempt, silent
        self._secret = secret
        self._kept: dict[str, list[str]] = {}
        self._guards: dict[str, Any] = {}
        self._at: dict[str, int] = {}

    def feed(self, delta: Delta) -> None:
        """Take a piece in.

        Raises:
            TypeError: the provider's plug-in gave something else.
        """
        given: Any = delta
        if not (isinstance(given, Delta) and type(given.part) is type(given.text) is str):
            said = f"on_delta was called with {kind(delta)}"
            raise TypeError(f"{said}, expected a Delta of two texts, part and text")
        if self._silent:
            return
        _keep(self._kept.setdefault(delta.part, []), delta.text)
        if self._loop.live.watched():
            self._pass_on()

    def finish(self) -> None:
        if self._loop.live.watched():
            self._pass_on()
            for part, guard in self._guards.items():
                self._publish(part, guard.finish())

    def _pass_on(self) -> None:
        for part, pieces in self._kept.items():
            if part not in self._guards:
                secret = self._secret if part.startswith("tool:") else ()
                self._guards[part] = self._loop.seals.guard(secret=secret)
            text, _ = sanitise("".join(pieces))  # the record marks what was changed; this passes
            self._publish(part, self._guards[part].feed(text))
        self._kept.clear()

    def _publish(self, part: str, text: str) -> None:
        if text:
            at = self._at.get(part, 0)
            self._at[part] = at + len(text)
            self._loop.live.delta(
                request=self._request, attempt=self._attempt, part=part, at=at, text=text
            )


def _keep(pieces: list[str], text: str) -> None:
    """Keep one more piece, put together with those before it that are no longer than it.

    So there are few: a piece may be one token, and each holds 50 bytes besides.
    """
    while pieces and len(pieces[-1]) <= len(text):
        text = pieces.pop() + text
    pieces.append(text)
