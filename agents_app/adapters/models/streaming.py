"""The model port over an SDK whose answers are streams: what all providers have in common."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from agents_app.adapters.models import errors
from agents_app.adapters.models.clients import SENT, Clients
from agents_app.engine.errors import ModelError
from agents_app.engine.ports import Delta, ModelReply, ModelRequest
from playhead.core.clock import Clock, SystemClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from agents_app.engine.messages import Message
    from agents_app.engine.ports import OnDelta
    from playhead.core.usage import Usage

IDLE_SECONDS = 60.0
#: Servers without accounts want no key, and the SDKs want one.
_NO_KEY = "none"
#: A stream that ends so was stopped by the provider's filter, and is no answer.
_FILTERED = "content_filter"


class Collected(Protocol):
    """What a stream has said so far."""

    @property
    def text(self) -> str: ...
    @property
    def id(self) -> str | None: ...
    @property
    def model(self) -> str | None: ...
    @property
    def usage(self) -> Usage | None: ...
    @property
    def stop_reason(self) -> str | None: ...

    def feed(self, chunk: Any) -> Iterator[Delta]:
        """Take a chunk in and give its deltas. Raises ``ModelError`` for an error event."""
        ...

    def message(self) -> Message:
        """The answer as a message."""
        ...


class StreamingModel:
    """One model at one address. Streams; never retries.

    Args:
        model: the provider's name of the model.
        api_key: the account's key; not needed at another address.
        base_url: another server of the protocol; the provider itself when there is none.
        idle: seconds without a chunk after which the call counts as stalled.
    """

    #: The provider's name in ``provider:model``, and the setting that holds its key.
    provider: ClassVar[str]
    key_name: ClassVar[str]

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
        self.base_url = base_url or None
        self._key = api_key or (_NO_KEY if base_url else None)
        self._clients = Clients(lambda: self._client(self._key or _NO_KEY))
        self._calls = 0
        self._retired = False

    def _sdk(self) -> Any:
        """The SDK, imported on first use."""
        raise NotImplementedError

    def _client(self, key: str) -> Any:
        """A client of the SDK at this address."""
        raise NotImplementedError

    async def _create(self, client: Any, request: ModelRequest) -> Any:
        """Send the request; the SDK's stream."""
        raise NotImplementedError

    def _collected(self) -> Collected:
        """A collector for one answer."""
        raise NotImplementedError

    def _events(self, stream: Any) -> AsyncIterator[Any]:
        """The chunks of a stream."""
        return aiter(stream)

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """Ask once. See ``ModelPort``; what was said before an error is its ``partial``."""
        if self._key is None:
            raise ModelError(f"{self.key_name} is not set.", code="auth", permanent=True)
        sent: dict[str, str] = {}
        token = SENT.set(sent)
        said = self._collected()
        began = self.clock.monotonic()
        first: float | None = None

        def take_in(chunk: Any) -> None:
            nonlocal first
            for delta in said.feed(chunk):
                first = self.clock.monotonic() if first is None else first
                on_delta(delta)

        self._calls += 1
        try:
            await self._read(await self._open(request), said, take_in)
            message = _complete(said)
        except ModelError as error:
            error.usage = said.usage
            raise
        finally:
            SENT.reset(token)
            self._calls -= 1
            if self._retired:
                await self._let_go()
        return ModelReply(
            message=message,
            stop_reason=said.stop_reason,
            usage=said.usage,
            model=f"{self.provider}:{said.model or self.model}",
            provider={"id": said.id, **sent},
            ttft_ms=None if first is None else round((first - began) * 1000),
        )

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]] | None = None
    ) -> Message:
        """The small form of the port: the whole answer; its calls have the provider's ids."""
        asked = ModelRequest(tuple(messages), tuple(tools or ()))
        message = (await self.respond(asked, lambda _: None)).message
        calls = [
            replace(call, id=call.provider_id or f"call_{place}")
            for place, call in enumerate(message.calls)
        ]
        return replace(message, tool_calls=calls or None)

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]] | None = None
    ) -> AsyncIterator[str]:
        """The small form of the port: the text of the answer as it comes.

        Raises:
            ModelError: after what was said before it.
        """
        pieces: asyncio.Queue[str | None] = asyncio.Queue()

        def feed(delta: Delta) -> None:
            if delta.part == "text":
                pieces.put_nowait(delta.text)

        asked = ModelRequest(tuple(messages), tuple(tools or ()))
        call = asyncio.ensure_future(self.respond(asked, feed))
        call.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            await call
        finally:
            if not call.done():
                call.cancel()
                await asyncio.wait({call})

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        await self._clients.aclose()

    async def retire(self) -> None:
        """Close them too, when the calls that run have ended: nobody will ask for this port."""
        self._retired = True
        await self._let_go()

    async def _let_go(self) -> None:
        if not self._calls:
            await self.aclose()

    async def _open(self, request: ModelRequest) -> Any:
        """Send the request and wait until the stream begins."""
        sdk = self._sdk()
        try:
            async with asyncio.timeout(self.idle):
                return await self._send(request)
        except TimeoutError:
            raise errors.stalled(self.idle, None) from None
        except sdk.APIStatusError as error:
            raise errors.from_status(
                error.status_code, error.body, error.message, error.response.headers, self.clock
            ) from error
        except sdk.APIConnectionError as error:
            raise errors.from_connection(error, begun=False, partial=None) from error

    async def _send(self, request: ModelRequest) -> Any:
        """Send once. A kept connection that turns out to be closed has sent nothing."""
        client = self._clients.current()
        try:
            return await self._create(client, request)
        except self._sdk().APIConnectionError as error:
            if not errors.was_never_sent(error):
                raise
            return await self._create(client, request)

    async def _read(self, stream: Any, said: Collected, take_in: Callable[[Any], None]) -> None:
        """Read a stream, each chunk within ``idle``; closes the connection however it ends."""
        import httpx2

        sdk, now = self._sdk(), asyncio.get_running_loop().time
        try:
            async with asyncio.timeout(self.idle) as patience:
                async for chunk in self._events(stream):
                    take_in(chunk)
                    patience.reschedule(now() + self.idle)
        except TimeoutError:
            raise errors.stalled(self.idle, said.text or None) from None
        except (sdk.APIConnectionError, httpx2.TransportError) as error:
            raise errors.from_connection(error, begun=True, partial=said.text or None) from error
        except sdk.APIError as error:
            raise errors.from_stream(error.body, error.message, said.text or None) from error
        except ValueError as error:
            raise ModelError(
                f"The provider's stream is not readable: {error}",
                code="bad_response", permanent=True, partial=said.text or None,
            ) from error  # fmt: skip
        finally:
            await stream.close()


def _complete(said: Collected) -> Message:
    """The message of a stream that says why it stopped; one that does not was cut."""
    message, partial = said.message(), said.text or None
    if said.stop_reason is None:
        if said.id is None and not said.text and not message.calls:
            raise ModelError(
                "The provider answered without a message.", code="bad_response", permanent=True
            )
        raise ModelError(
            "The stream ended before the answer did.",
            code="stream_dropped", permanent=False, partial=partial,
        )  # fmt: skip
    if said.stop_reason == _FILTERED:
        raise ModelError(
            "The provider's filter stopped the answer.",
            code="refused", permanent=True, partial=partial,
        )  # fmt: skip
    return message
