"""What every test shares."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture
def root_env() -> dict[str, str]:
    """The environment of a child process that imports from the checkout, installed or not."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "platform"), str(ROOT)])}
