"""What can go wrong with a server, as one sentence; and whether a call may have happened."""

from __future__ import annotations

from pydantic import ValidationError

from playhead.core.errors import PlayheadError


class Unreachable(PlayheadError):
    """The server can't be asked: nothing was sent to it, and it may be tried again."""

    code = "mcp_unreachable"
    permanent = False


def reason(error: BaseException) -> str:
    """Why, told by the innermost error of a group that says anything."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{error.title}: {where}: {first['msg']}"[:500]
    text = str(error).strip().split("\n")[0][:500]
    return text or type(error).__name__


def may_have_run(error: BaseException) -> bool:
    """Whether the request may have been carried out although no answer to it came."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, PARSE_ERROR

    if not isinstance(error, MCPError):
        return True
    return error.code in (CONNECTION_CLOSED, PARSE_ERROR) or error.message.startswith(_LOST)


#: What the SDK's HTTP transport says by itself, where no server has answered the request.
_LOST = (
    "Server returned an error response",
    "Unexpected content type",
    "server answered a request",
)
#: What it says of a session that the server does not know any more: nothing has run.
FORGOTTEN = "Session terminated"
