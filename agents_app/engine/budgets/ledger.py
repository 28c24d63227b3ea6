"""What an agent and those below it have used: folded from the log, each event once.

Tokens and money are reserved with a request and settled with its answer. What is reserved for a
request that nobody answers any more stays spent. A price that is not known adds nothing to the
sum, and is counted: the sum is a lower bound then. A branch spends its own tokens and money.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from playhead.core.usage import Usage, parse_money

if TYPE_CHECKING:
    from agents_app.engine.log.record import Record
    from playhead.core.events import Event


@dataclass(slots=True)
class Spent:
    """``calls`` are tool calls by tool; ``unpriced`` answers of which nobody knows the price."""

    model_calls: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    cost: Decimal = Decimal(0)
    unpriced: int = 0


class Ledger:
    """The account of one agent.

    Args:
        base: its scope without the step; what stands below belongs to it.
        since: only what comes after this seq counts.
    """

    def __init__(self, record: Record, base: str, since: int) -> None:
        self._record, self._prefix, self._since = record, f"{base}/", since
        self._read = 0
        self._spent = Spent()
        self._reserved: dict[int, tuple[int, Decimal]] = {}

    def before(self, seq: float = math.inf) -> Spent:
        """What was used before the event with that seq."""
        events = self._record.events
        if self._read and events[self._read - 1].seq >= seq:
            return Ledger(self._record, self._prefix[:-1], self._since).before(seq)
        while self._read < len(events) and events[self._read].seq < seq:
            self._add(events[self._read])
            self._read += 1
        return self._spent

    def _add(self, event: Event) -> None:
        kind, spent = event.event_type, self._spent
        if event.seq <= self._since:
            return
        if kind == "branch":
            spent.tokens, spent.cost, spent.unpriced = 0, Decimal(0), 0
            self._reserved.clear()
        elif not (event.scope or "").startswith(self._prefix):
            return
        elif kind == "llm_request":
            spent.model_calls += 1
            self._reserve(event)
        elif kind == "tool_call":
            spent.calls[event.payload["tool"]] += 1
        elif kind == "llm_response":
            self._settle(event)
        elif kind == "llm_error" and event.payload["final"] and not event.payload["partial"]:
            self._release(event.cause)

    def _reserve(self, event: Event) -> None:
        reserved = event.payload.get("reserved")
        if reserved:
            tokens, cost = reserved["tokens"], parse_money(reserved["cost"]) or Decimal(0)
            self._reserved[event.seq] = tokens, cost
            self._spent.tokens += tokens
            self._spent.cost += cost

    def _release(self, request: int | None) -> int:
        tokens, cost = self._reserved.pop(request or 0, (0, Decimal(0)))
        self._spent.tokens -= tokens
        self._spent.cost -= cost
        return tokens

    def _settle(self, event: Event) -> None:
        guess = self._release(event.cause)
        if event.payload["source"] != "live" or _asked_nobody(event):
            return
        usage = (Usage.from_log(event.payload.get("usage")) or Usage()).inclusive()
        known = usage.input is not None and usage.output is not None
        self._spent.tokens += (usage.input or 0) + (usage.output or 0) if known else guess
        cost = parse_money(event.payload.get("cost"))
        if cost is None:
            self._spent.unpriced += 1
        else:
            self._spent.cost += cost


def _asked_nobody(event: Event) -> bool:
    """Whether a middleware answered by itself, and says of nothing that it took."""
    return "answered_by" in event.payload and event.payload.get("usage") is None
