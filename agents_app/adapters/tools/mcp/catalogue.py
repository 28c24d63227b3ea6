"""What a server said about its tools: kept in a file, so that it is known while it is down."""

from __future__ import annotations

import json
import logging
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playhead.core import canonical, digest
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agents_app.adapters.tools.mcp.settings import Effect, McpServer

logger = logging.getLogger(__name__)
#: What a server may say: more of it would only fill every prompt.
MOST_TOOLS, LONGEST_TEXT, LARGEST_SCHEMA = 500, 8_000, 64_000


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool as its server describes it. ``hint`` is the effect class, ``None``: not known."""

    name: str
    description: str
    schema: dict[str, Any]
    hint: Effect | None = None
    problem: str | None = None

    @property
    def version(self) -> str:
        """What an approval binds to: another description or schema is another tool."""
        return digest.of_value([self.name, self.description, self.schema])


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tools of a server, and what it says of itself."""

    title: str
    version: str
    tools: tuple[Offer, ...]
    at: str = ""

    def versions(self) -> dict[str, str]:
        """The versions by name."""
        return {offer.name: offer.version for offer in self.tools}


def offer_of(tool: Any, conceal: Callable[[str], str] = str) -> Offer:
    """What the SDK's ``Tool`` says, in the form of the log, no longer than it may be.

    Args:
        conceal: takes out of a text what no prompt, log or page may show.
    """
    text = conceal(sanitise(tool.description or tool.title or "")[0])
    said = {"properties": {}, **tool.input_schema, "type": "object"}
    schema = _concealed(sanitise(said)[0], conceal)
    name, _ = sanitise(tool.name)
    return Offer(
        name=name[:200],
        description=text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…",
        schema=schema,
        hint=_hint(tool.annotations),
        problem=_problem(tool, schema),
    )


def _concealed(value: Any, conceal: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return conceal(value)
    if isinstance(value, dict):
        return {conceal(name): _concealed(each, conceal) for name, each in value.items()}
    return [_concealed(each, conceal) for each in value] if isinstance(value, list) else value


def _hint(said: Any) -> Effect | None:
    if said is None:
        return None
    if said.read_only_hint:
        return "read"
    return "idempotent" if said.idempotent_hint else None


def _problem(tool: Any, schema: dict[str, Any]) -> str | None:
    if len(canonical.dumps(schema)) > LARGEST_SCHEMA:
        return f"its schema is larger than {LARGEST_SCHEMA} bytes"
    execution = getattr(tool, "execution", None)
    if execution is not None and execution.task_support == "required":
        return "it runs as a task only, which Playhead does not do"
    return None


def keep(folder: Path, name: str, server: McpServer, catalogue: Catalogue) -> None:
    """Write the catalogue; a folder that can't be written costs only the memory of it."""
    data = {"of": server.about, **asdict(catalogue)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=folder, delete=False) as file:
            file.write(canonical.dumps(data))
        Path(file.name).replace(folder / f"{name}.json")
    except OSError as error:
        logger.warning("The tools of the MCP server %s could not be kept: %s", name, error)


def kept(folder: Path, name: str, server: McpServer) -> Catalogue | None:
    """The catalogue as it was read last from the same command or address, if it ever was."""
    try:
        data = json.loads((folder / f"{name}.json").read_bytes())
        if data.pop("of") != server.about:
            return None
        tools = tuple(Offer(**each) for each in data.pop("tools"))
        return Catalogue(tools=tools, **data)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def in_order(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Each name once, in one order whatever the server's is: the prompt is the same again."""
    return tuple(offer for _, offer in sorted({offer.name: offer for offer in offers}.items()))
