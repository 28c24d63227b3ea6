"""An agent at work: its definition, and the code that the definition names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.limits import Limits
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.strategy import Strategy


@dataclass(slots=True)
class Actor:
    """What an activation runs on; ``names`` are its strategy and middlewares for a snapshot."""

    spec: AgentSpec
    strategy: Strategy
    limits: Limits
    middlewares: Sequence[Any] = ()
    names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.names = [self.strategy.name, *map(name_of, self.middlewares)]


def name_of(middleware: Any) -> str:
    """The name of a middleware: its ``name``, else its class."""
    return str(getattr(middleware, "name", None) or type(middleware).__name__)
