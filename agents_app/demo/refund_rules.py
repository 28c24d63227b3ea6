"""What the scripted model does at the refund desk. The rules read the prompt and nothing else."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from agents_app.adapters.models.scripted import Reply, Rule, Script, View, call, reply

_ORDER = re.compile(r"\b(\d{4})\b")
_REFUND = re.compile(
    r"refund|money back|broken|damaged|return it|退款|退钱|坏了|破损", re.IGNORECASE
)
_POLICY = re.compile(
    r"policy|policies|how long|days|allowed|return|approve|政策|多久|退货", re.IGNORECASE
)
_DAMAGED = re.compile(r"broken|damaged|坏了|破损", re.IGNORECASE)


def order_of(view: View) -> str | None:
    """The order that the customer speaks of, in this question or in an earlier one."""
    for message in reversed(view.messages):
        if message.role == "user" and (found := _ORDER.search(message.content)):
            return found.group(1)
    return None


def cents(paid: Any) -> int | None:
    """What was paid, in cents: the text is taken as the amount in euros that it says."""
    try:
        return int(Decimal(str(paid).replace(",", "").strip()) * 100)
    except InvalidOperation:
        return None


def euros(amount: int) -> str:
    """An amount in cents, as people read it."""
    return f"€{amount / 100:,.2f}"


def _wants_refund(view: View) -> bool:
    return bool(_REFUND.search(view.user) and _ORDER.search(view.user))


def _reason(view: View) -> str:
    return "arrived damaged" if _DAMAGED.search(view.user) else "customer asked for a refund"


def _look(view: View) -> Reply:
    topic = "damaged goods" if _DAMAGED.search(view.user) else "change of mind return"
    order = order_of(view) or ""
    return reply(
        f"Let me look at order {order} and at the policy that applies.",
        calls=[call("lookup_order", order_id=order), call("search_policy", query=topic)],
    )


def _not_found(view: View) -> Reply:
    return reply(f"I can't find order {order_of(view)}. Could you check the number, please?")


def _pay(view: View) -> Reply:
    found = view.result("lookup_order")
    amount = cents(found.get("paid"))
    if amount is None or amount <= 0:
        return reply(
            f"The record of order {found['order_id']} says {found.get('paid')!r} was paid. I can't "
            "read that as an amount, so I pay nothing and hand this over to a colleague."
        )
    arguments = {"order_id": found["order_id"], "amount_cents": amount, "reason": _reason(view)}
    text = (
        f"{found['item']}: {euros(amount)} was paid. "
        "I will pay this back once a colleague has approved."
    )
    return reply(text, calls=[call("issue_refund", **arguments)])


def _paid(view: View) -> Reply:
    result = view.result("issue_refund")
    if not isinstance(result, dict):
        return reply(f"The refund was not paid. {str(result).removeprefix('Error: ')}")
    amount, asked = result["amount_cents"], cents((view.result("lookup_order") or {}).get("paid"))
    changed = asked is not None and amount != asked
    note = f" A colleague changed the amount from {euros(asked)}." if changed and asked else ""
    return reply(
        f"I have paid {euros(amount)} back for order {result['order_id']} "
        f"(refund {result['refund_id']}).{note} It arrives within three working days."
    )


def _order_status(view: View) -> Reply:
    found = view.result("lookup_order")
    if not isinstance(found, dict):
        return _not_found(view)
    return reply(
        f"Order {found['order_id']} ({found['item']}) was delivered on {found['delivered']}. "
        f"{found['currency']} {found['paid']} was paid."
    )


def _quote(view: View) -> Reply:
    found = view.result("search_policy")
    if not isinstance(found, list) or not found:
        return reply(
            "Our policies say nothing about that. A colleague of the refund team can help."
        )
    return reply("\n\n".join(f"**{each['title']}**: {each['text']}" for each in found[:2]))


def _wants_policy(view: View) -> bool:
    return bool(_POLICY.search(view.user))


def _looked_up(view: View) -> bool:
    return "lookup_order" in view.calls


def _has_tools(view: View) -> bool:
    return "lookup_order" in view.tools


REFUND_SCRIPT = Script(
    name="refund-desk",
    rules=[
        Rule(lambda v: "issue_refund" in v.calls, _paid),
        Rule(
            lambda v: (
                _wants_refund(v)
                and _looked_up(v)
                and not isinstance(v.result("lookup_order"), dict)
            ),
            _not_found,
        ),
        Rule(lambda v: _wants_refund(v) and _looked_up(v), _pay),
        Rule(lambda v: _wants_refund(v) and _has_tools(v), _look),
        Rule(_looked_up, _order_status),
        Rule(lambda v: "search_policy" in v.calls, _quote),
        Rule(
            lambda v: _ORDER.search(v.user) and _has_tools(v),
            lambda v: reply(calls=[call("lookup_order", order_id=order_of(v))]),
        ),
        Rule(
            lambda v: _wants_policy(v) and _has_tools(v),
            lambda v: reply(calls=[call("search_policy", query=v.user)]),
        ),
        Rule(
            lambda v: True,
            lambda v: reply(
                "I can look an order up by its number, read our policy, and refund an order. "
                "What is the number of your order?"
            ),
        ),
    ],
)
