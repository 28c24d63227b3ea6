"""One tree of errors; the attributes, not the class, decide what is done about one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class PlayheadError(Exception):
    """An error that a person or a program can act on.

    Args:
        message: what went wrong and what to do, in one or two sentences.
        code: a stable word for programs (``not_found``, ``head_moved`` …).
        permanent: trying again without a change can't help.
        retry_after: seconds after which trying again is sensible, if known.
        detail: JSON values for the reader (field names, limits, ids).
    """

    code = "error"
    permanent = True

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        permanent: bool | None = None,
        retry_after: float | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.permanent = type(self).permanent if permanent is None else permanent
        self.retry_after = retry_after
        self.detail = dict(detail or {})


class InvalidInput(PlayheadError):
    """The input is wrong; ``detail["field"]`` names where.

    Where several fields are, ``detail["errors"]`` lists them: ``{"field", "message"}`` each.
    """

    code = "invalid"


class NotFound(PlayheadError):
    """No such thing, or not for you."""

    code = "not_found"


class Conflict(PlayheadError):
    """Somebody else was first; ``detail`` says who won."""

    code = "conflict"


class LogError(PlayheadError):
    """A log that does not hold together: a gap, a wrong hash, an unknown version."""

    code = "log_error"
