"""Errors as `application/problem+json`, each with a stable `code`."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse

from playhead.core.errors import Conflict, InvalidInput, NotFound, PlayheadError
from playhead.rest.renderer import encoded

CONTENT_TYPE = "application/problem+json"

# A code that is not here takes the status of its class.
STATUS = {
    "unauthenticated": 401,
    "bad_credentials": 401,
    "forbidden": 403,
    "csrf_failed": 403,
    "foreign_origin": 403,
    "not_found": 404,
    "expired": 410,
    "revoked": 410,
    "link_spent": 410,
    "too_large": 413,
    "invalid": 422,
    "idempotency_mismatch": 422,
    "too_many_tries": 429,
    "bad_request": 400,
    "bad_json": 400,
    "invalid_cursor": 400,
}
TITLES = {
    400: "Bad request",
    401: "Sign in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    410: "Gone",
    413: "Too large",
    415: "Unsupported media type",
    422: "Invalid input",
    429: "Too many requests",
    500: "Internal error",
    503: "Unavailable",
}
CODES = {400: "bad_request", 401: "unauthenticated", 403: "forbidden", 404: "not_found"}
CODES |= {405: "method_not_allowed", 413: "too_large", 415: "unsupported", 429: "too_many_requests"}
RESERVED = frozenset({"type", "title", "status", "code", "detail", "errors", "field"})


def status_of(error: PlayheadError) -> int:
    """The HTTP status of an error: by its code, else by its class, else by whether it passes."""
    if error.code in STATUS:
        return STATUS[error.code]
    for family, status in ((NotFound, 404), (Conflict, 409), (InvalidInput, 422)):
        if isinstance(error, family):
            return status
    return 400 if error.permanent else 503


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    errors: Sequence[Mapping[str, str]] = (),
    extra: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """A problem response. `errors` names fields; `extra` adds members of its own names."""
    body: dict[str, Any] = {
        "type": f"urn:playhead:problem:{code}",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "code": code,
        "detail": detail,
    }
    if errors:
        body["errors"] = [dict(error) for error in errors]
    body |= {name: value for name, value in (extra or {}).items() if name not in RESERVED}
    content = encoded(json.dumps(body, default=str, ensure_ascii=False))
    response = HttpResponse(content, status=status, content_type=CONTENT_TYPE)
    response["Cache-Control"] = "no-store"
    return response


def problem_of(error: PlayheadError) -> HttpResponse:
    """The problem response of an error of ours."""
    field = error.detail.get("field")
    errors = error.detail.get("errors") or (
        [{"field": str(field), "message": error.message}] if field else []
    )
    response = problem(
        status_of(error), error.code, error.message, errors=errors, extra=error.detail
    )
    if error.retry_after is not None:
        response["Retry-After"] = str(max(1, round(error.retry_after)))
    return response
