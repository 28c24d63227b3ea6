"""`Idempotency-Key`: the same creating request, sent again, gets the same answer and does nothing.

A key is claimed by inserting a row before the work starts, so of two that come at once one works
and the other waits for its answer. Answers are kept for 24 hours per principal and route.
"""

import asyncio
import hashlib
import inspect
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja.decorators import decorate_view

from playhead.core.clock import SystemClock
from playhead.core.errors import Conflict, InvalidInput
from playhead.rest.auth import principal_of
from playhead.rest.models import IdempotentAnswer

View = TypeVar("View", bound=Callable[..., Any])
KEPT = timedelta(hours=24)
# A claim without an answer for this long belongs to a process that died.
ABANDONED = timedelta(seconds=60)
PATIENCE = 10.0
POLL = 0.05
_clock = SystemClock()


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do the work of a key, once."""

    pk: int
    once: tuple[str, ...] = ()

    def finish(self, response: HttpResponseBase) -> None:
        """Keep the answer of work that was done; after a refusal the key is free again."""
        row = IdempotentAnswer.objects.filter(pk=self.pk, status=None)
        if response.status_code >= 400 or not isinstance(response, HttpResponse):
            row.delete()
            return
        row.update(
            status=response.status_code,
            content_type=response.headers.get("Content-Type", ""),
            answer=self._without_secrets(response.content.decode()),
        )

    def _without_secrets(self, answer: str) -> str:
        if not self.once:
            return answer
        members = json.loads(answer)
        return json.dumps(members | {name: None for name in self.once if name in members})


def _claim(request: HttpRequest, key: str) -> Claim | IdempotentAnswer | None:
    """A claim, or the answer that is there, or None while another request works on it."""
    principal = principal_of(request)
    now = _clock.now()
    mine = IdempotentAnswer.objects.filter(
        principal=f"{principal.kind}:{principal.id}", route=f"{request.method} {request.path}"[:300]
    )
    mine.filter(claimed_at__lt=now - KEPT).delete()
    mine.filter(key=key, status=None, claimed_at__lt=now - ABANDONED).delete()
    digest = hashlib.sha256(request.body).hexdigest()
    with suppress(IntegrityError), transaction.atomic():
        row = IdempotentAnswer.objects.create(
            principal=f"{principal.kind}:{principal.id}",
            route=f"{request.method} {request.path}"[:300],
            key=key,
            body_digest=digest,
            claimed_at=now,
        )
        return Claim(row.pk)
    found = mine.filter(key=key).first()
    if found is not None and found.body_digest != digest:
        raise InvalidInput(
            "This Idempotency-Key was used with another body.", code="idempotency_mismatch"
        )
    return found if found is not None and found.status is not None else None


def _key_of(request: HttpRequest) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not (0 < len(key) <= 255 and key.isprintable()):
        raise InvalidInput("An Idempotency-Key has 1 to 255 visible characters.")
    return key


def _settle(
    request: HttpRequest, outcome: Claim | IdempotentAnswer, once: tuple[str, ...]
) -> HttpResponse | None:
    """Remember the claim on the request; or the answer to give again."""
    if isinstance(outcome, Claim):
        request.idempotency = replace(outcome, once=once)  # type: ignore[attr-defined]
        return None
    again = HttpResponse(outcome.answer, status=outcome.status, content_type=outcome.content_type)
    again["Idempotent-Replayed"] = "true"
    return again


def _busy() -> Conflict:
    return Conflict(
        "A request with this Idempotency-Key is still at work.",
        code="idempotency_in_flight",
        permanent=False,
        retry_after=1,
    )


def _before(request: HttpRequest, once: tuple[str, ...]) -> HttpResponse | None:
    key = _key_of(request)
    if key is None:
        return None
    deadline = _clock.monotonic() + PATIENCE
    while (outcome := _claim(request, key)) is None:
        if _clock.monotonic() > deadline:
            raise _busy()
        time.sleep(POLL)
    return _settle(request, outcome, once)


async def _before_async(request: HttpRequest, once: tuple[str, ...]) -> HttpResponse | None:
    key = _key_of(request)
    if key is None:
        return None
    deadline = _clock.monotonic() + PATIENCE
    while (outcome := await sync_to_async(_claim)(request, key)) is None:
        if _clock.monotonic() > deadline:
            raise _busy()
        await asyncio.sleep(POLL)
    return _settle(request, outcome, once)


def _keeping(run: Callable[..., Any]) -> Callable[..., Any]:
    """Around the whole operation: keep the rendered answer, errors included in the decision."""
    if inspect.iscoroutinefunction(run):

        @wraps(run)
        async def kept_async(request: HttpRequest, **values: Any) -> HttpResponseBase:
            response: HttpResponseBase = await run(request, **values)
            claim = getattr(request, "idempotency", None)
            if claim is not None:
                await sync_to_async(claim.finish)(response)
            return response

        return kept_async

    @wraps(run)
    def kept(request: HttpRequest, **values: Any) -> HttpResponseBase:
        response: HttpResponseBase = run(request, **values)
        claim = getattr(request, "idempotency", None)
        if claim is not None:
            claim.finish(response)
        return response

    return kept


def idempotent(*, once: tuple[str, ...] = ()) -> Callable[[View], View]:
    """Let a creating operation honour `Idempotency-Key`. Stands below `@router.post(…)`.

    Args:
        once: members of the answer that are secrets: never stored, null when it is given again.
    """

    def mark(view: View) -> View:
        claimed: Any
        if inspect.iscoroutinefunction(view):

            @wraps(view)
            async def claimed_async(request: HttpRequest, **values: Any) -> Any:
                again = await _before_async(request, once)
                return await view(request, **values) if again is None else again

            claimed = claimed_async
        else:

            @wraps(view)
            def claimed_sync(request: HttpRequest, **values: Any) -> Any:
                again = _before(request, once)
                return view(request, **values) if again is None else again

            claimed = claimed_sync
        # Ninja reads the annotations of the wrapper in the wrapper's module: give them resolved.
        claimed.__signature__ = inspect.signature(view, eval_str=True)
        marked: View = decorate_view(_keeping)(claimed)
        return marked

    return mark
