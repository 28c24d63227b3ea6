"""A value against a JSON Schema that may be anybody's: of a tool, or of a server behind a tool.

Nothing is fetched for it, an expression takes time in proportion to its text, and references are
followed so often and no oftener. Where a schema is none, or asks for more, nothing is said: who
runs the call checks what they were given.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend
from pydantic_core import SchemaError as NoExpression
from pydantic_core import SchemaValidator
from pydantic_core.core_schema import str_schema
from referencing import Registry

from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: References that are followed for one value: a list may have an item of a named kind so often.
_MOST_REFERENCES = 10_000
#: Keywords that try expressions on the names of members, with an engine that may take for ever.
_LEFT_OUT = ("patternProperties", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef")


class _TooFar(Exception):
    """More references than anybody means."""


def misfit(schema: Mapping[str, Any], value: Any) -> ValidationError | None:
    """The first thing about a value that does not fit, or ``None``."""
    try:
        Draft202012Validator.check_schema(schema)
        errors = _checker()(schema, registry=Registry()).iter_errors(value)
        first: ValidationError | None = best_match(errors)
    except Exception:  # nobody knows what all a schema of anybody's ends in
        return None
    return first


def _checker() -> Any:
    left = _MOST_REFERENCES

    def follow(validator: Any, target: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooFar
        yield from Draft202012Validator.VALIDATORS["$ref"](validator, target, value, schema) or ()

    own = dict.fromkeys(_LEFT_OUT, _nothing)
    own |= {"$ref": follow, "pattern": _pattern, "additionalProperties": _additional}
    own["uniqueItems"] = _unique
    return extend(Draft202012Validator, own)  # type: ignore[no-untyped-call]


def _nothing(*_: Any) -> Iterator[ValidationError]:
    return iter(())


def _additional(validator: Any, more: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if "patternProperties" not in schema:
        usual = Draft202012Validator.VALIDATORS["additionalProperties"]
        yield from usual(validator, more, value, schema) or ()


def _unique(_: Any, wanted: Any, value: Any, __: Any) -> Iterator[ValidationError]:
    """Each item is looked at once: the usual check compares each with every other."""
    if wanted is not True or not isinstance(value, list):
        return
    if len({canonical.dumps(item) for item in value}) < len(value):
        yield ValidationError("an item is there twice")


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    expression = _expression(pattern)
    if isinstance(value, str) and expression and not expression.isinstance_python(value):
        yield ValidationError("it does not match")


@lru_cache(maxsize=64)
def _expression(pattern: str) -> SchemaValidator | None:
    """Texts in which the expression is found; ``None``: it looks around or back, or is none."""
    try:
        return SchemaValidator(str_schema(pattern=pattern, regex_engine="rust-regex"))
    except NoExpression:
        return None
