"""What Django itself answers under /api: as a problem, not as a page."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from playhead.rest.problems import CODES, CONTENT_TYPE, TITLES, problem

Answer = HttpResponseBase | Awaitable[HttpResponseBase]


def _as_problem(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    status = response.status_code
    kind = response.headers.get("Content-Type", "")
    if not request.path.startswith("/api/") or status < 400:
        return response
    if kind.startswith((CONTENT_TYPE, "application/json")):
        return response
    code = CODES.get(status, "internal_error" if status >= 500 else "error")
    answer = problem(status, code, TITLES.get(status, "Error"))
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in response.headers:
            answer[name] = response.headers[name]
    return answer


@sync_and_async_middleware
def problem_pages(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Answer]:
    """404, 405, 400 and 500 under /api are problem+json, whoever made them."""
    if iscoroutinefunction(get_response):

        async def later(request: HttpRequest) -> HttpResponseBase:
            return _as_problem(request, await get_response(request))

        return later

    def now(request: HttpRequest) -> HttpResponseBase:
        return _as_problem(request, get_response(request))

    return now
