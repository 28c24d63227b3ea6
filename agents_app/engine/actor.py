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
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        strategy = getattr(self.strategy, "name", None) or self.spec.strategy
        self.names = (str(strategy), *map(name_of, self.middlewares))


def name_of(part: Any) -> str:
    """The name of a middleware or a strategy by itself: its ``name``, else its class."""
    return str(getattr(part, "name", None) or type(part).__name__)
