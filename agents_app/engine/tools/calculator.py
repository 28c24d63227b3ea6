"""``calculator``: arithmetic from text, read as a tree and never run as code, within bounds."""

from __future__ import annotations

import ast
import math
import operator
import warnings
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import ToolError
from agents_app.engine.tools.function import tool

if TYPE_CHECKING:
    from collections.abc import Callable

Number = int | float
#: Characters of an expression, nodes of its tree, bits of an integer.
LENGTH, NODES, BITS = 1000, 200, 4096
#: Digits that a number is rounded to.
DIGITS = 1000

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def _round(number: Number, digits: int = 0) -> Number:
    """``round``, whose work grows with the digits that it is asked for."""
    if abs(digits) > DIGITS:
        raise ToolError(f"round: at most {DIGITS} digits")
    return round(number, digits) if digits else round(number)


_NAMES = {"pi": math.pi, "e": math.e, "tau": math.tau}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs, "round": _round, "min": min, "max": max, "sqrt": math.sqrt, "exp": math.exp,
    "log": math.log, "log10": math.log10, "log2": math.log2, "floor": math.floor,
    "ceil": math.ceil, "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin,
    "acos": math.acos, "atan": math.atan, "degrees": math.degrees, "radians": math.radians,
    "hypot": math.hypot, "gcd": math.gcd,
}  # fmt: skip


def calculate(expression: str) -> Number:
    """The value of an expression of numbers, ``+ - * / // % **``, brackets and a few functions.

    Raises:
        ToolError: it is no such expression, has no value, or goes beyond the bounds.
    """
    if len(expression) > LENGTH:
        raise ToolError(f"the expression has {len(expression)} characters; at most {LENGTH}")
    tree = _parsed(expression.strip())
    if sum(1 for _ in ast.walk(tree)) > NODES:
        raise ToolError(f"the expression has more than {NODES} parts")
    try:
        return _checked(_value(tree.body))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise ToolError(f"it has no value: {error}") from error


def _parsed(expression: str) -> ast.Expression:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the tokenizer, about what is refused anyway
            return ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ToolError(f"this is no expression: {expression[:100]!r}") from None


def _value(node: ast.expr) -> Number:
    if isinstance(node, ast.Constant):
        return _constant(node.value)
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _checked(_UNARY[type(node.op)](_value(node.operand)))
    if isinstance(node, ast.BinOp):
        return _binary(node.op, _value(node.left), _value(node.right))
    if isinstance(node, ast.Call):
        return _called(node)
    raise ToolError(f"not allowed: {ast.unparse(node)[:100]}. {_what_is()}")


def _constant(value: Any) -> Number:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ToolError(f"not a number: {value!r:.100}")
    return _checked(value)


def _binary(op: ast.operator, left: Number, right: Number) -> Number:
    if isinstance(op, ast.Pow):
        return _power(left, right)
    if type(op) not in _BINARY:
        raise ToolError(f"not allowed: {type(op).__name__}. {_what_is()}")
    return _checked(_BINARY[type(op)](left, right))


def _power(base: Number, exponent: Number) -> Number:
    """A power whose size is looked at before it is computed."""
    if isinstance(base, int) and isinstance(exponent, int):
        if abs(base) > 1 and abs(exponent) * base.bit_length() > BITS * 2:
            raise ToolError(f"{_short(base)} ** {_short(exponent)} is too large")
        return _checked(base**exponent)
    return _checked(float(base) ** float(exponent))


def _called(node: ast.Call) -> Number:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in _FUNCTIONS or node.keywords:
        raise ToolError(f"not allowed: {ast.unparse(node)[:100]}. {_what_is()}")
    return _checked(_FUNCTIONS[name](*(_value(each) for each in node.args)))


def _checked(value: Any) -> Number:
    if isinstance(value, complex):
        raise ToolError("it has no real value")
    if isinstance(value, int) and value.bit_length() > BITS:
        raise ToolError(f"a number is too large: more than {BITS} bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise ToolError("a number is too large, or none")
    return value  # type: ignore[no-any-return]


def _short(value: Number) -> str:
    return str(value) if abs(value) < 10**12 else "a large number"


def _what_is() -> str:
    known = ", ".join(sorted(_FUNCTIONS))
    return f"There are numbers, + - * / // % **, brackets, {', '.join(sorted(_NAMES))} and {known}"


@tool
async def calculator(expression: str) -> str:
    """Work out an arithmetic expression.

    Args:
        expression: such as ``(3 + 4) * 2 ** 5 / sqrt(2)``.
    """
    value = calculate(expression)
    return format(value, ".15g") if isinstance(value, float) else str(value)
