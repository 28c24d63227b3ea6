"""Reading JSON bodies that may be hostile: every fault is a 400 that says what is wrong."""

import json
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from playhead.core.errors import PlayheadError

DEEPEST = 200


class BadJSON(PlayheadError):
    """The body is not JSON that we read."""

    code = "bad_json"


def _refuse_constant(token: str) -> NoReturn:
    raise BadJSON(f"{token} is not a JSON value.")


def depth_of(text: str) -> int:
    """How deep brackets nest outside of strings; counted before parsing, which would recurse."""
    depth = deepest = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def loads(body: bytes) -> Any:
    """The value of a JSON body.

    Raises:
        BadJSON: not UTF-8, not JSON, NaN or an infinity, nested beyond 200, a number too long.
    """
    text = text_of(body)
    # Few bodies hold 200 opening brackets at all; only those are walked.
    if text.count("[") + text.count("{") > DEEPEST and depth_of(text) > DEEPEST:
        raise BadJSON(f"The body nests deeper than {DEEPEST} levels.")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadJSON(f"The body is not JSON: {error.msg} at {where}.") from None
    except (ValueError, RecursionError):
        raise BadJSON("The body holds a number that is too long.") from None


def text_of(body: bytes) -> str:
    """The text of a body.

    Raises:
        BadJSON: not UTF-8.
    """
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJSON(f"The body is not UTF-8: byte {error.start} can't be read.") from None


#: What a file of YAML is sent as. An operation that takes one has a field of the name ``yaml``.
YAML = frozenset({"text/yaml", "application/yaml", "text/x-yaml", "application/x-yaml"})


class BodyParser(Parser):
    """Ninja's parser with our reading of JSON; a body of YAML is a field, read by the operation."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The body's value."""
        if request.content_type in YAML:
            return {"yaml": text_of(request.body)}
        return loads(request.body)
