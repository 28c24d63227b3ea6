"""A browser, and the installations that it is pointed at."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.chromium import chromium
from tests.e2e.installations import Installation, embedded, scaled
from tests.e2e.lab import Lab
from tests.e2e.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="module", params=["embedded", "scaled"])
def installation(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """The installation that a story is told on."""
    data = tmp_path_factory.mktemp(request.param) / "data"
    data.mkdir()
    made = {"embedded": embedded, "scaled": scaled}[request.param](data)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """An installation with agents of its own, whose real model is a server of the protocol."""
    data = tmp_path_factory.mktemp("lab") / "data"
    (data / "agents").mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("lab_agents.py"), data / "agents" / "lab.py")
    with Lab.running(data) as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with chromium() as started:
        yield started


@pytest.fixture
def owner(browser: Browser, installation: Installation) -> Iterator[Person]:
    """The owner, signed in."""
    person = Person(browser).sign_in(installation)
    yield person
    person.context.close()


@pytest.fixture(scope="session")
def _lab_owner(browser: Browser, lab: Lab) -> Iterator[Person]:
    person = Person(browser).sign_in(lab.installation)
    yield person
    person.context.close()


@pytest.fixture
def lab_owner(_lab_owner: Person) -> Iterator[Person]:
    """The owner of the lab, signed in, with a tab of their own."""
    _lab_owner.page = _lab_owner.tab()
    _lab_owner.faults.clear()
    yield _lab_owner
    _lab_owner.page.close()
