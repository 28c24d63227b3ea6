"""`Idempotency-Key`: the same creating request, sent again, gets the same answer and does nothing.

A key is claimed by inserting a row before the work starts, so of two that come at once one works
and the other waits for its answer. The work and its answer are one transaction: a process that dies
leaves both or neither, and who works so long that the key is claimed anew leaves nothing. Answers
are kept for 24 hours per principal and route.
"""

import hashlib
import inspect
import json
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar, cast

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja.decorators import decorate_view

from playhead.core.clock import SystemClock
from playhead.core.errors import Conflict, InvalidInput
from playhead.rest.auth import principal_of
from playhead.rest.models import IdempotentAnswer
from playhead.rest.problems import problem_of

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

    def keep(self, response: HttpResponse) -> bool:
        """Keep the answer of work that was done; False when the key is somebody else's by now."""
        kept = self._row().update(
            status=response.status_code,
            content_type=response.headers.get("Content-Type", ""),
            answer=self._without_secrets(response.content.decode()),
        )
        return bool(kept)

    def free(self) -> None:
        """Nothing was done: the same request may come again."""
        self._row().delete()

    def _row(self) -> QuerySet[IdempotentAnswer]:
        return IdempotentAnswer.objects.filter(pk=self.pk, status=None)

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


def _again(kept: IdempotentAnswer) -> HttpResponse:
    again = HttpResponse(kept.answer, status=kept.status, content_type=kept.content_type)
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
    """Claim the key, if there is one; or the answer to give again."""
    key = _key_of(request)
    if key is None:
        return None
    deadline = _clock.monotonic() + PATIENCE
    while (outcome := _claim(request, key)) is None:
        if _clock.monotonic() > deadline:
            raise _busy()
        time.sleep(POLL)
    if isinstance(outcome, IdempotentAnswer):
        return _again(outcome)
    _work_of(request).claim = replace(outcome, once=once)
    return None


class Work:
    """What a request does under its key: a transaction that ends with the answer."""

    def __init__(self) -> None:
        self.claim: Claim | None = None
        self.transaction = ExitStack()
        self._begun = False

    def begin(self) -> None:
        """What is written from here on is written with the answer."""
        if self.claim is not None:
            self.transaction.enter_context(transaction.atomic())
            self._begun = True

    def finish(self, response: HttpResponseBase) -> HttpResponseBase:
        """End the transaction: with the answer, or, after a refusal, as if nothing had been."""
        claim = self.claim
        if claim is None:
            return response
        done, kept = response.status_code < 400, False
        with self.transaction:
            if done and isinstance(response, HttpResponse):
                kept = claim.keep(response)
            if self._begun and not kept:
                transaction.set_rollback(True)
        if not done:
            claim.free()
        return problem_of(_busy()) if done and not kept else response


def _work_of(request: HttpRequest) -> Work:
    work: Work = request.idempotency  # type: ignore[attr-defined]
    return work


def begin_work(request: HttpRequest) -> None:
    """From here on what is written is written with the answer. For a view marked ``later``."""
    _work_of(request).begin()


def _keeping(run: Callable[..., Any]) -> Callable[..., Any]:
    """Around the whole operation: keep the rendered answer, errors included in the decision."""

    @wraps(run)
    def kept(request: HttpRequest, **values: Any) -> HttpResponseBase:
        work = request.idempotency = Work()  # type: ignore[attr-defined]
        with work.transaction:  # undone, where what is around the view raises
            return work.finish(run(request, **values))

    return kept


def idempotent(*, once: tuple[str, ...] = (), later: bool = False) -> Callable[[View], View]:
    """Let a creating operation honour `Idempotency-Key`. Stands below `@router.post(…)`.

    Args:
        once: members of the answer that are secrets: never stored, null when it is given again.
        later: the view reads for long before it writes, and says by ``begin_work`` when it does.
    """

    def mark(view: View) -> View:
        @wraps(view)
        def claimed(request: HttpRequest, **values: Any) -> Any:
            again = _before(request, once)
            if again is not None:
                return again
            if not later:
                begin_work(request)
            return view(request, **values)

        # Ninja reads the annotations of the wrapper in the wrapper's module: give them resolved.
        claimed.__signature__ = inspect.signature(view, eval_str=True)  # type: ignore[attr-defined]
        marked: Any = decorate_view(_keeping)(claimed)
        return cast("View", marked)

    return mark
