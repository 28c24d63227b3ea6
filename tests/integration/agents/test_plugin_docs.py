"""The code of docs/plugins.md and docs/middleware.md runs as it stands there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.adapters.shapes import fault
from agents_app.engine import AgentSpec
from agents_app.testing import Session
from playhead.plugins import PluginRegistry, PluginSettings, provides
from replay_app.testing import verify

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def blocks(root: Path, document: str, language: str = "python") -> list[str]:
    found = BLOCK.findall((root / "docs" / document).read_text())
    return [code for kind, code in found if kind == language]


def block(root: Path, words: str, document: str = "plugins.md", language: str = "python") -> str:
    [code] = [each for each in blocks(root, document, language) if words in each]
    return code


def names_of(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(code, "the page", "exec"), names)
    return names


@pytest.fixture
def folder(tmp_path: Path, settings: SettingsWrapper) -> Iterator[Path]:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "agents").mkdir()
    settings.PLAYHEAD_DATA = tmp_path
    plugins.use(None)
    yield tmp_path
    plugins.use(None)


@pytest.mark.parametrize("document", ["plugins.md", "middleware.md"])
def test_every_block_of_python_runs(root: Path, document: str) -> None:
    assert blocks(root, document)
    for code in blocks(root, document):
        names_of(code)


def test_the_file_of_the_first_block_is_a_plug_in(root: Path, folder: Path) -> None:
    (folder / "plugins" / "dice.py").write_text(block(root, "def roll"))
    player = "from agents_app.engine import AgentSpec\n"
    player += 'AGENTS = [AgentSpec(slug="player", tools=["roll"])]\n'
    (folder / "agents" / "player.py").write_text(player)
    loaded = plugins.current()
    assert {"name": "dice", "version": "1.0"} in loaded.registry.versions()
    assert not loaded.problems
    [tool] = definitions.load([], folder / "agents").specs["player"].tools
    assert tool.schema["properties"]["sides"]["description"] == "how many sides it has."


async def test_the_four_files_of_the_page_are_one_agent(root: Path, folder: Path) -> None:
    """A strategy, a tool, a middleware and a provider, each as it stands on the page."""
    for words in ("def roll", "class SecondLook", "class Polite", "class Parrot"):
        (folder / "plugins" / f"{words.split()[1].lower()}.py").write_text(block(root, words))
    loaded = plugins.current()
    assert not loaded.problems
    spec = AgentSpec(
        slug="quartet", strategy="second-look", model="parrot:green", tools=[loaded.tools["roll"]],
        middleware=[{"use": "polite"}],
    )  # fmt: skip
    session = Session(spec, loaded.registry.get("llm.parrot").model("green"), parts=loaded.parts)
    outcome = await session.start("Hello.").run()
    assert outcome.answer == "Is that right? Answer again. Please."
    assert len(session.of("llm_request")) == 2
    assert (await verify(session)).ok


def test_the_middleware_says_where_it_stands(root: Path, folder: Path) -> None:
    memo = names_of(block(root, "class Memo"))["Memo"]
    registry = PluginRegistry()
    registry.register(provides("middleware.memo", memo))
    registry.load()
    assert registry.get("middleware.memo") is memo
    assert list(memo().problems(AgentSpec(slug="x")))


async def test_the_plug_in_with_a_life_lives(root: Path, folder: Path) -> None:
    """Its options are those of the page's settings."""
    (folder / "plugins.toml").write_text(block(root, "[weather]", language="toml"))
    settings = PluginSettings.from_file(folder / "plugins.toml")
    assert settings.disabled == {"telemetry"}
    assert settings.choose == {"llm.openai": "my-openai"}
    weather = names_of(block(root, "class Weather"))["Weather"]
    options = {"weather": settings.options["weather"]}
    registry = PluginRegistry(PluginSettings(options=options), fault=fault)
    registry.register(weather)
    registry.load()
    assert registry.rows()[0][2] == "validated"
    await registry.start()
    await registry.stop()
    assert registry.rows()[0][2] == "stopped"
