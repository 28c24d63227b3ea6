"""``http_get``: which hosts it reaches, which addresses it never does, and how much it reads."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from pydantic import ValidationError

from agents_app.adapters.tools.addresses import is_public
from agents_app.adapters.tools.http import HttpOptions, http_get
from agents_app.engine.errors import ToolError
from agents_app.engine.tools.single import context_alone, text_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PRIVATE = [
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1",
    "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::127.0.0.1", "2001:db8::1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a9fe:a9fe::1", "no address", "",
    "64:ff9b:1::a9fe:a9fe", "64:ff9b:1::127.0.0.1", "64:ff9b:1:7f00:0:1::",
    "64:ff9b:1:aa:7f:0:100::",
    "64:ff9b:1:0:7f:0:100::", "::ffff:0:7f00:1", "2001:db8::5efe:7f00:1",
    "2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:169.254.169.254",
    "2001:0:a00:1::f7f7:f7f7",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_i52_an_address_that_is_not_public_is_known_in_every_form(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07::1", "::ffff:8.8.8.8", "2002:808:808::"],
)
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


async def get(url: str, **options: Any) -> str:
    made = http_get(HttpOptions(**options))
    return await text_of(made, {"url": url}, context_alone("k"))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1/", "not public"),
        ("http://localhost/", "not public"),
        ("http://2130706433/", "not public"),
        ("http://0x7f000001/", "not public"),
        ("http://0177.0.0.1/", "not public"),
        ("http://127.1/", "not public"),
        ("http://[::1]/", "not public"),
        ("http://[::ffff:127.0.0.1]/", "not public"),
        ("http://[::ffff:a9fe:a9fe]/", "not public"),
        ("http://169.254.169.254/latest/meta-data", "not public"),
        ("http://0/", "not public"),
        ("http://localhost./", "not "),
        ("ftp://example.org/", "http or https"),
        ("file:///etc/passwd", "http or https"),
        ("gopher://127.0.0.1:70/", "http or https"),
        ("example.org", "http or https"),
        ("", "http or https"),
        ("http://user:secret@example.org/", "a user or a password"),
        ("http://example.org:22/", "not allowed"),
        ("http://[::1", "no address"),
    ],
)
async def test_i52_no_form_of_a_private_address_is_reached_where_every_host_is_allowed(
    url: str, said: str
) -> None:
    with pytest.raises(ToolError) as caught:
        await get(url, hosts=["*"])
    assert said in caught.value.message
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("hosts", "url", "allowed"),
    [
        (["example.org"], "http://example.org/", True),
        (["example.org"], "http://EXAMPLE.org./x", True),
        (["example.org"], "http://www.example.org/", False),
        (["example.org"], "http://example.org.evil.net/", False),
        (["example.org"], "http://evil.net/?example.org", False),
        (["example.org"], "http://evilexample.org/", False),
        (["*.example.org"], "https://a.b.example.org/", True),
        (["*.example.org"], "https://example.org/", False),
        (["*.example.org"], "https://evilexample.org/", False),
        (["example.org:8080"], "http://example.org:8080/", True),
        (["example.org:8080"], "http://example.org/", False),
        (["example.org"], "http://example.org:8080/", False),
    ],
)
async def test_only_the_hosts_of_the_settings_are_reached(
    hosts: list[str], url: str, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nowhere(*_: Any, **__: Any) -> Any:
        raise OSError("resolved")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", nowhere, raising=False)
    with pytest.raises(ToolError) as caught:
        await get(url, hosts=hosts)
    assert ("resolved" in caught.value.message) is allowed


async def test_without_hosts_it_is_off_and_says_what_to_do() -> None:
    made = http_get(HttpOptions())
    assert "hosts" in made.labels["off"]
    with pytest.raises(ToolError, match="http_get is off: name its hosts"):
        await get("http://example.org/")


@pytest.mark.parametrize(
    ("options", "field"),
    [({"hosts": ["http://x"]}, "hosts.0"), ({"timeout": 0}, "timeout"), ({"host": []}, "host")],
)
def test_a_setting_that_does_not_fit_is_named(options: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        HttpOptions(**options)
    assert ".".join(map(str, caught.value.errors()[0]["loc"])) == field


def test_it_may_run_again() -> None:
    assert not http_get(HttpOptions()).effectful


@asynccontextmanager
async def served(*routes: tuple[str, Any]) -> AsyncIterator[str]:
    """A server on this machine, as ``127.0.0.1:port``."""
    app = web.Application()
    for path, handler in routes:
        app.router.add_get(path, handler)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def answers(text: str = "hello", **headers: Any) -> Any:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(text=text, **headers)

    return answer


def leads(to: str) -> Any:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": to})

    return answer


def allowing(host: str, **options: Any) -> dict[str, Any]:
    return {"hosts": [host], "private": [host], **options}


async def test_a_page_is_read_and_a_private_one_only_where_that_is_said() -> None:
    async with served(("/", answers())) as host:
        assert '"text":"hello"' in await get(f"http://{host}/", **allowing(host))
        with pytest.raises(ToolError, match="not public"):
            await get(f"http://{host}/", hosts=[host])


async def test_i52_a_redirect_is_looked_at_like_the_first_address() -> None:
    async with served(
        ("/here", leads("/there")), ("/there", answers("found")),
        ("/in", leads("http://169.254.169.254/")), ("/file", leads("file:///etc/passwd")),
        ("/round", leads("/round")), ("/other", leads("http://10.0.0.1/")),
    ) as host:  # fmt: skip
        assert "found" in await get(f"http://{host}/here", **allowing(host))
        for path, said in (
            ("in", "not allowed"), ("file", "http or https"), ("round", "more than 2 redirects"),
        ):  # fmt: skip
            with pytest.raises(ToolError, match=said):
                await get(f"http://{host}/{path}", **allowing(host, max_redirects=2))
        with pytest.raises(ToolError, match="not public"):
            await get(f"http://{host}/other", hosts=["*", host], private=[host])


async def test_i52_a_name_is_resolved_once_and_that_address_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: the second answer would be private; nobody asks for a second one."""
    asked: list[str] = []
    loop = asyncio.get_running_loop()

    async def rebinding(host: str, port: int, **_: Any) -> Any:
        asked.append(host)
        address = "93.184.215.14" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    connected: list[Any] = []

    async def connect(*_: Any, addr_infos: Any = None, **__: Any) -> Any:
        connected.extend(info[4][0] for info in addr_infos)
        raise OSError("not today")

    monkeypatch.setattr(loop, "getaddrinfo", rebinding, raising=False)
    monkeypatch.setattr("aiohappyeyeballs.start_connection", connect)
    with pytest.raises(ToolError):
        await get("http://example.org/", hosts=["example.org"])
    assert asked == ["example.org"]
    assert set(connected) == {"93.184.215.14"}


