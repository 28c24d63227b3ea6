"""The check of limits, with each intent: may this request be made, may this call be run?

Of an agent below others, all of their limits count. What the log has is not decided again: a
recorded intent was allowed, a recorded question is asked again as it was.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from agents_app.engine.budgets.breach import Breach, schema_of
from agents_app.engine.budgets.ledger import Ledger, Spent
from agents_app.engine.errors import Interrupted, LimitReached
from agents_app.engine.model_calls.size import all_tokens, tokens_in
from playhead.core import canonical, digest
from playhead.core.events import Draft, Event
from playhead.core.usage import Usage, money_text, parse_money

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agents_app.engine.limits import Limits
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop, Offer
    from agents_app.engine.messages import Message

_OUTPUT = ("max_tokens", "max_completion_tokens", "max_output_tokens")


@dataclass(frozen=True, slots=True)
class Need:
    """What a request takes, as far as it can be told before: ``cost`` is ``None`` if unknown."""

    tokens: int
    cost: Decimal | None

    def to_log(self) -> dict[str, Any]:
        """The form in ``llm_request``."""
        return {"tokens": self.tokens, "cost": money_text(self.cost)}

    def of(self, what: str) -> int | str | None:
        """How much of a limit it takes, as a question says it."""
        return {"max_tokens": self.tokens, "max_cost": money_text(self.cost)}.get(what)


def admit_request(
    loop: Loop, activation: Activation, scope: str, model: str, seen: Sequence[Message],
    offer: Offer,
) -> dict[str, Any] | None:  # fmt: skip
    """Let a model request pass; returns what to reserve for it, where tokens or money are limited.

    Raises:
        Interrupted: tokens or money are used up, and nobody has decided.
        LimitReached: the run, or that of an agent above, ends here.
        Cancelled, Paused: people said something first.
    """
    owners = [each for each in _upwards(activation) if _limits_model(each.actor.limits)]
    need: Need | None = None
    while owners:
        asked = loop.seam.peek(scope, "interrupt")
        if asked is not None and asked.payload["kind"] == "budget":
            _decided(loop, activation, scope, _asked_again(loop, owners, asked))
            continue
        if loop.seam.peek(scope, "llm_request") is not None:
            return None
        _follow(loop, activation)
        if loop.seam.replaying:
            return None
        need = need or _need(loop, owners, model, seen, offer)
        breach = next(_request_breaches(loop, owners, need), None)
        if breach is None:
            return need.to_log() if any(_has_budget(o.actor.limits) for o in owners) else None
        loop.seam.fence(scope, "llm_request")
        if not breach.asks:
            raise breach.reached()
        _decided(loop, activation, scope, breach)
    return None


def admit_call(loop: Loop, activation: Activation, scope: str, tool: str) -> None:
    """Let a tool call pass.

    Raises:
        LimitReached: the run, or that of an agent above, ends here.
        Cancelled, Paused: people said something first.
    """
    owners = [each for each in _upwards(activation) if _limits_tools(each.actor.limits)]
    if not owners or loop.seam.peek(scope, "tool_call") is not None:
        return
    _follow(loop, activation)
    if loop.seam.replaying:
        return
    for owner in owners:
        for breach in _call_breaches(loop, owner, tool):
            loop.seam.fence(scope, "tool_call")
            raise breach.reached()


def ended_by_limit(loop: Loop, activation: Activation) -> None:
    """End an agent, or one above it, whose limit has ended what stood below it.

    Raises:
        LimitReached: the record says so, or will: the limit is reached as it was then.
    """
    _follow(loop, activation)
    for owner in _upwards(activation):
        for breach in _bounds(loop, owner):
            if not breach.asks and breach.is_reached(1, Decimal(0)):
                raise breach.reached()
            if (why := _gave_up(loop, breach)) is not None:
                raise replace(breach, gave_up=True, why=why).reached()
        for tool in ("", *owner.actor.limits.max_calls_of):
            for breach in _call_breaches(loop, owner, tool):
                raise breach.reached()


def _gave_up(loop: Loop, breach: Breach) -> str | None:
    """Why a person was asked in this run about this limit, where they gave no more."""
    since = loop.seam.run.since if loop.seam.run else 0
    mine = (breach.address, breach.per, breach.what)
    for question in loop.record.by_type.get("interrupt", ()):
        if question.payload["kind"] == "budget" and question.seq > since:
            info, decision = question.payload["info"], loop.record.decision(question.payload["id"])
            gave_up = decision is not None and decision.payload["decision"] == "give_up"
            if gave_up and (info["of"], info["per"], info["what"]) == mine:
                return str(info["why"])
    return None


def _upwards(activation: Activation) -> list[Activation]:
    """The agent and those above it, the outermost first."""
    above = _upwards(activation.parent) if activation.parent else []
    return [*above, activation]


def _limits_model(limits: Limits) -> bool:
    return _has_budget(limits) or bool(limits.max_model_calls or limits.session_model_calls)


def _has_budget(limits: Limits) -> bool:
    budgets = (limits.max_tokens, limits.max_cost, limits.session_tokens, limits.session_cost)
    return budgets != (None, None, None, None)


def _limits_tools(limits: Limits) -> bool:
    return bool(limits.max_tool_calls or limits.max_calls_of or limits.session_tool_calls)


def _follow(loop: Loop, activation: Activation) -> None:
    """End where the record says that a limit was reached in this step."""
    for owner in _upwards(activation):
        recorded = loop.seam.peek(owner.next_scope, "limit")
        if recorded is not None and recorded.payload["what"] != "max_steps":
            said = recorded.payload
            used = said["used"]
            raise LimitReached(owner.base, said["what"], said["limit"], used, said["text"])


def _need(
    loop: Loop, owners: Sequence[Activation], model: str, seen: Sequence[Message], offer: Offer
) -> Need:
    tools = tokens_in(canonical.dumps(offer.tools).decode()) if offer.tools else 0
    given = next((offer.params[name] for name in _OUTPUT if name in offer.params), 0)
    output = given if isinstance(given, int) else 0
    sent = all_tokens(seen) + tools
    cost = None
    if any(each.actor.limits.max_cost or each.actor.limits.session_cost for each in owners):
        cost, _ = loop.price(model, Usage(sent, output, 0, 0, "estimated"))
    return Need(sent + output, parse_money(cost))


def _request_breaches(loop: Loop, owners: Sequence[Activation], need: Need) -> Iterator[Breach]:
    for owner in owners:
        for breach in _bounds(loop, owner):
            if breach.is_reached(need.tokens, need.cost):
                unknown = breach.is_money and need.cost is None
                why = "unknown_price" if unknown else breach.why
                yield replace(breach, why=why, need=need.of(breach.what))


def _bounds(loop: Loop, owner: Activation, before: float = math.inf) -> Iterator[Breach]:
    """Every limit of requests that an agent has, with what is used of it."""
    limits = owner.actor.limits
    for per in ("run", "session"):
        spent = _spent(loop, owner, per, before)
        session = per == "session"
        calls = limits.session_model_calls if session else limits.max_model_calls
        tokens = limits.session_tokens if session else limits.max_tokens
        cost = limits.session_cost if session else limits.max_cost
        at = Breach(owner.base, owner.address, per, role=limits.budget_role)
        asks = limits.at_budget == "ask"
        if calls is not None:
            yield replace(at, what="max_model_calls", limit=calls, used=spent.model_calls)
        budgets = (("max_tokens", tokens, spent.tokens), ("max_cost", cost, spent.cost))
        for what, chosen, used in budgets:
            limit = None if chosen is None else _raised(loop, at, what, before, chosen)
            if limit is not None:
                unpriced = spent.unpriced if what == "max_cost" else 0  # tokens are all known
                yield replace(at, what=what, limit=limit, used=used, unpriced=unpriced, asks=asks)


def _call_breaches(loop: Loop, owner: Activation, tool: str) -> Iterator[Breach]:
    limits = owner.actor.limits
    for per in ("run", "session"):
        spent = _spent(loop, owner, per, math.inf)
        at = Breach(owner.base, owner.address, per)
        whole = limits.max_tool_calls if per == "run" else limits.session_tool_calls
        if whole is not None and spent.calls.total() >= whole:
            yield replace(at, what="max_tool_calls", limit=whole, used=spent.calls.total())
        own = limits.max_calls_of.get(tool) if per == "run" else None
        if own is not None and spent.calls[tool] >= own:
            yield replace(at, what="max_calls_of", limit=own, used=spent.calls[tool], tool=tool)


def _spent(loop: Loop, owner: Activation, per: str, before: float) -> Spent:
    since = loop.seam.run.since if per == "run" and loop.seam.run else 0
    key = (owner.base, since)
    ledger = loop.ledgers.get(key)
    if ledger is None:
        ledger = loop.ledgers[key] = Ledger(loop.record, owner.base, since)
    return ledger.before(before)


def _raised(loop: Loop, at: Breach, what: str, before: float, limit: Any) -> Any:
    """The limit that holds: what a person made of it last, ``None`` where they lifted it.

    Agents side by side ask at once: the last word is that of the last decision, not question.
    """
    since = loop.seam.run.since if at.per == "run" and loop.seam.run else 0
    latest = 0
    for question in loop.record.by_type.get("interrupt", ()):
        if question.payload["kind"] != "budget" or question.seq < since:
            continue
        info = question.payload["info"]
        decision = loop.record.decision(question.payload["id"])
        mine = (info["of"], info["per"], info["what"]) == (at.address, at.per, what)
        if decision is None or not mine or not latest < decision.seq < before:
            continue
        if decision.payload["decision"] == "raise":
            latest, limit = decision.seq, decision.payload["value"]
    return limit


def _asked_again(loop: Loop, owners: Sequence[Activation], asked: Event) -> Breach:
    """The recorded question, made anew from what the log said before it.

    Its limit is the recorded one: a log may be older than the rule of what a person said last. So
    is what the request needs, which older logs do not say.
    """
    info = asked.payload["info"]
    for owner in owners:
        for breach in _bounds(loop, owner, asked.seq):
            if (breach.address, breach.per, breach.what) == (info["of"], info["per"], info["what"]):
                said = {name: info[name] for name in ("why", "limit", "unpriced") if name in info}
                return replace(breach, need=info.get("need"), **said)
    return replace(Breach(owners[0].base, owners[0].address, "run"), what=info["what"])


def _decided(loop: Loop, activation: Activation, scope: str, breach: Breach) -> None:
    """Ask a person for more, and go on when they gave it."""
    generation = loop.seam.generation(scope)
    info = breach.info()
    payload = {
        "id": loop.question_id(f"{scope};budget", generation),
        "kind": "budget",
        "address": activation.address,
        "generation": generation,
        "parents": [],
        "digest": digest.of_value([scope, generation, info]),
        "info": info,
        "allowed": ["raise", "give_up"],
        "schema": schema_of(breach.what),
        "required_role": breach.role,
        "expires_at": None,
        "on_expiry": None,
    }
    question = loop.seam.write(Draft("interrupt", payload, scope))
    decision = loop.record.decision(question.payload["id"])
    if decision is None:
        raise Interrupted([question.payload])
    if decision.payload["decision"] != "raise":
        raise replace(breach, gave_up=True).reached()
