"""Long answers, sent while they are made."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from django.http import HttpRequest

#: Lines that are made and sent at once.
AT_ONCE = 50


def streamed(
    request: HttpRequest, lines: Iterator[str], content_type: str
) -> StreamingHttpResponse:
    """An answer of lines, made a few at a time.

    The first few are made at once: what is wrong with the request is an answer of its own.
    """
    first = "".join(islice(lines, AT_ONCE))
    if isinstance(request, ASGIRequest):
        return StreamingHttpResponse(_sent(first, lines), content_type=content_type)
    return StreamingHttpResponse(_parts(first, lines), content_type=content_type)


def _parts(part: str, lines: Iterator[str]) -> Iterator[str]:
    while part:
        yield part
        part = "".join(islice(lines, AT_ONCE))


async def _sent(first: str, lines: Iterator[str]) -> AsyncIterator[str]:
    """For a server with an event loop, which the work of the next part must not hold."""
    parts = _parts(first, lines)
    following = sync_to_async(lambda: next(parts, None))
    while (part := await following()) is not None:
        yield part
