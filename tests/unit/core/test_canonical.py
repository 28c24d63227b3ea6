"""Canonical bytes: the same value has the same bytes, wherever and whenever it is written."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from playhead.core import canonical

OF_A_SET = (
    "from playhead.core import canonical; import sys; "
    "sys.stdout.buffer.write(canonical.dumps({name: 1 for name in {'b', 'a', 'é', 'ab', 'B'}}))"
)


def test_s3_54_keys_are_sorted_whatever_order_they_came_in() -> None:
    assert canonical.dumps({"b": 1, "a": {"d": 2, "c": 3}}) == b'{"a":{"c":3,"d":2},"b":1}'
    assert canonical.dumps({"a": {"c": 3, "d": 2}, "b": 1}) == b'{"a":{"c":3,"d":2},"b":1}'


def test_s3_54_the_bytes_do_not_depend_on_the_seed_of_the_processes_hashes(
    root_env: dict[str, str],
) -> None:
    written = {
        subprocess.run(
            [sys.executable, "-c", OF_A_SET],
            env={**root_env, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert written == {'{"B":1,"a":1,"ab":1,"b":1,"é":1}'.encode()}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"])), inner
    ),
    max_leaves=20,
)  # fmt: skip


@given(values)
def test_what_is_read_and_written_again_has_the_same_bytes(value: Any) -> None:
    """5 stays 5 and 5.0 stays 5.0, the order of names does not matter, and UTF-8 is not escaped."""
    data = canonical.dumps(value)
    assert canonical.dumps(canonical.loads(data)) == data
    assert canonical.dumps(json.loads(json.dumps(value))) == data
    assert canonical.loads(data) == value
