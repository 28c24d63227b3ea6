"""The example package, installed in an environment of its own, as its reader would."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.examples.installed import ROOT, environment, installed
from tests.integration.ops.processes import Up

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "examples/playhead-weather"
VERSIONS = {
    "weather-forecast": "0.3.0", "weather-briefing": "0.3.0", "weather-units": "0.3.0",
    "weather-almanac": "0.3.0", "weather-station": "0.3.1",
}  # fmt: skip
BROKEN = """
from playhead.plugins import PluginMeta

class Broken:
    meta = PluginMeta("broken", "1", (), requires=("tool.observe",))
    async def on_start(self):
        raise OSError("the line is dead")

PLUGINS = [Broken]
"""
CIRCLE = """
from playhead.plugins import PluginMeta

def part(name, provided, required):
    meta = PluginMeta(name, "1", (provided,), requires=(required,))
    return type(name, (), {"meta": meta})

PLUGINS = [part("sun", "tool.sun", "tool.moon"), part("moon", "tool.moon", "tool.tide"),
           part("tide", "tool.tide", "tool.sun")]
"""

pytestmark = [pytest.mark.serial, pytest.mark.embedded]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of the environment."""
    return installed(PACKAGE, tmp_path_factory.mktemp("weather") / "env")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with the agent of the package's README."""
    folder = tmp_path / "data"
    (folder / "agents").mkdir(parents=True, mode=0o700)
    (folder / "plugins").mkdir()
    code = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    (folder / "agents" / "bureau.py").write_text(code[0])
    journal = f'[weather-station]\nplace = "Bonn"\njournal = "{tmp_path / "journal"}"\n'
    (folder / "plugins.toml").write_text(journal + '["playhead.jsonl"]\npath = "events.jsonl"\n')
    return folder


def command(python: Path, data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-m", "playhead.ops.cli", *words],
        env=environment(data), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def fetched(running: Up, path: str, body: object = None, **headers: str) -> Any:
    import json

    status, text = running.fetch(f"/api/v1{path}", body, **headers)
    assert status < 300, text
    return json.loads(text)


def test_its_own_tests_pass_in_its_environment(python: Path) -> None:
    ran = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=PACKAGE, env=environment(PACKAGE), capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout


def test_the_command_lists_it_with_its_versions(python: Path, data: Path) -> None:
    said = command(python, data, "plugins")
    assert said.returncode == 0, said.stdout + said.stderr
    for name, version in VERSIONS.items():
        assert f"ok     {name} {version} (package playhead-weather)" in said.stdout


def test_a_session_runs_with_all_of_its_parts(python: Path, data: Path, tmp_path: Path) -> None:
    """A strategy, a tool, a middleware, a provider and a plug-in with a life, through a worker."""
    arguments = ("--no-demo",)
    with Up(environment(data), tmp_path / "up.log", *arguments, python=python) as running:
        csrf = running.sign_in()["csrf"]
        asked = {"agent": "bureau", "input": "How will it be in Oslo and Lima?"}
        made = fetched(running, "/sessions", asked, **{"X-CSRFToken": csrf})
        session = fetched(running, f"/sessions/{made['id']}?wait=20")
        events = fetched(running, f"/sessions/{made['id']}/events")["items"]
        verdict = fetched(
            running, f"/sessions/{made['id']}/verify", {}, **{"X-CSRFToken": csrf}
        )  # fmt: skip
        assert running.stop() == 0
    said = "Farmers say: Oslo: snow, 39 °F; Lima: fog, 72 °F; Bonn now: 68 °F."
    assert session["answer"] == said, session
    assert session["model"] == "almanac:farmer"
    named = {each["name"]: each["version"] for each in events[0]["payload"]["plugins"]}
    assert named.items() >= VERSIONS.items()
    assert verdict["derivation"]["verdict"] == "ok", verdict
    assert (tmp_path / "journal").read_text().split() == ["opened", "measured", "closed"]
    assert "tool.weather.request" in (data / "events.jsonl").read_text()


def test_a_plug_in_that_cannot_start_stops_those_that_had(
    python: Path, data: Path, tmp_path: Path
) -> None:
    (data / "plugins" / "broken.py").write_text(BROKEN)
    said = command(python, data, "up", "--port", "0", "--no-demo")
    assert said.returncode != 0
    assert "broken could not start: the line is dead" in said.stdout + said.stderr
    assert (tmp_path / "journal").read_text().split() == ["opened", "closed"]


def test_s3_23_a_circle_is_printed(python: Path, data: Path) -> None:
    (data / "plugins" / "circle.py").write_text(CIRCLE)
    said = command(python, data, "plugins")
    assert said.returncode == 1
    assert "Plug-ins require one another in a circle: sun → moon → tide → sun" in said.stdout
