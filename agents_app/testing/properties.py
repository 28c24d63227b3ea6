"""Property checks: what must hold of any good answer, whatever its words.

Each raises ``AssertionError`` with what is wrong and where; what is personal or secret is not
repeated in the message.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from agents_app.engine.strategies.json_text import first_json
from playhead.core.detect import PERSONAL, find_personal, find_secrets

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from playhead.core.detect import Finding

_CITATION = re.compile(r"\[([^\[\]\n]{1,200})\]")


def assert_json(
    text: str,
    *fields: str,
    schema: Mapping[str, Any] | None = None,
    embedded: bool = False,
) -> Any:
    """Insist that a text is JSON, with these fields; the value.

    Args:
        fields: names that the object must have, ``a.b`` for one within another.
        schema: a JSON Schema that the value must satisfy.
        embedded: take the first JSON of a text with prose or a fence around it.
    """
    value = _embedded(text) if embedded else _strict(text)
    for field in fields:
        at = value
        for name in field.split("."):
            if not isinstance(at, dict) or name not in at:
                raise AssertionError(f"the JSON has no field {field}: {_short(text)}")
            at = at[name]
    if schema is not None:
        _check_schema(value, schema)
    return value


def assert_no_personal_data(text: str, kinds: Collection[str] = PERSONAL) -> None:
    """Insist that no address, number or account of a person is in a text (``PERSONAL`` kinds)."""
    unknown = set(kinds) - PERSONAL
    if unknown:
        raise ValueError(f"kinds: {sorted(unknown)}; use {', '.join(sorted(PERSONAL))}")
    _refuse("personal data", text, find_personal(text, kinds))


def assert_no_secrets(text: str) -> None:
    """Insist that nothing in a text looks like a key, a token or a password."""
    _refuse("a secret", text, find_secrets(text))


def assert_length(
    text: str,
    *,
    at_least: int = 1,
    at_most: int | None = None,
    unit: str = "characters",
) -> None:
    """Insist on how long a text is, in ``characters``, ``words`` or ``lines``."""
    counted = {
        "characters": lambda: len(text.strip()),
        "words": lambda: len(text.split()),
        "lines": lambda: len(text.strip().splitlines()),
    }
    if unit not in counted:
        raise ValueError(f"unit={unit!r}: use {', '.join(counted)}")
    count = counted[unit]()
    if count < at_least:
        raise AssertionError(f"{count} {unit}, at least {at_least} wanted: {_short(text)}")
    if at_most is not None and count > at_most:
        raise AssertionError(f"{count} {unit}, at most {at_most} wanted: {_short(text)}")


def assert_cites(text: str, sources: Collection[str], *, at_least: int = 1) -> list[str]:
    """Insist that a text cites so many different sources as ``[name]``, and no other; the cited.

    Args:
        sources: names of what there is to cite, such as the files that a tool found.
    """
    cited = list(dict.fromkeys(found.strip() for found in _CITATION.findall(text)))
    invented = [name for name in cited if name not in sources]
    if invented:
        raise AssertionError(f"cites {', '.join(invented)}, which is none of the sources")
    if len(cited) < at_least:
        raise AssertionError(f"cites {len(cited)} of the sources, at least {at_least} wanted")
    return cited


def _strict(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AssertionError(f"no JSON: {error}: {_short(text)}") from None


def _embedded(text: str) -> Any:
    found = first_json(text)
    if found is None:
        raise AssertionError(f"there is no JSON in it: {_short(text)}")
    return found[0]


def _check_schema(value: Any, schema: Mapping[str, Any]) -> None:
    import jsonschema

    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(dict(schema))
    for error in validator(schema).iter_errors(value):
        where = ".".join(map(str, error.absolute_path)) or "the value"
        raise AssertionError(f"{where}: {error.message}")


def _refuse(what: str, text: str, findings: list[Finding]) -> None:
    if findings:
        places = ", ".join(f"{each.type} at {each.start}" for each in findings)
        raise AssertionError(f"the text of {len(text)} characters has {what}: {places}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 200 else text[:200] + "…")
