"""``refund-desk``: looks orders and policies up, and pays refunds after a person has said yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from agents_app.demo import shop
from agents_app.engine import AgentSpec, Limits, ToolContext, tool
from agents_app.engine.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping

INSTRUCTIONS = """\
You work at the refund desk of a small shop for coffee and tea equipment.
Look the order up and read the policy that applies before you decide anything.
Amounts are paid in cents. Never pay more than the customer paid for the order.
Say in one or two sentences what you did and why."""


@tool
def lookup_order(
    order_id: Annotated[str, Field(description="The number of the order, as in 1042")],
) -> Any:
    """Look an order up: customer, item, what was paid, and when it was delivered."""
    found = shop.order(order_id)
    if found is None:
        raise ToolError(f"there is no order {order_id}")
    return found


@tool
def search_policy(query: Annotated[str, Field(description="Words to look for")]) -> Any:
    """Search the shop's refund policies."""
    return shop.policies(query)


def _consequence(arguments: Mapping[str, Any]) -> str:
    cents = arguments.get("amount_cents")
    amount = f"€{cents / 100:,.2f}" if isinstance(cents, int) else str(cents)
    order = arguments.get("order_id")
    return f"Pays {amount} back to the customer of order {order}. This can't be undone."


@tool(effectful=True, approval=True, consequence=_consequence)
def issue_refund(
    order_id: Annotated[str, Field(description="The number of the order")],
    amount_cents: Annotated[
        int, Field(description="What is paid back, in cents", gt=0, le=10_000_000)
    ],
    reason: Annotated[str, Field(description="Why, in a few words")],
    context: ToolContext,
) -> Any:
    """Pay a refund to the customer of an order."""
    return shop.refund(key=context.key, order_id=order_id, amount_cents=amount_cents, reason=reason)


REFUND_DESK = AgentSpec(
    slug="refund-desk",
    name="Refund desk",
    description="Looks orders up, reads the policy, and pays refunds after a person has approved.",
    model="scripted:refund-desk",
    instructions=INSTRUCTIONS,
    tools=(lookup_order, search_policy, issue_refund),
    middleware=({"use": "guardrail", "injection": "ask"},),
    limits=Limits(max_steps=12),
    samples=(
        "My kettle from order 1042 arrived broken. I would like my money back.",
        "How long may a customer return an item?",
        "Where is order 1055?",
    ),
)
