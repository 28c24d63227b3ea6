"""The refund desk of the tests: looks an order up, and pays after a yes. Its rules know no seq."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.scripted import Rule, Script, call, reply
from agents_app.engine import AgentSpec, Limits, tool

if TYPE_CHECKING:
    from agents_app.adapters.models.scripted import Reply, View

#: What was really paid, in order: the world that no branch may touch unasked.
PAID: list[tuple[str, int]] = []
ORDERS = {
    "7": {"order": "7", "paid": 40, "buyer": "ann@example.org", "note": "card 4111 1111 1111 1111"}
}


@tool
def look_up(order: str) -> Any:
    """Look an order up."""
    return ORDERS[order]


@tool(effectful=True, approval=True, consequence="Pays {amount} for order {order}.")
def pay_back(order: str, amount: int) -> str:
    """Pay money back."""
    PAID.append((order, amount))
    return f"paid {amount} for order {order}"


def _look(view: View) -> Reply:
    return reply("I look.", calls=[call("look_up", order="7")])


def _pay(view: View) -> Reply:
    found = view.result("look_up")
    return reply("I pay.", calls=[call("pay_back", order="7", amount=found["paid"])])


def _done(view: View) -> Reply:
    return reply(f"Done: {view.result('pay_back')}")


SCRIPT = Script(
    [
        Rule(lambda view: view.results("pay_back"), _done),
        Rule(lambda view: "hello" in view.user, lambda view: reply("Hello!")),
        Rule(lambda view: view.results("look_up"), _pay),
        Rule(lambda view: True, _look),
    ],
    pace=0.0,
    name="desk",
)
DESK = AgentSpec(
    slug="desk",
    name="Desk",
    model="scripted:desk",
    instructions="You pay people back. The code is sk-proj-AAAABBBBCCCCDDDDEEEEFFFF1234567890abcd.",
    tools=(look_up, pay_back),
    limits=Limits(max_steps=6),
)
