"""What models write instead of the form they were asked for."""

from __future__ import annotations

import pytest

from agents_app.engine.strategies.json_text import first_json
from agents_app.engine.strategies.plan_form import read_plan
from agents_app.engine.strategies.text_form import Act, Answer, Malformed, arguments_of, read

TOOLS = ["search", "web-search", "FinishReport"]
ONE = {"properties": {"query": {"type": "string"}}, "required": ["query"]}
NUMBER = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.mark.parametrize(
    ("text", "tool", "value"),
    [
        ("Thought: t\nAction: search[x]", "search", "x"),
        ("**Thought:** t\n**Action:** search[x]", "search", "x"),
        ("Action\uff1asearch[x]", "search", "x"),
        ("Action: `search[x]`", "search", "x"),
        ("Action:\n```\nsearch[x]\n```", "search", "x"),
        ("Action: web-search[a b]", "web-search", "a b"),
        ("Action: FinishReport[x]", "FinishReport", "x"),
        ("Action: search[a[1] and b[2]]", "search", "a[1] and b[2]"),
        ("Action: search[two\nlines]", "search", "two\nlines"),
        ('Action: search[{"query": "a]b"}]', "search", {"query": "a]b"}),
        ("Action: search\nAction Input: x y", "search", "x y"),
        ('Action: search\nAction Input: ```json\n{"query": "x"}\n```', "search", {"query": "x"}),
        ("Action: search(x)", "search", "x"),
        ('Action: search["x"]', "search", "x"),
        ("Action: no_such_tool[x]", "no_such_tool", "x"),
        ("行动\uff1asearch[天气]", "search", "天气"),
        ("Action: search[a]\nObservation: made up\nAction: Finish[b]", "search", "a"),
    ],
)
def test_h08_every_form_of_an_action_is_read(text: str, tool: str, value: object) -> None:
    found = read(text, TOOLS)
    assert isinstance(found, Act), found
    assert (found.tool, found.input) == (tool, value)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Thought: t\nAction: Finish[42]", "42"),
        ("Action: finish[42]", "42"),
        ("**Action:** `Finish[a[0] is 1]`", "a[0] is 1"),
        ("Action: Finish", "Action: Finish"),
        ("Thought: done\nAction: Finish 42", "42"),
        ("Thought: done\nFinal Answer: 42", "42"),
        ("Just a plain answer.", "Just a plain answer."),
        ("Action: Finish[two\nlines]", "two\nlines"),
    ],
)
def test_every_form_of_an_answer_is_read(text: str, answer: str) -> None:
    found = read(text, TOOLS)
    assert isinstance(found, Answer), found
    if text != "Action: Finish":
        assert found.text == answer


@pytest.mark.parametrize("text", ["", "  \n", "Thought: only thinking", "Action: [x]"])
def test_what_can_not_be_acted_on_says_why(text: str) -> None:
    found = read(text, TOOLS)
    assert isinstance(found, Malformed)
    assert found.why


@pytest.mark.parametrize(
    ("value", "schema", "arguments"),
    [
        ("x", ONE, {"query": "x"}),
        ({"query": "x"}, ONE, {"query": "x"}),
        ('{"query": "x"}', ONE, {"query": "x"}),
        ('"{\\"query\\": \\"x\\"}"', ONE, {"query": "x"}),
        ("", ONE, {}),
        (None, ONE, {}),
        ([1, 2], ONE, {"query": [1, 2]}),
        ("7", ONE, {"query": "7"}),
        ("7", NUMBER, {"n": 7}),
        ('{"query": "x', ONE, {"query": '{"query": "x'}),
        ("x", {}, {"input": "x"}),
    ],
)
def test_an_input_becomes_arguments(value: object, schema: dict, arguments: dict) -> None:  # type: ignore[type-arg]
    assert arguments_of(value, schema) == arguments


@pytest.mark.parametrize(
    "text",
    [
        '["a", "b"]',
        '```python\n["a", "b"]\n```',
        "```\n['a', 'b']\n```\nThat is my plan.",
        '{"steps": ["a", "b"]}',
        '{"plan": [{"step": "a"}, {"step": "b"}]}',
        "Here it is:\n1. a\n2. b\nGood luck!",
        "- a\n- b",
        "1) **a**\n2) b",
        "1、a\n2、b",
    ],
)
def test_h11_every_form_of_a_plan_is_read(text: str) -> None:
    assert read_plan(text) == ["a", "b"]


@pytest.mark.parametrize("text", ["", "No plan today.", "[]", '{"steps": []}', "[1, 2"])
def test_no_plan_is_none(text: str) -> None:
    assert read_plan(text) == []


def test_json_is_found_behind_some_brackets_and_not_looked_for_behind_thousands() -> None:
    """Every place costs a reading: a text of brackets alone must not hold up the whole worker."""
    found = first_json("[see] " * 50 + '{"a": 1}')
    assert found is not None
    assert found[0] == {"a": 1}
    assert first_json("[see] " * 5_000 + '{"a": 1}') is None
    assert first_json("[" * 200_000) is None
    assert first_json('{"a":' * 40_000) is None


@pytest.mark.parametrize("filling", ["\n", " ", "[", "a", "[-", "not "])
def test_a_fence_without_an_end_holds_no_plan(filling: str) -> None:
    assert read_plan("```" + filling * 200_000) == []
    assert read_plan("[" + filling * 50_000 + "1]") == []


def test_an_input_of_brackets_without_an_end_is_text() -> None:
    found = read("Action: search[" + "[" * 100_000, TOOLS)
    assert found == Act("search", "[" * 100_000, 15 + 100_000)


@pytest.mark.parametrize("plan", [r'["a \ud800", "b"]', r"['a \ud800', 'b']"])
def test_half_a_character_in_a_plan_is_replaced(plan: str) -> None:
    assert read_plan(plan) == ["a \ufffd", "b"]