async def test_one_private_address_among_public_ones_is_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def both(host: str, port: int, **_: Any) -> Any:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in ("93.184.215.14", "10.0.0.1")
        ]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", both, raising=False)
    with pytest.raises(ToolError, match="not public"):
        await get("http://example.org/", hosts=["example.org"])


async def test_size_kind_encoding_status_and_time_are_bounded() -> None:
    hang = asyncio.Event()

    async def hangs(_request: web.Request) -> web.Response:
        await hang.wait()
        return web.Response()

    async with served(
        ("/large", answers("x" * 2000)), ("/image", answers(content_type="image/png")),
        ("/zip", answers(headers={"Content-Encoding": "gzip"})),
        ("/gone", answers("no", status=404)),
        ("/hangs", hangs), ("/json", answers("{}", content_type="application/ld+json")),
    ) as host:  # fmt: skip
        options = allowing(host, max_bytes=1000, timeout=0.3)
        for path, said in (
            ("large", "more than 1000 bytes"), ("image", "image/png is no text"),
            ("zip", "the encoding gzip"), ("gone", "status 404: no"), ("hangs", "within 0.3 s"),
        ):  # fmt: skip
            with pytest.raises(ToolError, match=said):
                await get(f"http://{host}/{path}", **options)
        assert '"status":200' in await get(f"http://{host}/json", **options)
        hang.set()


@pytest.mark.parametrize("charset", ["punycode", "unicode_escape", "idna", "undefined", "none"])
async def test_a_charset_that_is_none_of_a_page_is_not_decoded_by(charset: str) -> None:
    """A page says it: decoding punycode would hold everybody up for minutes."""
    text = "\\x41-" + "a" * 3000
    kind = {"Content-Type": f"text/plain; charset={charset}"}

    async def page(_request: web.Request) -> web.Response:
        return web.Response(body=text.encode(), headers=kind)

    async with served(("/", page)) as host:
        assert text in json.loads(await get(f"http://{host}/", **allowing(host)))["text"]
