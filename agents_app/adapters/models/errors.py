"""What a failed call means: one table from the provider's errors to the codes of the port."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playhead.core.clock import Clock

_CONTEXT = re.compile(
    r"context[_ ](?:length|window|size)|maximum context|too many tokens|prompt is too long",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content filtering policy", re.IGNORECASE)
_LIMITS = (
    re.compile(r"(?:maximum|max|limit|size|length|window)\D{0,40}?(\d[\d,]{2,})", re.IGNORECASE),
    re.compile(r"(\d[\d,]{2,}) (?:tokens )?(?:maximum|limit)", re.IGNORECASE),
)
_REFUSALS = ("content_filter", "content_policy_violation", "moderation", "bio_policy")
_NO_QUOTA = ("insufficient_quota", "billing_error")
_UNAUTHORIZED = (401, 403)
_PAYMENT = 402
_TOO_LARGE = 413
_TOO_MANY = 429
#: The codes of an error event: there is no status then. What is not named here is the server's.
_WITHIN = {
    "rate_limit_exceeded": "rate_limited",
    "rate_limit_error": "rate_limited",
    "authentication_error": "auth",
    "invalid_api_key": "auth",
    "permission_error": "auth",
    "billing_error": "auth",
    "insufficient_quota": "auth",
    "invalid_request_error": "bad_request",
    "invalid_prompt": "bad_request",
    "not_found_error": "bad_request",
    "request_too_large": "context_length",
}
_SAYS = {
    "rate_limited": "The provider limits the rate",
    "auth": "The provider does not accept the key",
    "bad_request": "The provider does not accept the request",
    "refused": "The provider refused",
    "server_error": "The provider failed while it answered",
}
_PASSING = ("rate_limited", "server_error")
_TRANSIENT = (408, 409, 425)
_SERVER = 500
_MESSAGE_LENGTH = 500


def from_status(
    status: int, body: object, message: str, headers: Mapping[str, str], clock: Clock
) -> ModelError:
    """The error of an answer that is no answer."""
    code, text, limit = _said(body, message)
    detail: dict[str, Any] = {"status": status, **({"provider_code": code} if code else {})}
    if _is_refusal(code, text):
        return _permanent("refused", f"The provider refused the request: {text}", detail)
    if _is_context(code, text) or status == _TOO_LARGE:
        return context_length(text, limit, detail)
    if status == _PAYMENT or (status == _TOO_MANY and code in _NO_QUOTA):
        return _permanent("auth", f"The account has no quota left: {text}", detail)
    if status == _TOO_MANY:
        wait = retry_after(headers, clock)
        return _passing("rate_limited", f"The provider limits the rate: {text}", detail, wait)
    if status in _UNAUTHORIZED:
        return _permanent("auth", f"The provider does not accept the key: {text}", detail)
    if status >= _SERVER or status in _TRANSIENT:
        wait = retry_after(headers, clock)
        return _passing("server_error", f"The provider failed ({status}): {text}", detail, wait)
    return _permanent("bad_request", f"The provider does not accept the request: {text}", detail)


def from_stream(body: object, message: str, partial: str | None) -> ModelError:
    """The error of an ``error`` event in the middle of a stream."""
    code, text, limit = _said(body, message)
    detail = {"provider_code": code} if code else {}
    kind = "refused" if _is_refusal(code, text) else _WITHIN.get(code or "", "server_error")
    if _is_context(code, text) or kind == "context_length":
        error = context_length(text, limit, detail)
    elif kind in _PASSING:
        error = _passing(kind, f"{_SAYS[kind]}: {text}", detail, None)
    else:
        error = _permanent(kind, f"{_SAYS[kind]}: {text}", detail)
    error.partial = partial
    return error


def context_length(text: str, limit: int | None, detail: dict[str, Any]) -> ModelError:
    """The prompt does not fit; the message names the limit where the provider does."""
    limit = limit or _limit_in(text)
    says = f" (its limit is {limit} tokens)" if limit else ""
    return _permanent(
        "context_length",
        f"The conversation is longer than the model can read{says}: {text}",
        {**detail, "limit": limit},
    )


def from_connection(error: BaseException, *, begun: bool, partial: str | None) -> ModelError:
    """The error of a connection: never made, or lost; ``begun`` when an answer had started."""
    if begun:  # what a library says about it names lengths and statuses that nobody sent
        return ModelError(
            "The stream ended early: the connection was lost.",
            code="stream_dropped",
            permanent=False,
            partial=partial,
        )
    reasons = list(_causes(error))
    text = next((str(reason) for reason in reversed(reasons) if str(reason)), str(error))
    if any(isinstance(reason, asyncio.TimeoutError) for reason in reasons):
        text = "it did not accept a connection in time"
    return ModelError(f"The provider can't be reached: {text}", code="unreachable", permanent=False)


def was_never_sent(error: BaseException) -> bool:
    """Whether the connection was closed before a byte was written: a server may, between calls."""
    from aiohttp import ClientConnectionResetError

    return any(isinstance(reason, ClientConnectionResetError) for reason in _causes(error))


def stalled(seconds: float, partial: str | None) -> ModelError:
    """Nothing came for so long."""
    return ModelError(
        f"Nothing came from the model for {seconds:g} seconds.",
        code="stalled",
        permanent=False,
        partial=partial,
    )


def retry_after(headers: Mapping[str, str], clock: Clock) -> float | None:
    """Seconds from ``retry-after-ms`` or ``Retry-After`` (seconds, or a date), never negative."""
    milliseconds, value = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if value is None:
            return None
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", value):
            return float(value)
        due = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (due.replace(tzinfo=due.tzinfo or UTC) - clock.now()).total_seconds())


def _said(body: object, message: str) -> tuple[str | None, str, int | None]:
    """Code, text and token limit of an error body, of whatever shape."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(inner, dict):
        return None, _short(str(inner or message)), None
    code = inner.get("code") if isinstance(inner.get("code"), str) else inner.get("type")
    limit = inner.get("n_ctx")
    text = inner.get("message") or message
    return (
        code if isinstance(code, str) else None,
        _short(str(text)),
        limit if isinstance(limit, int) else None,
    )


def _is_refusal(code: str | None, text: str) -> bool:
    return code in _REFUSALS or bool(_FILTERED.search(text))


def _is_context(code: str | None, text: str) -> bool:
    return code in ("context_length_exceeded", "exceed_context_size_error") or bool(
        _CONTEXT.search(text)
    )


def _limit_in(text: str) -> int | None:
    for pattern in _LIMITS:
        if found := pattern.search(text):
            return int(found.group(1).replace(",", ""))
    return None


def _short(text: str) -> str:
    return text if len(text) <= _MESSAGE_LENGTH else text[:_MESSAGE_LENGTH] + "…"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _permanent(code: str, message: str, detail: Mapping[str, Any]) -> ModelError:
    return ModelError(message, code=code, permanent=True, detail=detail)


def _passing(code: str, message: str, detail: Mapping[str, Any], wait: float | None) -> ModelError:
    return ModelError(message, code=code, permanent=False, retry_after=wait, detail=detail)
