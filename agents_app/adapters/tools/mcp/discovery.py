"""Which tools the servers have: asked when plug-ins are loaded, before any loop runs."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

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
                    answers[name] = await _catalogue(client, server)
        except TimeoutError:
            return
        except Exception as error:
            if isinstance(answers[name], str):  # what it said before it broke off holds
                answers[name] = reason(error)

    await asyncio.gather(*(one(name, server) for name, server in servers.items()))


async def _catalogue(client: Client, server: McpServer) -> Catalogue:
    info: Any = client.session.server_info
    return Catalogue(
        title=server.without_keys(str(info.title or info.name))[:200] if info else "",
        version=server.without_keys(str(info.version))[:64] if info else "",
        tools=tuple(map(checked, await listed(client, server))),
        at=stamp(SystemClock().now()),
    )


async def listed(client: Client, server: McpServer) -> tuple[Offer, ...]:
    """Every tool that the server lists, page by page.

    Raises:
        Unreachable: it lists more than ``MOST_TOOLS``.
    """
    offers: list[Offer] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        offers += (offer_of(tool, server.without_keys) for tool in page.tools)
        if len(offers) > MOST_TOOLS or (cursor and page.next_cursor == cursor):
            raise Unreachable(f"it lists more than {MOST_TOOLS} tools")
        cursor = page.next_cursor
        if not cursor:
            return in_order(offers)


def checked(offer: Offer) -> Offer:
    """The offer, with what is wrong where its schema is none: a provider would refuse every
    request of an agent that has it, whichever tool the request is about."""
    try:
        Draft202012Validator.check_schema(offer.schema)
    except (SchemaError, RecursionError) as error:
        said = getattr(error, "message", "it nests too deep")
        return replace(offer, problem=offer.problem or f"its schema is none: {said}"[:300])
    return offer
