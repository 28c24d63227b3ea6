"""The story with a model over real HTTP: native, parallel, streamed calls, the same rules."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from agents_app.demo.refund_rules import REFUND_SCRIPT
from tests.e2e import steps
from tests.e2e.lab import MODELS
from tests.e2e.people import Received

if TYPE_CHECKING:
    from tests.e2e.lab import Lab
    from tests.e2e.people import Person

QUESTION = "The grinder of order 1055 arrived broken. I would like my money back."


@pytest.mark.parametrize("model", MODELS)
def test_the_story_over_http(lab: Lab, lab_owner: Person, model: str) -> None:
    page = lab_owner.page
    lab.follows(REFUND_SCRIPT)
    received = Received(page)
    session = steps.start(page, lab.url, "refund-desk", QUESTION, model=model)
    expect(steps.row(page, "lookup_order")).to_be_visible()
    expect(steps.row(page, "search_policy")).to_be_visible()
    steps.status(page, "Waiting for you")
    paid = lab.installation.refunds("1055")
    page.get_by_role("link", name="Decide").click()
    steps.approve_with_edit(page, "amount_cents", "3000")
    page.goto(session)
    expect(page.get_by_text("I have paid €30.00 back for order 1055").first).to_be_visible()
    assert lab.installation.refunds("1055") == [*paid, 3000]
    steps.look_at(page, steps.row(page, model).last, "Prompt")
    expect(page.get_by_text("A person changed the arguments of this call").first).to_be_visible()

    steps.say(page, "How long may a customer return an item?")
    expect(page.get_by_text("within 30 days of delivery").first).to_be_visible()
    steps.say(page, "And order 9999 arrived broken too.")
    expect(page.get_by_text("I can't find order 9999").first).to_be_visible()
    steps.verify(page)
    it_streamed(received)
    what_the_server_got_is_the_protocol(lab, model)

    page.goto(session)
    steps.select(steps.row(page, "lookup_order").first)
    branch = steps.branch_with_another_result(
        page, '"item"', '"note": "from the warehouse", "item"'
    )
    branch_asks_the_model_again(lab, page, branch)
    assert lab.installation.refunds("1055") == [*paid, 3000]
    assert lab_owner.faults == []


def it_streamed(received: Received) -> None:
    """Text and the arguments of parallel calls were seen while the model wrote them."""
    deltas = [f for text in received.frames if (f := json.loads(text))["type"] == "delta"]
    assert {"text", "tool:0", "tool:1"} <= {delta["part"] for delta in deltas}


def what_the_server_got_is_the_protocol(lab: Lab, model: str) -> None:
    """Tools are offered natively, and the two results follow the two calls that asked for them."""
    first, second = (json.loads(body) for body in lab.server.bodies[:2])
    tools, asked, answered = _READ[model.partition(":")[0]](first, second)
    assert set(tools) >= {"lookup_order", "issue_refund"}
    assert first["stream"] is True
    assert [name for name, _ in asked] == ["lookup_order", "search_policy"]
    assert answered == [call_id for _, call_id in asked]


def _chat(first: Any, second: Any) -> Any:
    *_, asked, one, other = second["messages"]
    calls = [(call["function"]["name"], call["id"]) for call in asked["tool_calls"]]
    tools = [tool["function"]["name"] for tool in first["tools"]]
    return tools, calls, [one["tool_call_id"], other["tool_call_id"]]


def _responses(first: Any, second: Any) -> Any:
    *_, call_1, call_2, one, other = second["input"]
    calls = [(call["name"], call["call_id"]) for call in (call_1, call_2)]
    return [tool["name"] for tool in first["tools"]], calls, [one["call_id"], other["call_id"]]


def _messages(first: Any, second: Any) -> Any:
    *_, asked, results = second["messages"]
    calls = [(b["name"], b["id"]) for b in asked["content"] if b["type"] == "tool_use"]
    answered = [block["tool_use_id"] for block in results["content"]]
    return [tool["name"] for tool in first["tools"]], calls, answered


_READ = {"openai": _chat, "openai-responses": _responses, "anthropic": _messages}


def branch_asks_the_model_again(lab: Lab, page: Page, branch: str) -> None:
    """The branch reads the edited result, proposes the same, and is answered on its own."""
    steps.status(page, "Waiting for you")
    assert "from the warehouse" in lab.server.bodies[-1].decode()
    page.get_by_role("link", name="Decide").click()
    page.get_by_role("button", name=re.compile("^Reject")).click()
    page.get_by_label("Reason, told to the agent").fill("It was paid already.")
    page.keyboard.press("Enter")
    page.goto(branch)
    expect(page.get_by_text("The refund was not paid.").first).to_be_visible()
    steps.verify(page)
