"""What a running tool may ask of the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class ToolContext:
    """Handed to a tool that declares a parameter of this type.

    ``key`` is the idempotency key of this call: the session that wrote the intent, and its seq.
    ``session`` is the session that it runs in, ``address`` where.
    A tool asks *before* it acts: after an answer it is entered again from the top.
    """

    def __init__(
        self,
        *,
        key: str,
        address: str,
        state: Any = None,
        answers: Sequence[tuple[Any, Any]] = (),
        session: str = "",
        ask: Callable[..., Any],
    ) -> None:
        self.key = key
        self.address = address
        self.session = session
        self.state = state
        self.was_interrupted = bool(answers)
        self._answers = list(answers)
        self._ask = ask

    @property
    def answer(self) -> tuple[bool, Any]:
        """(there is an answer, the last one): every JSON value is legal, ``None`` too."""
        return (True, self._answers[-1][1]) if self._answers else (False, None)

    def interrupt(
        self, info: Any, *, schema: dict[str, Any] | None = None, state: Any = None
    ) -> Any:
        """Ask a person; returns the answer when there is one, else suspends the call.

        An answer belongs to its question: of several to the same ``info`` the last one counts,
        and it is given once, so that a tool that asks again until it is content does ask again.

        Args:
            info: the question, text or JSON.
            schema: JSON Schema of the answer.
            state: JSON to find again in ``self.state`` when the tool is entered again.
        """
        said, _ = sanitise(info)
        given = [answer for asked, answer in self._answers if asked == said]
        if not given:
            return self._ask(said, schema=schema, state=state)
        self._answers = [each for each in self._answers if each[0] != said]
        return given[-1]
