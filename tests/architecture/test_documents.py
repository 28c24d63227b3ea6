"""Documents that cannot lie: what they name exists, and what exists is named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from playhead.core.catalogue import CATALOGUE

if TYPE_CHECKING:
    from pathlib import Path

LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
SETTING = re.compile(r"PLAYHEAD_[A-Z0-9_]+")
READ = re.compile(r"env_[a-z]+\(\s*\"(\w+)\"")
#: A word in back ticks that looks like a place in the tree: it has a slash, or ends in .py or .md.
PLACE = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md|toml))`")

DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/adr/README.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(root: Path, document: str) -> None:
    file = root / document
    targets = LINK.findall(file.read_text())
    assert targets
    assert [target for target in targets if not (file.parent / target).exists()] == []


def test_the_map_names_places_that_exist(root: Path) -> None:
    text = (root / "ARCHITECTURE.md").read_text()
    bases = [
        root,
        root / "platform",
        root / "platform/playhead",
        root / "agents_app",
        root / "replay_app",
    ]
    places = set(PLACE.findall(text)) - {"platform/", "api/", "docs/adr/"}
    assert len(places) > 10
    assert [place for place in places if not any((base / place).exists() for base in bases)] == []


def test_every_event_kind_is_in_the_protocol(root: Path) -> None:
    table = (root / "docs/protocol.md").read_text().split("## 2.")[0]
    documented = set(re.findall(r"`(\w+)`", table))
    assert set(CATALOGUE) <= documented


def test_every_setting_is_in_the_example(root: Path) -> None:
    sources = [
        path
        for package in ("platform", "agents_app", "replay_app")
        for path in (root / package).rglob("*.py")
    ]
    used = {name for path in sources for name in READ.findall(path.read_text())}
    assert {"PLAYHEAD_DATA", "DATABASE_URL"} <= used
    example = (root / ".env.example").read_text()
    assert {name for name in used if f"# {name}=" not in example} == set()


def test_every_command_of_make_is_listed(root: Path) -> None:
    makefile = (root / "Makefile").read_text()
    targets = re.findall(r"^([a-z0-9-]+):", makefile, re.MULTILINE)
    listed = re.findall(r"^([a-z0-9-]+):.*## \S", makefile, re.MULTILINE)
    assert targets == listed


def test_every_test_named_in_the_coverage_exists(root: Path) -> None:
    named = re.findall(r"`([\w/.-]+\.py)::(\w+)`", (root / "docs/coverage.md").read_text())
    assert len(named) > 100
    texts = {
        file: found.read_text()
        for file, _ in named
        for found in (root / "tests" / file, root / file)
        if found.is_file()
    }
    assert [
        f"{file}::{name}" for file, name in named if f"def {name}(" not in texts.get(file, "")
    ] == []


def test_every_id_has_a_place_or_a_reason(root: Path) -> None:
    rows = re.findall(
        r"^\| ([SEXHRKI]\d?-\d+) \| (.+?) \| (.*?) \| (.*?) ?\|$",
        (root / "docs/coverage.md").read_text(),
        re.MULTILINE,
    )
    ids = [row[0] for row in rows]
    assert len(ids) == len(set(ids)) == 388
    assert [row[0] for row in rows if not row[1] or not row[2]] == []
