"""Files in a workspace: what is written is read again, and nothing outside is reached."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.tools import workspace as module
from agents_app.adapters.tools.files import FileOptions, file_tools
from agents_app.adapters.tools.searching import search
from agents_app.adapters.tools.workspace import Workspace
from agents_app.engine.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OUTSIDE = [
    "../secret.txt", "a/../../secret.txt", "..", "a/..", "/etc/passwd", "~/x", "\\\\host\\x",
    "a\\..\\b", "C:/x", "", ".", "./", "a\x00b", "x" * 2000, "/".join(["a"] * 40) + "/b",
]  # fmt: skip


@pytest.fixture
def here(tmp_path: Path) -> Workspace:
    (tmp_path / "secret.txt").write_text("hidden")
    return Workspace(tmp_path / "work", max_bytes=100, max_files=5)


def test_what_is_written_is_read_listed_and_replaced(here: Workspace) -> None:
    assert here.files() == []
    assert here.write("a/b/c.txt", "é") == 2
    here.write("a/b/c.txt", "two")
    here.write("./top.txt", "")
    assert here.read("a//b/./c.txt") == "two"
    assert [(each.path, each.size) for each in here.files()] == [("a/b/c.txt", 3), ("top.txt", 0)]
    assert [each.path for each in here.files("a")] == ["a/b/c.txt"]
    assert [p.name for p in (here.root / "a" / "b").iterdir()] == ["c.txt"]


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda path: path[:12])
def test_no_path_leads_outside(here: Workspace, path: str) -> None:
    for act in (lambda: here.read(path), lambda: here.write(path, "x")):
        with pytest.raises(ToolError) as caught:
            act()
        assert "hidden" not in caught.value.message
    assert (here.root.parent / "secret.txt").read_text() == "hidden"


LINKS: list[tuple[str, Callable[[Path, Path], None], str]] = [
    ("file", lambda work, out: (work / "x").symlink_to(out / "secret.txt"), "x"),
    ("folder", lambda work, out: (work / "x").symlink_to(out), "x/secret.txt"),
    ("relative", lambda work, out: (work / "x").symlink_to("../secret.txt"), "x"),
    ("to root", lambda work, out: (work / "x").symlink_to("/"), "x/etc/hostname"),
    ("dangling", lambda work, out: (work / "x").symlink_to(out / "new.txt"), "x"),
]


@pytest.mark.parametrize(("name", "make", "path"), LINKS, ids=[each[0] for each in LINKS])
def test_no_link_leads_outside(here: Workspace, name: str, make: Any, path: str) -> None:
    here.write("first", "1")
    make(here.root, here.root.parent)
    with pytest.raises(ToolError):
        here.read(path)
    with pytest.raises(ToolError):
        here.write(path, "overwritten")
    assert [each.path for each in here.files()] == ["first"]
    assert (here.root.parent / "secret.txt").read_text() == "hidden"
    assert not (here.root.parent / "new.txt").exists()


def test_a_link_that_is_put_in_the_way_meanwhile_is_not_followed(
    here: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the target and the write, and between two steps of a path."""
    here.write("a/x.txt", "1")
    real = module._replace

    def swapped(folder: int, name: str, data: bytes) -> None:
        os.unlink(name, dir_fd=folder)
        os.symlink(here.root.parent / "secret.txt", name, dir_fd=folder)
        real(folder, name, data)

    monkeypatch.setattr(module, "_replace", swapped)
    here.write("a/x.txt", "2")
    assert (here.root.parent / "secret.txt").read_text() == "hidden"
    assert here.read("a/x.txt") == "2"
    monkeypatch.undo()

    opened = os.open

    def moved(path: Any, flags: int, *args: Any, **options: Any) -> int:
        if path == "a":
            (here.root / "a").rename(here.root / "b")
            (here.root / "a").symlink_to(here.root.parent)
        return opened(path, flags, *args, **options)

    monkeypatch.setattr(os, "open", moved)
    with pytest.raises(ToolError):
        here.read("a/secret.txt")


def test_what_is_no_text_file_is_not_read_nor_written_over(here: Workspace) -> None:
    here.write("folder/x", "1")
    os.mkfifo(here.root / "pipe")
    (here.root / "binary").write_bytes(b"\xff\xfe")
    for path, said in (
        ("folder", "no file"), ("pipe", "no file"), ("binary", "no text"), ("none", "there is no"),
        ("none/x", "there is no none/x"), ("folder/x/y", "folder/x/y: "),
    ):  # fmt: skip
        with pytest.raises(ToolError, match=said):
            here.read(path)
    for path in ("folder", "pipe"):
        with pytest.raises(ToolError, match="is no file"):
            here.write(path, "x")


def test_sizes_are_bounded(here: Workspace) -> None:
    with pytest.raises(ToolError, match="would have 101 bytes; at most 100"):
        here.write("x", "y" * 101)
    here.write("x", "y")
    (here.root / "x").write_text("y" * 101)
    with pytest.raises(ToolError, match="more than 100 bytes"):
        here.read("x")
    for number in range(4):
        here.write(f"n{number}", "")
    with pytest.raises(ToolError, match="5 files already"):
        here.write("one-more", "")
    here.write("./n1", "changed")
    assert here.read("n1") == "changed"


def test_full_text_search_finds_every_word_in_any_case_and_order(here: Workspace) -> None:
    here.write("a.md", "The Red fox.\nA red house.\n")
    here.write("b/c.md", "red\nfox fox FOX red")
    here.write("d.md", "only red")
    here.write("e.md", "今天天气很好")
    (here.root / "binary").write_bytes(b"\xff fox red")
    found = search(here, "fox RED", "", limit=10)
    assert [(each["path"], each["hits"]) for each in found["files"]] == [("b/c.md", 5), ("a.md", 3)]
    assert found["files"][1]["lines"][0] == {"line": 1, "text": "The Red fox."}
    assert (found["searched"], found["left_out"]) == (4, 1)
    assert [each["path"] for each in search(here, "天气", "", limit=1)["files"]] == ["e.md"]
    assert search(here, "fox", "b", limit=10)["searched"] == 1
    assert search(here, ".*", "", limit=10)["files"] == []
    with pytest.raises(ToolError, match="at least one word"):
        search(here, " ", "", limit=1)


def test_writing_is_an_effect_that_may_be_repeated_and_reading_is_none() -> None:
    tools = {each.name: each for each in file_tools(FileOptions())}
    assert {name: (t.effectful, t.idempotent) for name, t in tools.items()} == {
        "read_file": (False, False), "write_file": (True, True), "list_files": (False, False),
        "search_files": (False, False),
    }  # fmt: skip
    assert tools["write_file"].says({"path": "a.txt"}) == "Writes the file a.txt."
