"""Rate limit: requests and tokens a minute, of an agent and of a provider.

Who is over takes the next free place, and its session waits for it without a worker, as after a
provider's 429. All workers count together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from agents_app.engine.budgets.rates import WINDOW, MemoryRates, Rates
from agents_app.engine.errors import THROTTLED, ModelError
from agents_app.engine.loop.hooks import current
from agents_app.engine.model_calls.size import all_tokens
from agents_app.engine.placing import after, alone
from agents_app.engine.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.placing import Severity
    from agents_app.engine.ports import ModelHandler, ModelReply, ModelRequest
    from agents_app.engine.spec import AgentSpec

PerMinute = Annotated[int, Field(ge=1, le=1_000_000_000)]
#: A place is kept for who comes back for it, up to a day.
_LONGEST = 24 * 3600.0
_INSIDE = "every request that is sent has to count, for the provider that gets it."


class RateLimitMiddleware:
    """Lets so many requests and tokens a minute through; a session that is over waits.

    Args:
        requests: requests a minute of the agent, in all its sessions.
        tokens: tokens a minute of the agent, in all its sessions.
        provider_requests: requests a minute to the model's provider, whichever agents ask it.
        provider_tokens: tokens a minute of the model's provider, whichever agents ask it.
    """

    name = "rate-limit"
    roles = ("rate-limit",)
    placing = (
        alone("rate-limit", "each would count what the other holds back."),
        after("router", _INSIDE),
        after("fallback", _INSIDE),
        after("retry", _INSIDE),
        after("cache", "an answer from the cache would use the quota up.", "warning"),
    )

    def __init__(
        self,
        requests: PerMinute | None = None,
        tokens: PerMinute | None = None,
        provider_requests: PerMinute | None = None,
        provider_tokens: PerMinute | None = None,
        rates: Rates | None = None,
    ) -> None:
        self._requests = {"agent": requests, "provider": provider_requests}
        self._tokens = {"agent": tokens, "provider": provider_tokens}
        self._rates: Rates = MemoryRates() if rates is None else rates

    def problems(self, _spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """A limit of nothing."""
        if not any((*self._requests.values(), *self._tokens.values())):
            yield (
                "",
                Said("nothing is limited: say requests or tokens a minute.", "nothing_limited"),
                "warning",
            )

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        """The reply, in its turn.

        Raises:
            ModelError: it is not there yet (``throttled``, with the time to wait), or the model's.
        """
        guess = all_tokens(request.messages)
        if not current().comes_back():
            now = current().time().timestamp()
            wait = await self._rates.take(self._claims(request.model, 1, guess), now=now)
            if wait > 0:
                raise _throttled(min(wait, _LONGEST))
        reply = await call(request)
        used = reply.usage.inclusive() if reply.usage else None
        if used and used.input is not None and used.output is not None:
            too_much = guess - used.input - used.output
            await self._rates.give(self._claims(request.model, 0, too_much))
        return reply

    def _claims(self, model: str, requests: int, tokens: int) -> dict[str, float]:
        names = {
            "agent": f"agent:{current().agent}",
            "provider": f"provider:{model.partition(':')[0]}",
        }
        claims = {}
        for of, name in names.items():
            for unit, most, used in (
                ("requests", self._requests[of], requests),
                ("tokens", self._tokens[of], tokens),
            ):
                if most is not None and used:
                    claims[f"{name}:{unit}"] = used * WINDOW / most
        return claims


def _throttled(wait: float) -> ModelError:
    said = f"The rate limit of this agent holds the request back for {wait:.0f} s."
    return ModelError(said, code=THROTTLED, permanent=False, retry_after=wait)
