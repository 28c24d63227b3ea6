"""Model fallback: when a model fails, the next one of a list is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from agents_app.engine.errors import ModelError
from agents_app.engine.placing import alone
from agents_app.engine.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.placing import Severity
    from agents_app.engine.ports import ModelHandler, ModelReply, ModelRequest
    from agents_app.engine.spec import AgentSpec

Code = Literal[
    "rate_limited", "server_error", "unreachable", "stalled", "stream_dropped", "context_length",
    "auth", "bad_response",
]  # fmt: skip
CODES: tuple[Code, ...] = (
    "rate_limited", "server_error", "unreachable", "stalled", "stream_dropped", "context_length",
    "auth", "bad_response",
)  # fmt: skip


class ModelFallbackMiddleware:
    """Asks other models, in their order, when the agent's own fails.

    Each is an attempt in the log with its own model, usage and price.

    Args:
        models: names of other models (``provider:model``), the first one asked first.
        codes: errors after which the next one is asked; a refusal is not among them.
    """

    name = "model-fallback"
    roles = ("fallback",)
    placing = (alone("fallback", "each would go through its list within the other's."),)

    def __init__(
        self,
        models: Annotated[tuple[str, ...], Field(min_length=1)],
        codes: tuple[Code, ...] = CODES,
    ) -> None:
        self.models = models
        self.codes = frozenset(codes)

    def problems(self, spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """Names of models that are none, and models that are asked twice."""
        for place, model in enumerate(self.models):
            if ":" not in model:
                yield (
                    f"models.{place}",
                    Said(f"{model!r} names no model; say provider:model.", "no_model"),
                    "problem",
                )
            elif model in (spec.model, *self.models[:place]):
                yield (
                    f"models.{place}",
                    Said(
                        f"{model} has failed already when it is asked.",
                        "failed_already",
                        model=model,
                    ),
                    "warning",
                )

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        """The reply of the first model that gives one; a pause or a cancel passes.

        Raises:
            ModelError: of the last model or, if that can't ever help, of one that may yet answer.
        """
        hopeful: ModelError | None = None
        for model in (request.model, *self.models):
            try:
                return await call(replace(request, model=model))
            except ModelError as error:
                if error.code not in self.codes:
                    raise
                last = error
                hopeful = hopeful if error.permanent else error
        raise hopeful or last
