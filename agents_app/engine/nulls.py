"""Ports that do nothing, for the façade and for replays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.ports import ModelPort, ModelReply, ModelRequest, OnDelta, SealedValue

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from agents_app.engine.messages import Span


class NoSeals:
    """Nothing is sealed."""

    def seal(
        self, value: Any, *, secret_paths: Sequence[str] = (), spans: Sequence[Span] = (),
        personal: Collection[str] = (),
    ) -> SealedValue:  # fmt: skip
        return SealedValue(value, [list(span) for span in spans])

    def open(self, value: Any, spans: Sequence[Span]) -> Any:
        return value

    def guard(self, *, secret: Sequence[str] = ()) -> PlainText:
        return PlainText()


class PlainText:
    """Holds nothing back."""

    def feed(self, chunk: str) -> str:
        return chunk

    def finish(self) -> str:
        return ""


class NobodyWatches:
    """Stream text that nobody sees."""

    def watched(self) -> bool:
        return False

    def delta(self, *, request: int, attempt: int, part: str, at: int, text: str) -> None:
        return None


class NoModel:
    """The model of a replay: asking it breaks the iron law, loudly."""

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        raise AssertionError("a replay never calls a model")


def no_model(_name: str) -> ModelPort:
    """The model of a replay, whatever its name."""
    return NoModel()
