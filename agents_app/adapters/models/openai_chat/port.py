"""The model port over OpenAI chat completions."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.openai_chat import errors
from agents_app.adapters.models.openai_chat.client import SENT, Clients
from agents_app.adapters.models.openai_chat.collect import Collected
from agents_app.adapters.models.openai_chat.wire import body_of
from agents_app.engine.errors import ModelError
from agents_app.engine.ports import ModelReply
from playhead.core.clock import Clock, SystemClock

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from agents_app.engine.ports import ModelRequest, OnDelta

IDLE_SECONDS = 60.0


class OpenAIChat:
    """One model at one address. Streams; never retries.

    Args:
        model: the provider's name of the model.
        base_url: another server of the protocol; OpenAI itself when there is none.
        idle: seconds without a chunk after which the call counts as stalled.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        idle: float = IDLE_SECONDS,
        clock: Clock | None = None,
    ) -> None:
        self.model = model
        self.idle = idle
        self.clock = clock or SystemClock()
        self._clients = Clients(api_key=api_key, base_url=base_url)

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """Ask once. See ``ModelPort``; what was said before an error is its ``partial``."""
        if not self._clients.has_key:
            raise ModelError("OPENAI_API_KEY is not set.", code="auth", permanent=True)
        sent: dict[str, str] = {}
        token = SENT.set(sent)
        said = Collected()
        began = self.clock.monotonic()
        first: float | None = None
        try:
            stream = await self._open(request)
            async with aclosing(self._chunks(stream, said)) as chunks:
                async for chunk in chunks:
                    for delta in said.feed(chunk):
                        first = self.clock.monotonic() if first is None else first
                        on_delta(delta)
        finally:
            SENT.reset(token)
        _check_complete(said)
        return ModelReply(
            message=said.message(),
            stop_reason="refusal" if said.refused else said.stop_reason,
            usage=said.usage,
            model=f"openai:{said.model or self.model}",
            provider={"id": said.id, **sent},
            ttft_ms=None if first is None else round((first - began) * 1000),
        )

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        await self._clients.aclose()

    async def _open(self, request: ModelRequest) -> Any:
        """Send the request and wait until the stream begins."""
        import openai

        try:
            async with asyncio.timeout(self.idle):
                return await self._create(body_of(request, self.model))
        except TimeoutError:
            raise errors.stalled(self.idle, None) from None
        except openai.APIStatusError as error:
            raise errors.from_status(
                error.status_code, error.body, error.message, error.response.headers, self.clock
            ) from error
        except openai.APIConnectionError as error:
            raise errors.from_connection(error, begun=False, partial=None) from error

    async def _create(self, body: dict[str, Any]) -> Any:
        """Send once. A kept connection that turns out to be closed has sent nothing."""
        import openai

        create = self._clients.current().chat.completions.create
        try:
            return await create(**body)
        except openai.APIConnectionError as error:
            if not errors.was_never_sent(error):
                raise
            return await create(**body)

    async def _chunks(self, stream: Any, said: Collected) -> AsyncGenerator[Any]:
        """The chunks of a stream, each within ``idle``; closes the connection however it ends."""
        import openai

        try:
            while True:
                try:
                    async with asyncio.timeout(self.idle):
                        chunk = await anext(stream)
                except StopAsyncIteration:
                    return
                yield chunk
        except TimeoutError:
            raise errors.stalled(self.idle, said.text or None) from None
        except openai.APIConnectionError as error:
            raise errors.from_connection(error, begun=True, partial=said.text or None) from error
        except openai.APIError as error:
            raise errors.from_stream(error.body, error.message, said.text or None) from error
        except ValueError as error:
            raise ModelError(
                f"The provider's stream is not readable: {error}",
                code="bad_response", permanent=True, partial=said.text or None,
            ) from error  # fmt: skip
        finally:
            await stream.close()


def _check_complete(said: Collected) -> None:
    """A stream says why it stopped; one that does not was cut."""
    partial = said.text or None
    if said.stop_reason is None:
        if said.id is None and not said.text and not said.calls:
            raise ModelError(
                "The provider answered without a message.", code="bad_response", permanent=True
            )
        raise ModelError(
            "The stream ended before the answer did.",
            code="stream_dropped", permanent=False, partial=partial,
        )  # fmt: skip
    if said.stop_reason == "content_filter":
        raise ModelError(
            "The provider's filter stopped the answer.",
            code="refused", permanent=True, partial=partial,
        )  # fmt: skip
