"""The built front end: hashed files for ever, the page itself always fresh."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from servestatic.middleware import ServeStaticMiddleware  # type: ignore[import-untyped]

NONCE_PLACE = "__CSP_NONCE__"
NOT_BUILT = (
    "The front end is not built. Run `make run`, or `npm ci && npm run build` in frontend/.\n"
)


class FrontendFiles(ServeStaticMiddleware):  # type: ignore[misc]
    """Serves what the build made, from the root, and the API docs' files under /static/.

    The names under /assets/ carry a hash of their content, so they may be kept for ever. The page
    (index.html) is not served from here: it needs its nonce and must not be kept.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if settings.PLAYHEAD_FRONTEND.is_dir():
            self.add_files(settings.PLAYHEAD_FRONTEND)

    def add_file_to_dictionary(
        self,
        url: str,
        path: str,
        root: str | os.PathLike[str] | None = None,
        stat_cache: dict[str, os.stat_result] | None = None,
    ) -> None:
        """Everything but the page."""
        if url != "/index.html":
            super().add_file_to_dictionary(url, path, root=root, stat_cache=stat_cache)

    def immutable_file_test(self, _path: str, url: str) -> bool:
        """The build names these by their content. (The setting of this name has no effect here.)"""
        return url.startswith("/assets/")


@cache
def _page(path: Path, _changed: float) -> str:
    return path.read_text(encoding="utf-8")


@require_safe
def index(request: HttpRequest, **_path: str) -> HttpResponse:
    """The page of the console, for every address that is a view of it."""
    file = settings.PLAYHEAD_FRONTEND / "index.html"
    if not file.is_file():
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    page = _page(file, file.stat().st_mtime)
    if NONCE_PLACE in page:
        page = page.replace(NONCE_PLACE, str(request.csp_nonce))  # type: ignore[attr-defined]
    return HttpResponse(page, headers=_headers(request.path))


def _headers(path: str) -> Mapping[str, str]:
    headers = {"Cache-Control": "no-store"}
    # These addresses hold a token: no page that is opened from here may learn it.
    if path.startswith(("/r/", "/login/link/")):
        headers["Referrer-Policy"] = "no-referrer"
        headers["X-Robots-Tag"] = "noindex"
    return headers
