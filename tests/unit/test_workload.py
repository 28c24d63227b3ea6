"""The workload is the same bytes everywhere: figures of other machines can be set beside ours."""

import hashlib
import json

import pytest

from tests.bench.w1 import Workload


@pytest.mark.parametrize(
    ("n", "unique", "sha256"),
    [
        (10, 31_411, "babca9efb41772a5c6c36fc03f290a8955eb61f3de3891a3e2964fbbb804d8b1"),
        (100, 267_527, "b5567b1822d23d4983df41d26779fc0bb70b8677408dd5b6ade4d8fd4fb3bce8"),
    ],
)
def test_w1_is_the_same_bytes(n: int, unique: int, sha256: str) -> None:
    workload = Workload(n)
    text = json.dumps(workload.messages, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == sha256
    assert workload.unique_bytes() == unique
    assert [step.history for step in workload.steps] == list(range(2, 2 * n + 2, 2))
