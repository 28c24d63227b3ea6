"""From exceptions to problems: nothing that a client sends becomes a 500."""

import logging
from typing import TYPE_CHECKING, Any

from django.core.exceptions import RequestDataTooBig
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from playhead.core.errors import PlayheadError
from playhead.rest.problems import CODES, problem, problem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

logger = logging.getLogger(__name__)


def field_of(loc: tuple[Any, ...]) -> str:
    """The field's path as the client wrote it: without our names for body and parameter."""
    parts = [str(part) for part in loc]
    if parts and parts[0] == "body":
        return ".".join(parts[2:]) or "body"
    return ".".join(parts[1:]) or ".".join(parts)


def on_playhead_error(_request: HttpRequest, error: PlayheadError) -> HttpResponse:
    """An error of ours says all that is needed."""
    return problem_of(error)


def on_invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    """The values themselves are never echoed: one of them may be a password."""
    found: list[Mapping[str, str]] = [
        {"field": field_of(tuple(item.get("loc", ()))), "message": str(item.get("msg", "invalid"))}
        for item in error.errors
    ]
    return problem(422, "invalid", "Some fields are not acceptable.", errors=found)


def on_http_error(_request: HttpRequest, error: HttpError) -> HttpResponse:
    """What ninja raises; behind its "cannot parse" stands our own error."""
    cause = error.__cause__
    if isinstance(cause, PlayheadError):
        return problem_of(cause)
    status = error.status_code
    return problem(status, CODES.get(status, "error"), str(error))


def on_too_large(_request: HttpRequest, _error: RequestDataTooBig) -> HttpResponse:
    """More than DATA_UPLOAD_MAX_MEMORY_SIZE."""
    return problem(413, "too_large", "The body is larger than 10 MB.")


def on_unauthenticated(_request: HttpRequest, _error: AuthenticationError) -> HttpResponse:
    """No credentials, or none that hold."""
    return problem(401, "unauthenticated", "Sign in, or send an API key.")


def on_missing(_request: HttpRequest, _error: Http404) -> HttpResponse:
    """Not there."""
    return problem(404, "not_found", "There is no such thing.")


def on_unstorable(_request: HttpRequest, error: Exception) -> HttpResponse:
    """A value that no column takes: a NUL, half a surrogate pair, a number beyond 64 bit."""
    logger.warning("A value could not be stored: %s", type(error).__name__)
    return problem(400, "bad_request", "A value in the request can't be stored.")


def on_value_error(request: HttpRequest, error: ValueError) -> HttpResponse:
    """psycopg refuses a NUL in a parameter with a plain ValueError; any other is our fault."""
    if "NUL" in str(error) or "null character" in str(error):
        return on_unstorable(request, error)
    return on_unexpected(request, error)


def on_unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    """Our fault: the log has the traceback, the client nothing of it."""
    logger.error("Unexpected error in %s", request.method, exc_info=error)
    return problem(500, "internal_error", "Something went wrong here; the server's log says what.")


def add_handlers(api: NinjaAPI) -> None:
    """Let all errors of an API be problems."""
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        PlayheadError: on_playhead_error,
        ValidationError: on_invalid,
        HttpError: on_http_error,
        AuthenticationError: on_unauthenticated,
        Http404: on_missing,
        RequestDataTooBig: on_too_large,
        DataError: on_unstorable,
        UnicodeEncodeError: on_unstorable,
        OverflowError: on_unstorable,
        ValueError: on_value_error,
        Exception: on_unexpected,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)
