"""What ``@tool`` makes of a function: a schema, a check of arguments, limits."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from agents_app.engine import AgentSpec, Tool, ToolContext, tool
from agents_app.engine.spec import from_definition
from agents_app.engine.tools.arguments import InvalidArguments
from agents_app.engine.tools.docstring import parameters
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn

GOOGLE = """Send a letter.

Args:
    to: who gets it,
        by name.
    copies (int): how many: one or more.
    *rest: the others.

Returns:
    a number: of the letter.
"""
NUMPY = """Send a letter.

Parameters
----------
to : str
    who gets it,
    by name.
copies : int, optional
    how many: one or more.
left, right : int
    margins.

Returns
-------
number : int
    of the letter.
"""
SPHINX = """Send a letter.

:param to: who gets it,
    by name.
:param int copies: how many: one or more.
:type copies: int
:returns: a number
"""
BOTH = {"to": "who gets it, by name.", "copies": "how many: one or more."}


@pytest.mark.parametrize(
    ("doc", "said"),
    [
        (GOOGLE, {**BOTH, "rest": "the others."}),
        (NUMPY, {**BOTH, "left": "margins.", "right": "margins."}),
        (SPHINX, BOTH),
        ("Send: a letter.\n\nNote:\n    to: nobody.", {}),
        ("", {}),
        ("Args:\n", {}),
        ("Args:\n    to:\n", {}),
    ],
)
def test_s1_12_a_docstring_describes_parameters_in_three_forms(
    doc: str, said: dict[str, str]
) -> None:
    assert parameters(doc) == said


@tool
async def letter(
    to: str,
    ctx: ToolContext,
    kind: Literal["note", "bill"] = "note",
    copies: Annotated[int, Field(description="of the annotation", ge=1)] = 1,
) -> str:
    """Send a letter.

    Args:
        to: who gets it.
        kind: of letter.
        copies: of the docstring.
    """
    return f"{copies} to {to} {ctx.session}"


def test_the_schema_is_of_annotations_and_docstring() -> None:
    assert letter.description == "Send a letter."
    assert letter.schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["to"],
        "properties": {
            "to": {"type": "string", "description": "who gets it."},
            "kind": {
                "type": "string", "enum": ["note", "bill"], "default": "note",
                "description": "of letter.",
            },
            "copies": {
                "type": "integer", "minimum": 1, "default": 1, "description": "of the annotation",
            },
        },
    }  # fmt: skip


def test_what_no_json_object_can_fill_is_refused_where_it_is_defined() -> None:
    with pytest.raises(ValueError, match=r"tool 'many': parameter \*items"):

        @tool
        def many(*items: str) -> str:
            """Take many."""
            return ""

    with pytest.raises(ValueError, match="tool 'late': timeout 0 is no number above 0"):

        @tool(timeout=0)
        def late() -> str:
            """Be late."""
            return ""


def test_a_stored_definition_keeps_the_schema_that_it_was_made_with() -> None:
    """Code that describes its parameters since then offers an old session what it had."""
    spec = AgentSpec(slug="desk", tools=(letter,))
    old = spec.definition()
    del old["tools"][0]["schema"]["properties"]["to"]["description"]
    again = from_definition(old, {"letter": letter})
    assert again.definition() == old
    assert "max_output" not in old["tools"][0]


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({}, "to", "argument to: Field required. It takes: to (string), kind (one of 'note' 'bill', "),
    ({"to": None}, "to", "argument to: Input should be a valid string"),
    ({"to": ["Bo"]}, "to", "argument to: Input should be a valid string"),
    ({"to": "Bo", "copies": "many"}, "copies", "argument copies: Input should be a valid integer"),
    ({"to": "Bo", "copies": 0}, "copies", "greater than or equal to 1"),
    ({"to": "Bo", "colour": 1}, "colour", "argument colour: Extra inputs are not permitted"),
    ({"to": 1, "copies": []}, "to", "argument copies: "),
]


@pytest.mark.parametrize(("arguments", "field", "said"), WRONG)
def test_arguments_that_do_not_fit_are_told_by_name_with_what_there_is(
    arguments: dict[str, Any], field: str, said: str
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        letter.validate(arguments)
    assert caught.value.field == field
    assert said in str(caught.value)
    assert "It takes: to (string)" in str(caught.value)


async def test_i9_arguments_that_are_no_object_are_told_with_what_was_found() -> None:
    """A truncated object, and a list: the model is told the arguments and tries again."""
    broken = [calls(("letter", {})), calls(("letter", {}))]
    texts = ['{"to": "Bo', '["Bo"]']
    turns = [
        type(m)("assistant", "", [type(c)(c.id, c.name, {}, raw=text) for c in m.calls])
        for m, text in zip(broken, texts, strict=True)
    ]
    session = Session(
        AgentSpec(slug="desk", tools=(letter,)), RuleModel(by_turn(*turns, says("I see.")))
    ).start("Go.")
    assert (await session.run()).answer == "I see."
    for result, text in zip(session.of("tool_result"), texts, strict=True):
        said = result.payload["message"]["content"]
        assert repr(text) in said
        assert "It takes: to (string)" in said
        assert result.payload["error"]["field"] == "arguments"
    assert session.of("tool_call") == []
    assert (await verify(session)).ok


def _session(each: Tool) -> Session:
    model = RuleModel(by_turn(calls((each.name, {})), says("Done.")))
    return Session(AgentSpec(slug="desk", tools=(each,)), model).start("Go.")


async def test_s3_65_a_long_result_is_cut_with_its_size_and_digest() -> None:
    whole = "é" * 50 + "x" * 50

    @tool(max_output=60)
    async def long() -> str:
        """Say much."""
        return whole

    session = _session(long)
    assert (await session.run()).kind == "finished"
    [result] = session.of("tool_result")
    mark = hashlib.sha256(whole.encode()).hexdigest()
    assert result.payload["cut"] == {"size": 100, "kept": 60, "sha256": mark}
    said = result.payload["message"]["content"]
    assert (
        said == whole[:60] + f"\n[cut: the first 60 of 100 characters; sha256 of the whole {mark}]"
    )
    assert session.spec.definition()["tools"][0]["max_output"] == 60
    assert (await verify(session)).ok


async def test_s3_65_a_long_error_is_cut_too() -> None:
    @tool(max_output=60)
    async def long() -> str:
        """Fail at length."""
        raise ValueError("y" * 100)

    session = _session(long)
    await session.run()
    [result] = session.of("tool_result")
    assert len(result.payload["error"]["message"]) == 60
    assert not result.payload["success"]
