"""``http_get``: pages of hosts that the installation names, and of no private address."""

from __future__ import annotations

import asyncio
import codecs
import re
import socket
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

import playhead
from agents_app.adapters.tools.addresses import is_public
from agents_app.engine.errors import ToolError
from agents_app.engine.tools import Tool, tool
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    import aiohttp
    from yarl import URL

    from playhead.plugins import PluginContext

_HOST = re.compile(r"(\*|(\*\.)?[a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?")
_TYPES = re.compile(r"text/.*|application/(json|xml|.*\+json|.*\+xml|javascript)")
#: Codecs for other purposes; the time of the first grows with the square of the page.
_NO_CHARSETS = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"})
_PORTS = {"http": 80, "https": 443}
OFF = 'http_get is off: name its hosts in plugins.toml, ["playhead.http"] hosts = ["example.org"]'


def _host(value: str) -> str:
    if not _HOST.fullmatch(value.lower()):
        raise ValueError("a host is a name such as example.org, *.example.org or example.org:8080")
    return value.lower()


Host = Annotated[str, AfterValidator(_host)]


class HttpOptions(BaseModel):
    """``["playhead.http"]`` in ``plugins.toml``.

    ``hosts`` may be reached; ``private`` are those of them that may have a private address.
    """

    model_config = ConfigDict(extra="forbid")

    hosts: list[Host] = []
    private: list[Host] = []
    timeout: Annotated[float, Field(gt=0, le=300)] = 20.0
    max_bytes: Annotated[int, Field(ge=1, le=50_000_000)] = 1_000_000
    max_redirects: Annotated[int, Field(ge=0, le=20)] = 5


class HttpTool:
    """``tool.http_get``."""

    meta = PluginMeta(
        "playhead.http", playhead.__version__, ("tool.http_get",), config_cls=HttpOptions
    )

    def on_load(self, ctx: PluginContext) -> None:
        """Take the options."""
        self.options: HttpOptions = ctx.config

    def provide(self, _capability: str) -> Tool:
        """The tool."""
        return http_get(self.options)


def http_get(options: HttpOptions) -> Tool:
    """The tool for these options; without hosts it says in ``labels`` that it is off."""

    @tool(
        timeout=options.timeout + 1,
        max_output=options.max_bytes + 1000,
        labels={} if options.hosts else {"off": OFF},
    )
    async def http_get(url: str) -> dict[str, Any]:
        """Get a text page from the web.

        Args:
            url: with http or https.
        """
        if not options.hosts:
            raise ToolError(OFF)
        try:
            async with asyncio.timeout(options.timeout):
                return await Getter(options).get(url)
        except TimeoutError:
            raise ToolError(f"no answer within {options.timeout:g} s") from None

    return http_get


