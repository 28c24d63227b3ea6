"""A real small model on this machine. These tests need the extra [local-model]."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from tests.e2e.chromium import chromium
from tests.e2e.installations import Installation, embedded
from tests.e2e.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

SETTINGS = re.compile(r"\b([A-Z_]+)=(\S+)")
#: Milliseconds: a small machine may need a second for a word.
PATIENCE = 90_000


@pytest.fixture(scope="session")
def printed() -> Iterator[dict[str, str]]:
    """The settings that the command prints for ``make run``; the model is served meanwhile."""
    bounds = ["--port", "0", "--context", "2048", "--most", "24"]
    command = [sys.executable, "scripts/local_model.py", *bounds]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        line = next((line for line in server.stdout if "make run" in line), None)
        if line is None:
            pytest.fail("the local model did not start: make run-local-model says why")
        yield dict(SETTINGS.findall(line))
        server.terminate()


@pytest.fixture
def local_model(printed: dict[str, str]) -> str:
    """The base URL of the served model."""
    return printed["OPENAI_BASE_URL"]


@pytest.fixture(scope="session")
def installation(
    printed: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """Playhead as the README says: the printed settings, and the agents of the docs."""
    data = tmp_path_factory.mktemp("local-model") / "data"
    (data / "agents").mkdir(parents=True)
    for name in ("chat.py", "refunds_by_choice.py"):
        shutil.copy(ROOT / "docs" / "examples" / name, data / "agents")
    made = embedded(data, **printed)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; it is gone before other tests run loops of their own."""
    with chromium(patience=PATIENCE) as started:
        yield started


@pytest.fixture
def owner(browser: Browser, installation: Installation) -> Iterator[Person]:
    """The owner, signed in."""
    person = Person(browser).sign_in(installation)
    yield person
    person.context.close()
