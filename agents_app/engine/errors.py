"""What can end or suspend a run. Control flow is not an error: no tool or retry can swallow it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from playhead.core.usage import Usage


#: The code of a ``ModelError`` that no provider sent: a limit of ours holds the request back.
THROTTLED = "throttled"


class ModelError(PlayheadError):
    """A model call that brought no answer (codes: docs/protocol.md, Model port).

    ``partial`` is the text that had arrived before the end, ``None`` when there was none;
    ``usage`` what the provider had counted by then, ``None`` when that is unknown; ``exhausted``
    says that it was tried again as often as the agent's definition allows.
    """

    code = "server_error"
    permanent = False

    def __init__(
        self,
        message: str,
        *,
        code: str,
        permanent: bool,
        retry_after: float | None = None,
        partial: str | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            message, code=code, permanent=permanent, retry_after=retry_after, detail=detail
        )
        self.partial = partial
        self.usage: Usage | None = None
        self.exhausted = False


class ToolError(PlayheadError):
    """Raised by a tool to give the model an error text that it can act on."""

    code = "tool_error"
    permanent = False


class EffectFailed(PlayheadError):
    """What a hook asked of the outside failed; the message is the recorded one, live too."""

    code = "effect_failed"
    permanent = False


class OutcomeUnknown(PlayheadError):
    """Raised by a tool that has lost sight of what it did: it may have happened, or not.

    Of an effectful tool that is not idempotent a person is asked; any other may be tried again.
    """

    code = "outcome_unknown"
    permanent = False


class SecurityError(PlayheadError):
    """A guard refused; the run ends and says which guard and why."""

    code = "guardrail"


class StrategyFailed(PlayheadError):
    """A strategy can't go on with what the model said; ``code`` says why (``no_plan`` …)."""

    code = "strategy_failed"


class RunFailed(PlayheadError):
    """A run of the façade could not go on."""

    code = "failed"


class StateTooLarge(PlayheadError):
    """A strategy or middleware keeps more than 64 kB of state about a session."""

    code = "state_too_large"


class Divergence(PlayheadError):
    """The loop, run again on the record, would write something else.

    ``detail`` names ``seq``, ``event_type``, ``scope``, ``field``, ``expected`` and ``found``;
    ``differs`` is all that differs, as a question of kind ``version`` names it.
    """

    code = "diverged"

    def __init__(
        self,
        message: str,
        *,
        detail: Mapping[str, Any] | None = None,
        differs: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message, detail=detail)
        self.differs = dict(differs or {})


class ReplayViolation(AssertionError):
    """A replay reached something that the log does not answer: it never calls a model or a tool."""

    def __init__(
        self, message: str, *, scope: str | None = None, event_type: str | None = None
    ) -> None:
        super().__init__(message)
        self.scope = scope
        self.event_type = event_type


class ControlFlow(BaseException):
    """A pause, a cancel, a stop: derives from ``BaseException`` so that nothing swallows it."""


def is_control(error: BaseException) -> bool:
    """Whether it is meant for the loop. All else, an exit too, is an error of the code it is from.

    A tool or a plug-in that calls ``sys.exit`` must not take the worker down.
    """
    return isinstance(error, (ControlFlow, asyncio.CancelledError, GeneratorExit))


class Interrupted(ControlFlow):
    """A question for a person is open; ``points`` are the payloads of the interrupts.

    ``due`` is when something else that stands still meanwhile is to go on by itself.
    """

    def __init__(self, points: Sequence[Mapping[str, Any]], *, due: datetime | None = None) -> None:
        super().__init__(f"{len(points)} open question(s)")
        self.points = list(points)
        self.due = due


class Cancelled(ControlFlow):
    """A person cancelled the run; ``seq`` is the event that says so."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"cancelled by event {seq}")
        self.seq = seq


class Closed(ControlFlow):
    """The record closes this request, call or child: the end of its run came before its own."""


class Paused(ControlFlow):
    """A person paused the session before this intent."""


class WaitUntil(ControlFlow):
    """Nothing to do before ``due`` (a rate limit): the session waits and holds no worker."""

    def __init__(self, due: datetime) -> None:
        super().__init__(f"waits until {due.isoformat()}")
        self.due = due


class LimitReached(ControlFlow):
    """A limit of the agent with that ``base`` is reached: its run ends, with ``text`` as answer."""

    def __init__(self, base: str, what: str, limit: Any, used: Any, text: str) -> None:
        super().__init__(text)
        self.base, self.what, self.limit, self.used, self.text = base, what, limit, used, text

    def to_log(self) -> dict[str, Any]:
        """The payload of a ``limit`` event."""
        return {"what": self.what, "limit": self.limit, "used": self.used, "text": self.text}


class Failed(ControlFlow):
    """The run can't go on; ends it ``failed`` with a code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Moved(ControlFlow):
    """Somebody else wrote to the log: unwind, read what they wrote, and come in again."""


class Suspended(ControlFlow):
    """The session stands still below a running tool: its function leaves, and is entered again."""
