"""What a definition can name: parts, tools, models, other agents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents_app.engine.parts import Parts
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tools import Tool


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool that an agent can have, and where it is from: ``plugin:dice``, ``agent:desk``."""

    source: str
    tool: Tool


@dataclass(frozen=True, slots=True)
class Child:
    """A stored agent that another one can ask, in one version."""

    spec: AgentSpec
    version: int


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything that is there to be named.

    Args:
        offers: tools; a name may come twice, from two sources.
        model_fault: what is wrong with a model's name, ``None`` when it is one.
        child: an agent by slug, in a version or in the published one. Raises ``NotFound`` or
            ``InvalidInput``, whose message is told.
        why_not: why a tool of that name is not there for the moment, if it is known.
    """

    parts: Parts
    model_fault: Callable[[str], str | None]
    child: Callable[[str, int | None], Child]
    offers: Sequence[Offer] = field(default_factory=tuple)
    why_not: Callable[[str], str | None] = lambda _: None

    def named(self, name: str) -> list[Offer]:
        """The tools of that name."""
        return [each for each in self.offers if each.tool.name == name]
