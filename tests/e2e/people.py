"""People with browser windows of their own, and what a window has received."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request

    from tests.e2e.installations import Installation


class Person:
    """Somebody with a browser window. ``faults`` is what went wrong in it."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        options.setdefault("viewport", {"width": 1440, "height": 900})
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(30_000)
        self.faults: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        """Another tab of the same person."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "response",
            lambda r: self.faults.append(f"{r.status} {r.url}") if r.status >= 500 else None,
        )
        return page

    def sign_in(self, installation: Installation, *user: str) -> Person:
        """Use a one-time link; ends on the home page."""
        return self.open(installation.login_link(*user))

    def open(self, link: str) -> Person:
        """Use a one-time link that is there already."""
        self.page.goto(link)
        self.page.get_by_role("navigation").first.wait_for()
        return self

    def post(self, url: str, body: Any) -> Any:
        """What the console would send; the answer."""
        csrf = self.context.request.get(f"{url.split('/api/')[0]}/api/v1/me").json()["csrf"]
        answer = self.context.request.post(url, data=body, headers={"X-CSRFToken": csrf})
        assert answer.ok, answer.text()
        return answer.json()


class Received:
    """Everything a page gets from the network: bodies of all kinds, headers, socket frames."""

    def __init__(self, page: Page) -> None:
        self._requests: list[Request] = []
        self.frames: list[str] = []
        page.on("requestfinished", self._request)
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))

    def _request(self, request: Request) -> None:
        self._requests.append(request)

    def _frame(self, payload: str | bytes) -> None:
        text = payload if isinstance(payload, str) else payload.decode("utf-8", "replace")
        self.frames.append(text)

    def bodies(self) -> dict[str, str]:
        """Text by address, each with its headers. Reads what has come until now."""
        out: dict[str, str] = {}
        for request in self._requests:
            answer = request.response()
            assert answer is not None, request.url
            text = answer.body().decode("utf-8", "replace")
            out[request.url] = f"{out.get(request.url, '')}\n{answer.all_headers()}\n{text}"
        return out

    def everything(self) -> str:
        """One text in which to look for what must not be there."""
        return "\n".join([*self.bodies().values(), *self.frames])
