"""The order of middlewares is looked at when an agent is configured, and the field is named."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.engine import AgentSpec
from agents_app.engine.parts import BUILT_IN, Parts
from agents_app.engine.placing import Problem, after, alone, before


class Guard:
    """A guard of a plug-in."""

    name = "my-guard"
    roles = ("guard",)


class Second:
    """It stands alone, and behind what it does not know the name of."""

    name = "second"
    placing = (alone("third", "two are too many."), after("guard", "it is not safe.", "warning"))


class Third:
    name = "third"
    placing = (before("second", "it is first."),)

    def __init__(self, size: int = 1) -> None:
        self.size = size

    def problems(self, spec: AgentSpec) -> Any:
        if self.size > len(spec.tools):
            yield "size", "there are fewer tools", "warning"


PARTS = Parts(
    BUILT_IN.strategies,
    {**BUILT_IN.middleware, "my-guard": Guard, "second": Second, "third": Third},
)


def problems(*uses: dict[str, Any], **fields: Any) -> list[Problem]:
    return PARTS.problems(AgentSpec(slug="desk", middleware=uses, **fields))


def test_s0_35_a_cache_before_a_guard_is_refused_and_the_place_named() -> None:
    [found] = problems({"use": "caching"}, {"use": "guardrail"})
    assert (found.field, found.severity) == ("middleware.0.use", "problem")
    assert "has to stand after guardrail" in found.message
    assert not problems({"use": "guardrail"}, {"use": "caching"})


def test_a_plug_in_has_a_role_and_rules_of_its_own() -> None:
    [found] = problems({"use": "logging"}, {"use": "caching"}, {"use": "my-guard"})
    assert (found.field, found.severity) == ("middleware.1.use", "problem")
    [found] = problems({"use": "second"}, {"use": "my-guard"})
    assert (found.field, found.severity) == ("middleware.0.use", "warning")
    assert not problems({"use": "my-guard"}, {"use": "second"})


@pytest.mark.parametrize("order", [("second", "third"), ("third", "second")])
def test_two_that_do_not_go_together_are_told_once(order: tuple[str, str]) -> None:
    found = problems(*({"use": each} for each in order))
    assert [each.severity for each in found if each.field.endswith("use")] == ["problem"]


def test_what_does_not_fit_the_agent_names_the_option() -> None:
    assert problems({"use": "third"}) == [
        Problem("middleware.0.size", "there are fewer tools", "warning")
    ]


def test_everything_is_told_at_once() -> None:
    uses = [{"use": "nothing"}, {"use": "caching", "size": 1}, {"use": "logging"}]
    found = problems(*uses, {"use": "logging"}, strategy="guessing")
    fields = ["strategy", "middleware.0.use", "middleware.1.size", "middleware.3.use"]
    assert [each.field for each in found] == fields
