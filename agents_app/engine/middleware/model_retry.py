"""Model retry: the kernel's own rule for a failed model call, with other numbers.

Each try is an attempt in the log, written before it is sent. Who has this in the list is not
tried again by the kernel on top: after the last try a person is asked. It never tries oftener
than the kernel would; what is permanent ends the run, and a rate limit waits without a worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from agents_app.engine.errors import ModelError
from agents_app.engine.loop.hooks import current
from agents_app.engine.middleware.backoff import Backoff, Factor, Seconds
from agents_app.engine.model_calls.attempts import allowed_retries, tries_of
from agents_app.engine.placing import after, alone

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelHandler, ModelReply, ModelRequest

Code = Literal["server_error", "unreachable", "stalled", "stream_dropped"]
CODES: tuple[Code, ...] = ("server_error", "unreachable", "stalled", "stream_dropped")


class ModelRetryMiddleware:
    """Says how often a model that fails for the moment is asked again, and after which time.

    Args:
        max_retries: tries after the first one; then a person is asked.
        codes: errors that are tried again; of any other that may pass a person is asked at once.
        initial_delay: seconds before the first of them.
        backoff_factor: how many times as long each next one waits.
        max_delay: the longest wait in seconds.
        jitter: whether the wait is spread, so that not all sessions try at once.
    """

    name = "model-retry"
    roles = ("retry",)
    placing = (
        alone("retry", "each would try again what the other has given up."),
        after("fallback", "it would go through all models again instead of trying one again."),
    )

    def __init__(
        self,
        max_retries: Annotated[int, Field(ge=0, le=2)] = 2,
        codes: tuple[Code, ...] = CODES,
        initial_delay: Seconds = 0.5,
        backoff_factor: Factor = 2.0,
        max_delay: Seconds = 10.0,
        jitter: bool = True,
    ) -> None:
        self.max_retries = max_retries
        self.codes = frozenset(codes)
        self._backoff = Backoff(initial_delay, backoff_factor, max_delay, jitter)

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        """The reply of the first try that brings one.

        Raises:
            ModelError: of the last try.
        """
        while True:
            done = tries_of(current().failures(request.model))
            try:
                return await call(request)
            except ModelError as error:
                if error.permanent or not tries_of((error.code,)):
                    raise
                if done >= self._retries(error.code):
                    error.exhausted = True
                    raise
            await self._backoff.wait(done)

    def _retries(self, code: str) -> int:
        return min(self.max_retries, allowed_retries(code)) if code in self.codes else 0
