"""What a running tool may ask of the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class ToolContext:
    """Handed to a tool that declares a parameter of this type.

    ``key`` is the idempotency key of this call: the session that wrote the intent, and its seq.
    A tool asks *before* it acts: after an answer it is entered again from the top.
    """

    def __init__(
        self,
        *,
        key: str,
        address: str,
        state: Any = None,
        answer: tuple[bool, Any] = (False, None),
        interrupted: bool = False,
        ask: Callable[..., Any],
        reveal: Callable[[str], str] = str,
    ) -> None:
        self.key = key
        self.address = address
        self.state = state
        self.was_interrupted = interrupted
        self._answer = answer
        self._ask = ask
        self._reveal = reveal

    @property
    def answer(self) -> tuple[bool, Any]:
        """(there is an answer, the answer): every JSON value is a legal answer, ``None`` too."""
        return self._answer

    def interrupt(
        self, info: Any, *, schema: dict[str, Any] | None = None, state: Any = None
    ) -> Any:
        """Ask a person; returns the answer when there is one, else suspends the call.

        Args:
            info: the question, text or JSON.
            schema: JSON Schema of the answer.
            state: JSON to find again in ``self.state`` when the tool is entered again.
        """
        given, value = self._answer
        if given:
            self._answer = (False, None)
            return value
        return self._ask(info, schema=schema, state=state)
