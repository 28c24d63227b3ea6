"""Which tools the servers have: asked when plug-ins are loaded, before any loop runs."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import anyio

from agents_app.adapters.tools.mcp.catalogue import (
    MOST_TOOLS,
    Catalogue,
    Offer,
    in_order,
    offer_of,
)
from agents_app.adapters.tools.mcp.errors import Unreachable, reason
from agents_app.adapters.tools.mcp.transport import connected
from playhead.core.clock import SystemClock, stamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp import Client

    from agents_app.adapters.tools.mcp.settings import McpServer

#: Seconds that all servers together may take; a process stops within the rest.
LIMIT, ENDING = 20.0, 6.0
Answer = Catalogue | str


def ask(servers: Mapping[str, McpServer], *, limit: float = LIMIT) -> dict[str, Answer]:
    """The catalogue of each server, or why there is none. Blocks, ``limit`` seconds and a little.

    It has a thread and a loop of its own, so that it may be called from anywhere.
    """
    answers: dict[str, Answer] = dict.fromkeys(servers, f"it did not answer within {limit:g} s")
    work = _ask_all(servers, limit, answers)
    thread = threading.Thread(target=lambda: asyncio.run(work), name="mcp-discovery", daemon=True)
    thread.start()
    thread.join(limit + ENDING)
    return dict(answers)


async def _ask_all(
    servers: Mapping[str, McpServer], limit: float, answers: dict[str, Answer]
) -> None:
    async def one(name: str, server: McpServer) -> None:
        try:
            with anyio.fail_after(limit):
                async with connected(
                    name, server, ended=lambda: None, changed=lambda: None
                ) as client:
                    answers[name] = await _catalogue(client)
        except TimeoutError:
            return
        except Exception as error:
            if isinstance(answers[name], str):  # what it said before it broke off holds
                answers[name] = reason(error)

    await asyncio.gather(*(one(name, server) for name, server in servers.items()))


async def _catalogue(client: Client) -> Catalogue:
    info: Any = client.session.server_info
    return Catalogue(
        title=str(info.title or info.name)[:200] if info else "",
        version=str(info.version)[:64] if info else "",
        tools=await listed(client),
        at=stamp(SystemClock().now()),
    )


async def listed(client: Client) -> tuple[Offer, ...]:
    """Every tool that the server lists, page by page.

    Raises:
        Unreachable: it lists more than ``MOST_TOOLS``.
    """
    offers: list[Offer] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        offers += map(offer_of, page.tools)
        if len(offers) > MOST_TOOLS or (cursor and page.next_cursor == cursor):
            raise Unreachable(f"it lists more than {MOST_TOOLS} tools")
        cursor = page.next_cursor
        if not cursor:
            return in_order(offers)
