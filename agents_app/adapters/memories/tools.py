"""Memory as tools: the model itself decides what to keep and what to look for."""

from __future__ import annotations

import re
from typing import Any, Literal

from agents_app.engine import tool
from agents_app.engine.errors import ToolError
from agents_app.engine.memory import recalled
from agents_app.engine.ports import MemoryPort, Space
from agents_app.engine.tools import ToolContext  # noqa: TC001 - the schema is made of it
from playhead.core.seal import withhold

Scope = Literal["agent", "user", "workspace"]
#: The agent that calls: the last one in an address.
_AGENT = re.compile(r"agent:([^;#/]+)")
_MOST = 20
#: What is remembered at once is a note, not a book (characters): the search reads all of it.
_LONGEST = 20_000


def memory_tools(store: str, scope: Scope) -> dict[str, Any]:
    """``remember`` and ``recall`` over a memory, by capability."""

    @tool(effectful=True, idempotent=True)
    async def remember(text: str, ctx: ToolContext) -> str:
        """Keep something for later conversations.

        Args:
            text: what to keep, in words that tell it without the conversation.
        """
        if len(text) > _LONGEST:
            said = f"argument text: at most {_LONGEST:,} characters; this one has {len(text):,}"
            raise ToolError(said)
        kept = str(withhold(ctx.concealed(text)))  # another session knows nothing of this vault
        await _store(store).write(await _space(ctx, scope), ctx.key, kept)
        return "I will remember that."

    @tool
    async def recall(query: str, ctx: ToolContext, limit: int = 5) -> list[str]:
        """Look for what was kept in earlier conversations.

        Args:
            query: words of what is looked for.
            limit: at most so many texts, up to 20.
        """
        most = max(1, min(limit, _MOST))
        found = await recalled(_store(store), await _space(ctx, scope), query, limit=most)
        return [each.text for each in found]

    return {"tool.remember": remember, "tool.recall": recall}


def _store(name: str) -> MemoryPort:
    from agents_app.adapters import plugins  # they load these tools

    store: MemoryPort = plugins.current().memories.store(name)
    return store


async def _space(ctx: ToolContext, scope: Scope) -> Space:
    """The room of the agent that calls; the same names as the middleware's."""
    from agents_app.adapters.memories.rows import in_thread  # plug-ins are loaded before tables
    from agents_app.models import Session

    found = Session.objects.filter(public_id=ctx.session).values_list("workspace_id", flat=True)
    workspace: str | None = await in_thread(found.first)
    if workspace is None:
        raise ToolError("There is no session here whose memory this could be.")
    if scope == "workspace":
        return Space(workspace, "workspace")
    name = f"agent:{_AGENT.findall(ctx.address)[-1]}"
    if scope == "agent":
        return Space(workspace, name)
    if ctx.user is None:
        raise ToolError("Nobody is known for whom this could be remembered.")
    return Space(workspace, f"{name};user:{ctx.user}")
