"""A limit with what is used of it: whether it is reached, and how that is said."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import LimitReached
from agents_app.engine.limits import MONEY
from playhead.core.usage import money_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES = {
    "max_model_calls": "model calls",
    "max_tool_calls": "tool calls",
    "max_calls_of": "calls",
    "max_tokens": "tokens",
    "max_cost": "cost",
}


@dataclass(frozen=True, slots=True)
class Breach:
    """A limit of the agent with that ``base`` and ``address``, of a ``run`` or the ``session``.

    ``used`` of money is a lower bound where ``unpriced`` answers have no known price. ``need`` is
    what the refused request would have reserved, ``None`` where nobody knows. ``asks``: a person
    may give more.
    """

    base: str
    address: str
    per: str
    what: str = ""
    limit: Any = None
    used: Any = 0
    unpriced: int = 0
    need: Any = None
    tool: str = ""
    why: str = "reached"
    role: str = "approver"
    asks: bool = False
    gave_up: bool = False

    @property
    def is_money(self) -> bool:
        """Whether it is about US dollars."""
        return self.what == "max_cost"

    def is_reached(self, tokens: int, cost: Decimal | None) -> bool:
        """Whether a request that takes so much is too much; a price nobody knows is."""
        if self.is_money:
            return cost is None or self.used + cost > Decimal(self.limit)
        if self.what == "max_tokens":
            return bool(self.used + tokens > self.limit)
        return bool(self.used >= self.limit)

    def info(self) -> dict[str, Any]:
        """What a question says."""
        info = {"what": self.what, "per": self.per, "of": self.address, "why": self.why}
        info |= {"limit": self.limit, "used": self._used}
        more = {"unpriced": self.unpriced or None, "need": self.need}
        return info | {name: value for name, value in more.items() if value is not None}

    def reached(self) -> LimitReached:
        """What ends the run."""
        return LimitReached(self.base, self.what, self.limit, self._used, said(self))

    @property
    def _used(self) -> Any:
        return money_text(self.used) if isinstance(self.used, Decimal) else self.used


def said(breach: Breach) -> str:
    """The sentence in the place of an answer."""
    of = f" of {breach.tool}" if breach.tool else ""
    unit = " US dollars" if breach.is_money else ""
    text = f"Stopped: the {breach.per} reached the maximum {_NAMES.get(breach.what, breach.what)}"
    text += f"{of} ({breach.limit}{unit})"
    if breach.why == "unknown_price":
        text += ": the price of the model is not known, so the limit can't be kept"
    if breach.gave_up:
        text += "; a person gave no more"
    return f"{text}."


def too_little(info: Mapping[str, Any], maximum: Any) -> str | None:
    """Why a new maximum would not let the request pass that a question is about.

    Args:
        info: what the question says (``Breach.info``).
        maximum: what a person gave; ``None`` lifts the limit.
    """
    if maximum is None:
        return None
    if info.get("why") == "unknown_price":
        said = "The price of the model is not known, so money can't be counted and no maximum helps"
        return f"{said}: send null to go on without one, or give up."
    used, need = Decimal(str(info["used"])), Decimal(str(info.get("need") or 0))
    given = Decimal(str(maximum))
    if not need and given <= used:
        return f"{used:f} is used already: give more than that."
    if given >= used + need:
        return None
    return f"It takes at least {used + need:f}: {used:f} is used, this request reserves {need:f}."


def schema_of(what: str) -> dict[str, Any]:
    """What a person may answer: the new maximum, or null for none."""
    if what == "max_cost":
        return {"type": ["string", "null"], "pattern": MONEY, "title": "US dollars in all"}
    return {"type": ["integer", "null"], "minimum": 1, "title": "Tokens in all"}
