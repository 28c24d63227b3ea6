"""A request that is rebuilt from the log and put through the adapter again has the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bench.exact import FORMS, different, run_live
from tests.bench.w1 import Workload

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 100


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("form", FORMS)
def test_w1_requests_rebuilt_from_the_log_are_what_the_server_got(
    tmp_path: Path, form: str
) -> None:
    load = Workload(STEPS)
    session = run_live(load, form, tmp_path / "sent", seconds=120)
    assert len(list((tmp_path / "sent").iterdir())) == STEPS + 1
    assert different(session, load, tmp_path / "sent", tmp_path / "again", every=10) == []


@pytest.mark.django_db(transaction=True)
def test_one_changed_byte_on_the_servers_disk_is_told(tmp_path: Path) -> None:
    load = Workload(3)
    session = run_live(load, "whole history", tmp_path / "sent", seconds=60)
    body = tmp_path / "sent" / "000002.json"
    body.write_bytes(body.read_bytes().replace(b"assistant", b"assistans", 1))
    wrong = different(session, load, tmp_path / "sent", tmp_path / "again", every=1)
    assert wrong == ["the bytes of request 2"]
