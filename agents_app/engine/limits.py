"""Limits of an agent's work. They are the kernel's, never a plug-in's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import Field

# Strict: ``true`` is no number here.
Count = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
Tokens = Annotated[int, Field(strict=True, ge=1, le=10**12)]
#: A decimal number of US dollars, as text.
MONEY = r"^\d{1,9}(\.\d{1,9})?$"
Money = Annotated[str, Field(pattern=MONEY, examples=["0.50"])]
Role = Literal["operator", "approver", "editor", "admin"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run and, where their names say so, of the whole session.

    Args:
        max_steps: steps after which a run that has no answer ends with the outcome limit.
        window: how many messages the model sees, the newest; all when it is empty.
        max_model_calls: requests to models in a run, those of agents below included.
        max_tool_calls: tool calls in a run, those of agents below included.
        max_calls_of: tool calls in a run by the name of the tool.
        max_tokens: input and output tokens of a run; estimated until an answer says them.
        max_cost: US dollars of a run, as a decimal number.
        session_model_calls: requests to models in the whole session.
        session_tool_calls: tool calls in the whole session.
        session_tokens: tokens of the whole session.
        session_cost: US dollars of the whole session.
        at_budget: when tokens or money are used up, ask a person for more, or end the run.
        budget_role: who may give more.
    """

    max_steps: Annotated[int, Field(strict=True, ge=1, le=1000)] = 10
    window: Count | None = None
    max_model_calls: Count | None = None
    max_tool_calls: Count | None = None
    max_calls_of: Mapping[str, Count] = field(default_factory=dict)
    max_tokens: Tokens | None = None
    max_cost: Money | None = None
    session_model_calls: Count | None = None
    session_tool_calls: Count | None = None
    session_tokens: Tokens | None = None
    session_cost: Money | None = None
    at_budget: Literal["ask", "end"] = "ask"
    budget_role: Role = "approver"

    def merged(self, changes: Mapping[str, Any] | None) -> Limits:
        """These limits with some of them replaced."""
        return replace(self, **{k: v for k, v in (changes or {}).items() if k in self.__slots__})

    def to_definition(self) -> dict[str, Any]:
        """What a definition stores: steps and window, and what else is limited."""
        usual = asdict(Limits())
        return {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in asdict(self).items()
            if name in ("max_steps", "window") or value != usual[name]
        }
