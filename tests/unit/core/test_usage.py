"""Unknown stays unknown; what a provider counts apart is counted once."""

from __future__ import annotations

from decimal import Decimal

import pytest

from playhead.core.usage import NOTHING, Usage, add_money, money_text, parse_money, total


@pytest.mark.parametrize(
    ("usage", "input_", "output"),
    [
        (Usage(100, 30, 40, 10, "inclusive"), 100, 30),
        (Usage(60, 30, 40, 10, "cached_apart"), 100, 30),
        (Usage(100, 20, 40, 10, "reasoning_apart"), 100, 30),
        (Usage(60, 20, 40, 10, "apart"), 100, 30),
        (Usage(35, 30, 40, 10, "cached_apart", 25), 100, 30),
        (Usage(100, 30, 40, 10, "inclusive", 25), 100, 30),
    ],
)
def test_i34_reasoning_and_cache_are_counted_once(usage: Usage, input_: int, output: int) -> None:
    counted = usage.inclusive()
    assert (counted.input, counted.output, counted.cached, counted.reasoning) == (
        input_,
        output,
        40,
        10,
    )
    assert counted.inclusive() == counted


def test_i36_a_call_without_usage_makes_the_sum_unknown_not_smaller() -> None:
    result = total([Usage(10, 5, 0, 0), None, Usage(7, 2, 0, 0)])
    assert result.usage == Usage(None, None, None, None)
    assert result.known == Usage(17, 7, 0, 0)
    assert result.partial


def test_a_count_that_one_provider_never_sends_does_not_hide_the_others() -> None:
    result = total([Usage(10, 5, None, None), Usage(1, 1, 1, 0)])
    assert result.usage == Usage(11, 6, None, None)
    assert not result.partial


def test_the_sum_of_no_calls_is_known_to_be_nothing() -> None:
    assert total([]).usage == NOTHING
    assert not total([]).partial


def test_an_estimate_stays_an_estimate_in_a_sum() -> None:
    assert (Usage(1, 1, 0, 0) + Usage(2, 2, 0, 0, "estimated")).semantics == "estimated"


def test_the_stored_form_comes_back() -> None:
    usage = Usage(5, None, 2, 0, "apart")
    assert Usage.from_log(usage.to_log()) == usage
    assert "written" not in usage.to_log()
    written = Usage(5, 1, 2, 0, "cached_apart", 7, 3)
    assert Usage.from_log(written.to_log()) == written
    assert Usage.from_log(None) is None


def test_money_is_exact_and_unknown_money_stays_unknown() -> None:
    assert money_text(add_money(Decimal("0.1"), Decimal("0.2"))) == "0.3"
    assert money_text(Decimal("1E-7")) == "0.0000001"
    assert add_money(None, Decimal(1)) is None
    assert money_text(None) is None
    assert parse_money("0.30") == Decimal("0.30")
    assert parse_money(None) is None


@pytest.mark.parametrize("text", ["", "1,5", "NaN", "Infinity", "x"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        parse_money(text)
