"""``calculator``: what it works out, what it refuses, and that nothing takes long."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_app.engine.errors import ToolError
from agents_app.engine.tools.calculator import BITS, calculate, calculator
from agents_app.engine.tools.single import context_alone, text_of

VALUES = [
    ("1 + 2 * 3", "7"),
    ("(1 + 2) * 3", "9"),
    ("7 // 2", "3"),
    ("7 / 2", "3.5"),
    ("-7 % 3", "2"),
    ("2 ** 10", "1024"),
    ("2 ** -1", "0.5"),
    ("0.1 + 0.2", "0.3"),
    ("1e3", "1000"),
    ("sqrt(16) + abs(-2)", "6"),
    ("round(2.567, 2)", "2.57"),
    ("max(1, 2, 3) - min(4, 5)", "-1"),
    ("sin(pi / 2)", "1"),
    ("  1 +\t1 ", "2"),
    ("1_000 * 3", "3000"),
    ("2 ** 4000 // 2 ** 3999", "2"),
]
REFUSED = [
    "9**9**9", "9**9**9**9", "2**100000", "10**10**10", "(2**4000)*(2**4000)", "2**4000**2",
    "1/0", "1 % 0", "0 ** -1", "1e308 * 10", "exp(1000)", "1e999", "sqrt(-1)", "(-8) ** 0.5",
    "log(0)", "", " ", "1 +", "a", "__import__('os')", "open('x')", "(1).real", "[1, 2][0]",
    "'a' * 3", "b'a'", "True", "None", "1 if 1 else 2", "lambda: 1", "1 < 2", "1 and 2", "x := 1",
    "round(5, -(10 ** 9))",
    "max([1])", "round(1.5, ndigits=1)", "max(*[1])", "{1: 2}", "1 << 100", "1 @ 2", "~1", "1; 2",
    "f'{1}'", "10 ** 5000", "1j", "1\x00", "(" * 900 + "1" + ")" * 90, "-" * 900 + "1",
    "+".join("1" * 300), "1" * 1001, "gcd(1.5, 2)", "abs()", "pi()", "max",
]  # fmt: skip


@pytest.mark.parametrize(("expression", "value"), VALUES)
async def test_it_works_out(expression: str, value: str) -> None:
    assert await text_of(calculator, {"expression": expression}, context_alone("k")) == value


@pytest.mark.parametrize("expression", REFUSED, ids=lambda each: each[:20])
def test_it_refuses_what_is_no_arithmetic_or_too_large(expression: str) -> None:
    with pytest.raises(ToolError):
        calculate(expression)


def _wrapped(inner: Any) -> Any:
    pairs = st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "/"]), inner)
    return pairs.map(lambda each: f"({each[0]} {each[1]} {each[2]})") | inner.map("(-{})".format)


NUMBERS = st.integers(0, 10**6).map(str)


@given(st.recursive(NUMBERS, _wrapped, max_leaves=12))
def test_it_says_what_python_says(expression: str) -> None:
    try:
        expected = eval(expression)
    except ZeroDivisionError:
        with pytest.raises(ToolError):
            calculate(expression)
    else:
        assert calculate(expression) == expected


@given(st.lists(st.sampled_from([*"0123456789.+-*/%() e", "**", "sqrt(", "pi"]), max_size=60))
def test_it_always_ends_with_a_number_within_the_bounds_or_an_error(parts: list[str]) -> None:
    try:
        value = calculate("".join(parts))
    except ToolError:
        return
    assert math.isfinite(value) if isinstance(value, float) else value.bit_length() <= BITS
