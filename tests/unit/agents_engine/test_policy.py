"""What an agent says of a tool is stricter than the tool's code, never laxer."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

from agents_app.engine import AgentSpec, agent_tool, tool
from agents_app.engine.policy import strictness, under_policy
from agents_app.engine.spec import AGENTS, from_definition

if TYPE_CHECKING:
    from agents_app.engine.tools import Tool


def made(**options: object) -> Tool:
    return tool(**options)(note)


def note(text: str) -> str:
    """Note something."""
    return text


CLASSES = [(False, False), (True, True), (True, False)]


@pytest.mark.parametrize(("code", "said"), list(product(CLASSES, CLASSES)))
def test_of_two_effect_classes_the_stricter_counts(
    code: tuple[bool, bool], said: tuple[bool, bool]
) -> None:
    ours = made(effectful=code[0], idempotent=code[1])
    theirs = under_policy(ours, {"effectful": said[0], "idempotent": said[1]})
    assert strictness(theirs.effectful, theirs.idempotent) == max(
        strictness(*code), strictness(*said)
    )


def test_a_class_that_nobody_knows_is_the_definitions_to_say() -> None:
    unknown = replace(made(effectful=True), effects_known=False)
    assert under_policy(unknown, {}).effectful
    assert not under_policy(unknown, {"effectful": False}).effectful
    assert under_policy(unknown, {"idempotent": True}).idempotent


def test_a_tool_that_is_only_called_effectful_runs_at_most_once() -> None:
    assert not under_policy(made(), {"effectful": True}).idempotent


@pytest.mark.parametrize("said", [{}, {"approval": False}, {"approval": "when"}])
def test_an_approval_of_the_code_is_never_turned_off(said: dict[str, object]) -> None:
    """Not by a definition that somebody imported, either."""
    asks = made(approval=lambda arguments: arguments["text"] == "much")
    assert under_policy(made(approval=True), said).needs_approval({"text": "x"})
    assert under_policy(asks, said).needs_approval({"text": "much"})
    assert not under_policy(asks, said).needs_approval({"text": "little"})
    assert not under_policy(made(), said).needs_approval({"text": "x"})


def test_approval_is_turned_on_for_any_tool() -> None:
    assert under_policy(made(), {"approval": True}).needs_approval({"text": "x"})


@pytest.mark.parametrize(
    ("approval", "said", "role"),
    [
        (True, "admin", "admin"),
        (True, "operator", "approver"),
        (False, "operator", "operator"),
        (True, "manager", "approver"),
    ],
)
def test_a_role_is_raised_and_chosen_where_only_the_agent_asks(
    approval: bool, said: str, role: str
) -> None:
    asked = under_policy(made(approval=approval), {"required_role": said, "approval": True})
    assert asked.required_role == role


def test_the_limit_of_time_and_the_description_are_the_agents() -> None:
    kept = under_policy(made(timeout=5.0), {"timeout": 90.0, "description": "Keep it."})
    assert (kept.timeout, kept.description) == (90.0, "Keep it.")


def test_a_definition_makes_the_same_agent_again() -> None:
    """Tools of elsewhere by their source, agents below it whole, policies kept."""
    plain = replace(made(), source="agent:desk")
    strict = under_policy(plain, {"approval": True, "timeout": 3.0, "source": "agent:desk"})
    below = AgentSpec(slug="below", tools=(plain,))
    asked = replace(agent_tool(below, handoff=True), source=AGENTS, version="4", approval=True)
    spec = AgentSpec(slug="above", name="above", tools=(strict, asked))
    again = from_definition(spec.definition(), {"agent:desk/note": made()})
    assert again.definition() == spec.definition()
    assert again.tools[1].needs_approval({"task": "x"})
    assert [each.name for each in again.tools] == [strict.name, "transfer_to_below"]
