"""An MCP server for tests, made with the SDK: it does what servers do, and what they should not.

``python mcp_server.py FOLDER [PORT]``: over standard streams, or over HTTP on the port. What it did
stands in ``FOLDER/ledger.txt``; ``FOLDER/changed`` makes it describe ``note`` otherwise.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.types import ToolAnnotations
from pydantic import BaseModel

FOLDER = Path(sys.argv[1])
READ, AGAIN = ToolAnnotations(read_only_hint=True), ToolAnnotations(idempotent_hint=True)
server = MCPServer("tests", version="7.1")


def did(what: str) -> None:
    """A line in the ledger."""
    with (FOLDER / "ledger.txt").open("a") as ledger:
        ledger.write(f"{what}\n")


def die() -> None:
    """The whole server, at once."""
    os.kill(os.getpid(), signal.SIGKILL)


@server.tool(annotations=READ)
def echo(text: str) -> str:
    """Say it again."""
    return f"you said {text}"


@server.tool(annotations=READ, name="env")
def environment() -> dict[str, Any]:
    """The names in the environment, and the value of the one that tests set."""
    return {"names": sorted(os.environ), "token": os.environ.get("TOKEN")}


CHANGED = " Otherwise than before." if (FOLDER / "changed").exists() else ""


@server.tool(description=f"Write a line.{CHANGED}")
def note(text: str) -> str:
    did(f"note {text}")
    return "noted"


@server.tool(annotations=READ)
def look_and_die() -> str:
    """Die while it looks."""
    die()
    return ""


@server.tool()
def note_and_die(text: str) -> str:
    """Die after it has written."""
    did(f"note {text}")
    die()
    return ""


@server.tool(annotations=AGAIN)
def put_and_die() -> str:
    """Die in the middle of something that may be done again."""
    die()
    return ""


@server.tool(annotations=READ)
async def wait(seconds: float) -> str:
    """Wait; tells when it is told to stop."""
    did("waits")
    try:
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        did("stopped")
        raise
    return "waited"


@server.tool(annotations=READ)
def fail() -> str:
    """Fail."""
    raise ValueError("the shelf is empty")


@server.tool(annotations=READ)
def picture() -> Image:
    """A picture."""
    return Image(data=b"x" * 3000, format="png")


@server.tool(annotations=READ)
def flood() -> str:
    """Too much."""
    print("noise\n" * 500, file=sys.stderr)
    return "word " * 100_000


class Colour(BaseModel):
    colour: str


@server.tool(annotations=READ)
async def elicit(ctx: Context) -> str:
    """Ask the person behind the client."""
    said = await ctx.elicit("Which colour?", Colour)
    return f"{said}"


if __name__ == "__main__":
    if len(sys.argv) > 2:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        print(f"started with {os.environ.get('TOKEN', 'nothing')}", file=sys.stderr, flush=True)
        server.run("stdio")
