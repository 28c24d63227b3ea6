"""An agent that people make in the tests."""

from __future__ import annotations

from typing import Any

PAYER: dict[str, Any] = {
    "slug": "payer",
    "name": "Payer",
    "model": "scripted:echo",
    "instructions": "Pay people.\nAsk first.",
    "tools": [{"name": "pay", "required_role": "admin"}, {"agent": "clerk", "handoff": True}],
    "middleware": [{"use": "guardrail", "injection": "ask"}, {"use": "logging"}],
    "limits": {"max_steps": 5},
}


def problems(answer: Any) -> dict[str, str]:
    """field → message of a check."""
    return {each["field"]: each["message"] for each in answer.json()["problems"]}
