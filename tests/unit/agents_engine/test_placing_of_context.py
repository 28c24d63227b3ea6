"""What does not fit an agent is said when its middleware is configured, with the field."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.engine import AgentSpec, Limits
from agents_app.engine.parts import BUILT_IN
from tests.unit.agents_engine.scenarios import Ledger, look_up, pay

DENY_ALL = {"then": "deny"}
ASK_PAY = {"tool": "pay", "then": "ask"}
DENY_F = {"tool": "f*", "then": "deny"}
W = "warning"


def said(*uses: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    tools = (look_up(Ledger()), pay(Ledger()))
    spec = AgentSpec(slug="desk", tools=tools, middleware=uses, **fields)
    return [(each.field, each.severity) for each in BUILT_IN.problems(spec)]


@pytest.mark.parametrize("name", ["summarisation", "context-editing"])
def test_what_shortens_the_prompt_stands_behind_the_guards(name: str) -> None:
    use = {"use": name} | ({"tokens": 1000} if name == "summarisation" else {})
    for guard in ("guardrail", "personal-data", "secrets"):
        assert said(use, {"use": guard}) == [("middleware.0.use", "problem")]
        assert said({"use": guard}, use) == []


@pytest.mark.parametrize(
    ("use", "field", "severity"),
    [
        ({"use": "context-editing", "exclude_tools": ["fly"]}, "exclude_tools.0", W),
        ({"use": "tool-selection", "always_include": ["pay", "fly"]}, "always_include.1", W),
        ({"use": "tool-selection", "model": "small"}, "model", "problem"),
        ({"use": "summarisation", "tokens": 9, "model": "small"}, "model", "problem"),
        ({"use": "summarisation", "messages": 50}, "messages", W),
        ({"use": "tool-permission", "rules": [DENY_F]}, "rules.0.tool", W),
        ({"use": "tool-permission", "rules": [DENY_ALL, ASK_PAY]}, "rules.1", W),
        ({"use": "personal-data", "apply_to_input": False}, "apply_to_input", W),
    ],
)
def test_the_field_is_named(use: dict[str, Any], field: str, severity: str) -> None:
    assert said(use, limits=Limits(window=30)) == [(f"middleware.0.{field}", severity)]


def test_what_fits_is_not_spoken_of() -> None:
    uses = (
        {"use": "personal-data"}, {"use": "secrets"}, {"use": "memory"},
        {"use": "summarisation", "tokens": 1000}, {"use": "context-editing"},
        {"use": "tool-selection", "always_include": ["pay"]},
        {"use": "tool-permission", "rules": [ASK_PAY, DENY_ALL]},
    )  # fmt: skip
    assert said(*uses) == []