class Getter:
    """One request with its redirects."""

    def __init__(self, options: HttpOptions) -> None:
        self._options = options

    async def get(self, text: str) -> dict[str, Any]:
        """Follow redirects to a page, each hop under the same rules.

        Raises:
            ToolError: an address that may not be reached, or no page that can be read.
        """
        import aiohttp
        from yarl import URL

        try:
            url = URL(text)
            for _ in range(self._options.max_redirects + 1):
                self._check(url)
                found = await self._once(url)
                if isinstance(found, dict):
                    return found
                url = url.join(URL(found))
        except (aiohttp.ClientError, OSError) as error:
            raise ToolError(f"{type(error).__name__}: {error}") from error
        except ValueError as error:
            raise ToolError(f"this is no address: {text[:200]!r} ({error})") from error
        raise ToolError(f"more than {self._options.max_redirects} redirects")

    def _check(self, url: URL) -> None:
        host = url.host or ""
        if url.scheme not in _PORTS or not host:
            raise ToolError(f"{str(url)[:200]!r}: use an address with http or https and a host")
        if url.user or url.password:
            raise ToolError("an address with a user or a password is not taken")
        if not self._named(url, self._options.hosts):
            known = ", ".join(self._options.hosts)
            raise ToolError(f"the host {_shown(url)} is not allowed; allowed: {known}")

    @staticmethod
    def _named(url: URL, hosts: list[str]) -> bool:
        host = (url.host or "").rstrip(".").lower()
        host = f"[{host}]" if ":" in host else host
        port = url.port if url.port != _PORTS.get(url.scheme) else None
        for each in hosts:
            name, _, number = each.rpartition(":") if _has_port(each) else (each, "", "")
            if number != (str(port) if port else ""):
                continue
            if name in ("*", host) or (name.startswith("*.") and host.endswith(name[1:])):
                return True
        return False

    async def _once(self, url: URL) -> dict[str, Any] | str:
        """The page, or where it leads to; connects to the address that was looked at."""
        import aiohttp

        addresses = await self._resolved(url)
        connector = aiohttp.TCPConnector(resolver=_fixed(addresses), use_dns_cache=False)
        headers = {"User-Agent": "playhead", "Accept-Encoding": "identity"}
        async with (
            aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False
            ) as client,
            client.get(url, allow_redirects=False, headers=headers) as answer,
        ):
            where = answer.headers.get("Location")
            if answer.status in (301, 302, 303, 307, 308) and where:
                return where
            return await self._page(url, answer)

    async def _resolved(self, url: URL) -> list[tuple[int, str]]:
        """The addresses of the host, once: all of them public, unless it may be private."""
        loop, host = asyncio.get_running_loop(), url.host or ""
        try:
            found = await loop.getaddrinfo(host, url.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise ToolError(f"the host {host} is not found: {error}") from error
        addresses = [(int(family), str(place[0])) for family, _, _, _, place in found]
        if not self._named(url, self._options.private) and not all(
            is_public(address) for _, address in addresses
        ):
            raise ToolError(f"the host {_shown(url)} has an address that is not public")
        return addresses

    async def _page(self, url: URL, answer: aiohttp.ClientResponse) -> dict[str, Any]:
        kind = answer.content_type
        if not _TYPES.fullmatch(kind):
            raise ToolError(f"{kind} is no text; text, JSON and XML are read")
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise ToolError(f"the encoding {answer.headers['Content-Encoding']} is not read")
        data, limit = bytearray(), self._options.max_bytes
        async for chunk in answer.content.iter_chunked(65_536):
            data += chunk
            if len(data) > limit:
                raise ToolError(f"the page has more than {limit} bytes")
        text = _decoded(data, answer.charset)
        if answer.status >= 400:
            raise ToolError(f"status {answer.status}: {text[:500]}")
        return {"url": str(url), "status": answer.status, "content_type": kind, "text": text}


def _decoded(data: bytes | bytearray, charset: str | None) -> str:
    """The text of a page; a charset that is unknown, or none of a page, is taken for UTF-8."""
    try:
        if charset and codecs.lookup(charset).name not in _NO_CHARSETS:
            return data.decode(charset, errors="replace")
    except (LookupError, ValueError):
        pass
    return data.decode(errors="replace")


def _has_port(host: str) -> bool:
    return host.rpartition(":")[2].isdecimal() and not host.endswith("]")


def _shown(url: URL) -> str:
    port = url.port if url.port != _PORTS.get(url.scheme) else None
    return f"{url.host}:{port}" if port else str(url.host)


def _fixed(addresses: list[tuple[int, str]]) -> Any:
    """A resolver that knows nothing but these."""
    from aiohttp.abc import AbstractResolver

    class Fixed(AbstractResolver):
        async def resolve(self, host: str, port: int = 0, *_: Any, **__: Any) -> list[Any]:
            return [
                {
                    "hostname": host, "host": address, "port": port, "family": kind, "proto": 0,
                    "flags": socket.AI_NUMERICHOST,
                }
                for kind, address in addresses
            ]  # fmt: skip

        async def close(self) -> None:
            return None

    return Fixed()
