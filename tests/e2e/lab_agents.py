"""Agents for the tests in a browser, brought in by a person's own door: a file in the data folder.

The scripted ones answer by what the question says; ``clerk`` is for the model behind
``OPENAI_BASE_URL``.
"""

from __future__ import annotations

from typing import Any

from agents_app.adapters.models.scripted import Reply, Rule, Script, View, call, reply
from agents_app.engine import AgentSpec, Limits, ToolContext, tool
from agents_app.engine.errors import ToolError

CARD = "4111 1111 1111 1111"
MAIL = "maria.keller@customer.example"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJlLW9mLWEtdG9rZW4"
KEY = "sk-proj-Zz81kQpV0tY7mXc2RbN4wE6uH9aJ3dLs"
#: Neither personal nor secret: where this is found, the rest would have been found.
WITNESS = "parcel-lighthouse-77"
NESTED = '{"parcel": "%s", "accounts": [{"auth": {"settings": {"api_key": "%s", "mail": "%s"}}}]}'
LEAK = (
    f"{WITNESS}: the card is {CARD}, write to {MAIL}, send Authorization: Bearer {TOKEN} "
    f"with {NESTED % (WITNESS, KEY, MAIL)}."
)


@tool
def look_up(order: str) -> Any:
    """Look an order up."""
    raise ToolError(f"the shop's server said {NESTED % (WITNESS, KEY, MAIL)} and {LEAK}")


@tool(effectful=True, approval=True, consequence="Sends a letter to {to}.")
def send_letter(to: str) -> str:
    """Send a letter."""
    return f"a letter went to {to}"


@tool(effectful=True, approval=True, expires_in=12.0, consequence="Sends a telegram to {to}.")
def send_telegram(to: str) -> str:
    """Send a telegram."""
    return f"a telegram went to {to}"


@tool
def ask_colour(context: ToolContext) -> str:
    """Ask which colour."""
    colour = context.interrupt("Which colour?", schema={"enum": ["red", "green", "blue"]})
    return f"the colour is {colour}"


def _results(view: View) -> Reply:
    return reply(" ".join(m.content for m in view.turn if m.role == "tool"))


SCRIPT = Script(
    [
        Rule(
            lambda v: v.results("look_up"),
            lambda v: reply(LEAK, fail="bad_request", says=LEAK),
        ),
        Rule(
            lambda v: "leak" in v.user,
            lambda v: reply(LEAK, calls=[call("look_up", order="1")]),
        ),
        Rule(
            lambda v: v.turn,
            lambda v: reply(" ".join(m.content for m in v.turn if m.role == "tool")),
        ),
        Rule(
            lambda v: "two letters" in v.user,
            lambda v: reply(
                "Two letters, then.",
                calls=[call("send_letter", to="Ann"), call("send_letter", to="Ben")],
            ),
        ),
        Rule(
            lambda v: "telegram" in v.user, lambda v: reply(calls=[call("send_telegram", to="Ann")])
        ),
        Rule(lambda v: "colour" in v.user, lambda v: reply(calls=[call("ask_colour")])),
        Rule(lambda v: True, lambda v: reply(f"You said: {v.user}")),
    ],
    name="lab",
)
TOOLS = (look_up, send_letter, send_telegram, ask_colour)
AGENTS = [
    AgentSpec(
        slug="lab",
        name="Lab",
        model="scripted:lab",
        instructions="Do what you are told.",
        tools=TOOLS,
        middleware=({"use": "guardrail", "injection": "ask"},),
        limits=Limits(max_steps=6),
    )
]
SCRIPTS = {"lab": SCRIPT}
