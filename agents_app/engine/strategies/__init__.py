"""Strategies by name. A new one is one file and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.strategies.function_calling import FunctionCalling
from agents_app.engine.strategies.simple import Simple
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from agents_app.engine.strategy import Strategy

_STRATEGIES: dict[str, type[FunctionCalling] | type[Simple]] = {
    "function-calling": FunctionCalling,
    "simple": Simple,
}


def strategy_named(name: str) -> Strategy:
    """The strategy of that name.

    Raises:
        InvalidInput: there is none.
    """
    if name not in _STRATEGIES:
        known = ", ".join(sorted(_STRATEGIES))
        raise InvalidInput(
            f"strategy {name!r} is not known; use one of: {known}", detail={"field": "strategy"}
        )
    return _STRATEGIES[name]()
