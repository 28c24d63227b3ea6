"""YAML: what is read is bounded and told by its line; what is written reads as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_app.adapters.yaml_text import DEEPEST, LONGEST, MOST, read_yaml, write_yaml
from playhead.core.errors import InvalidInput
from playhead.core.sanitise import sanitise

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.text(alphabet=" \n\t#:-|>'\"&*!%@`{}[],?yesno01.~é\u2028\u0085\ufeff😀")
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_written_reads_as_it_was(value: Any) -> None:
    clean = sanitise(value)[0]
    assert read_yaml(write_yaml(clean)).value == clean


def test_texts_of_several_lines_are_blocks_and_keys_keep_their_order() -> None:
    text = write_yaml({"slug": "x", "instructions": "One.\n\n  Two.\n", "tools": [{"name": "é"}]})
    assert text == ("slug: x\ninstructions: |\n  One.\n\n    Two.\ntools:\n  - name: é\n")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "'a' comes twice"),
        ("a:\n  - b: 1\n    b: 2\n", 3, "'b' comes twice"),
        ("a: !!python/object/apply:os.system [ls]\n", 1, "tag"),
        ("a: !thing x\n", 1, "tag"),
        ("a: !!binary aGk=\n", 1, "tag"),
        ("x: &x {a: 1}\ny:\n  <<: *x\n", 3, "merge"),
        ("1: x\n", 1, "a key is a text"),
        ("a: 1\n? [b]\n: 2\n", 2, "a key is a text"),
        ("a: [1\nb: 2\n", 2, "expected"),
        ("a: 1\n---\nb: 2\n", 2, "document"),
        ("a: *nothing\n", 1, "alias"),
        ("a: &a [*a]\n", 1, "anchors"),
        ("a: \x01\n", 1, "not YAML"),
        ("a:\n" + "[" * (DEEPEST + 1), 2, "deeper"),
        ("x" * (LONGEST + 1), 1, "characters"),
        ("\na: 0x" + "f" * 5000, 2, "too long for a number"),
        ("\na: 1" + ":59" * 500, 2, "too long for a number"),
    ],
)
def test_i01_what_is_not_read_is_told_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_yaml(text)
    assert refused.value.detail["line"] == line, refused.value.message
    assert said in refused.value.message


def test_a_text_of_too_many_values_is_refused_where_the_bound_is() -> None:
    """Not after minutes: all that stands behind it is not read."""
    text = "".join(f"k{number}: 1\n" for number in range(MOST)) + "'never closed"
    with pytest.raises(InvalidInput, match="more than 20,000 values") as refused:
        read_yaml(text)
    assert refused.value.detail["line"] == MOST // 2


def test_anchors_that_multiply_are_refused_before_they_do() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    with pytest.raises(InvalidInput, match="anchors make more than"):
        read_yaml("\n".join(rows))


def test_types_are_those_of_json() -> None:
    read = read_yaml("day: 2026-11-30\nnote: &n hi\nsame: *n\nfew: 3\nnone:\nyes_: yes\n")
    assert read.value == {
        "day": "2026-11-30", "note": "hi", "same": "hi", "few": 3, "none": None, "yes_": True,
    }  # fmt: skip


def test_every_field_has_its_line() -> None:
    read = read_yaml("slug: x\ntools:\n  - name: a\n  -\n    name: b\n    timeout: 5\n")
    assert read.line_of("tools.1.timeout") == 6
    assert read.line_of("tools.1.approval") == 4 or read.line_of("tools.1.approval") == 5
    assert read.line_of("limits.max_steps") == 1
