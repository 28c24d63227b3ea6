"""What has been released is never edited: migrations that have run, and the corpus they made."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

ADVICE = "Frozen files were changed; add a new migration or a new release (make freeze) instead"


@pytest.fixture
def listed(root: Path) -> dict[str, str]:
    """path → sha256 of every file that a release has frozen."""
    lines = (root / "tests/corpus/FROZEN.sha256").read_text().splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def changed(root: Path, listed: dict[str, str]) -> list[str]:
    """The frozen files that are not what they were, or not there."""
    return [
        name
        for name, digest in listed.items()
        if not (root / name).is_file()
        or hashlib.sha256((root / name).read_bytes()).hexdigest() != digest
    ]


def test_no_frozen_file_was_changed(root: Path, listed: dict[str, str]) -> None:
    assert any("/migrations/" in name for name in listed)
    assert changed(root, listed) == [], ADVICE


def test_the_whole_corpus_is_frozen(root: Path, listed: dict[str, str]) -> None:
    corpus = root / "tests/corpus"
    files = [*corpus.glob("logs/*/*"), *corpus.glob("databases/*")]
    assert len(files) > 5
    assert {file.relative_to(root).as_posix() for file in files} <= set(listed)


def test_an_edit_and_a_removal_are_seen(tmp_path: Path) -> None:
    (tmp_path / "kept.py").write_text("old")
    (tmp_path / "edited.py").write_text("new")
    old = hashlib.sha256(b"old").hexdigest()
    frozen = dict.fromkeys(["kept.py", "edited.py", "removed.py"], old)
    assert changed(tmp_path, frozen) == ["edited.py", "removed.py"]
