"""A real small model on this machine. These tests need the extra [local-model]."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READY = "OPENAI_BASE_URL="


@pytest.fixture(scope="session")
def local_model() -> Iterator[str]:
    """The base URL of a served model; it is up when this returns."""
    root = _root()
    command = [sys.executable, "scripts/local_model.py", "--port", "0", "--context", "2048"]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        line = next((line for line in server.stdout if READY in line), None)
        if line is None:
            pytest.fail("the local model did not start: make run-local-model says why")
        yield line.split(READY)[1].split()[0]
        server.terminate()


def _root() -> Path:
    from tests.conftest import ROOT

    return ROOT
