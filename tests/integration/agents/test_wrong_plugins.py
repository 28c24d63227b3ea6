"""Plug-ins that are wrong: each is told by file and capability, and everything else works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.adapters.models.prices import price
from playhead.core.errors import InvalidInput
from playhead.core.usage import Usage
from playhead.ops.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db

FILES = {
    "counts.py": """
from playhead.plugins import provides
class Counts:
    async def before_llm_call(self, messages):
        return messages
PLUGINS = [provides("middleware.counts", Counts())]
""",
    "lazy.py": """
from playhead.plugins import provides
class Lazy:
    paid = False
    def models(self): return None
    def model(self, name): return self
PLUGINS = [provides("llm.lazy", Lazy)]
""",
    "dumb.py": """
from playhead.plugins import provides
class Dumb:
    paid = False
PLUGINS = [provides("llm.dumb", Dumb())]
""",
    "bare.py": """
from playhead.plugins import provides
def f(x: int) -> int:
    return x
PLUGINS = [provides("tool.f", f)]
""",
    "guard.py": """
from playhead.plugins import provides
class Guard:
    async def before_llmcall(self, messages):
        return messages
PLUGINS = [provides("middleware.guard", Guard)]
""",
    "murmur.py": """
from pydantic import BaseModel
from playhead.plugins import PluginMeta
class Options(BaseModel):
    url: str
class Murmur:
    meta = PluginMeta("murmur", "1", (), config_cls=Options)
PLUGINS = [Murmur]
""",
    "fine.py": """
from playhead.plugins import provides
class Fine:
    paid = False
    def models(self): return ["one"]
    def model(self, name): return self
class Even:
    def __init__(self, number: int = 2):
        if number % 2:
            raise ValueError("number has to be even")
    async def after_llm_call(self, response):
        return response
PLUGINS = [provides("llm.fine", Fine()), provides("middleware.even", Even)]
""",
    "odd.py": """
from playhead.plugins import provides
class Odd:
    paid = False
    def models(self): raise OSError("nobody answers")
    def model(self, name): return self
PLUGINS = [provides("llm.odd", Odd())]
""",
}
SAID = {
    "counts.py": "a value of type Counts came, an instance; give the class, Counts",
    "lazy.py": "llm.lazy: the class Lazy came; give an instance, such as Lazy()",
    "dumb.py": "llm.dumb: a value of type Dumb has no method models",
    "bare.py": "tool.f: f is a function: write @tool above it",
    "guard.py": "before_llmcall is no hook and would never run; did you mean before_llm_call?",
    "murmur.py": "murmur.url: Field required (plugins.toml, table [murmur])",
}


@pytest.fixture
def folder(tmp_path: Path, settings: SettingsWrapper) -> Iterator[Path]:
    (tmp_path / "plugins").mkdir()
    for name, text in FILES.items():
        (tmp_path / "plugins" / name).write_text(text)
    (tmp_path / "plugins.toml").write_text("[mumur]\nurl = 'x'\n")
    settings.PLAYHEAD_DATA = tmp_path
    plugins.use(None)
    definitions.use(definitions.Definitions())
    yield tmp_path
    plugins.use(None)
    definitions.use(None)


@pytest.mark.usefixtures("folder")
def test_s3_3_each_is_told_by_the_command_and_the_doctor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plugins"]) == 1
    said = capsys.readouterr().out
    for name, sentence in SAID.items():
        [line] = [each for each in said.splitlines() if each.startswith(f"WRONG  file {name}: ")]
        assert sentence in line
    assert "WRONG  plugins.toml: [mumur]: unknown plug-in 'mumur'; did you mean murmur?" in said
    assert "ok     llm.fine 1 (file fine.py)" in said
    main(["doctor"])
    [line] = [each for each in capsys.readouterr().out.splitlines() if "plug-ins:" in each]
    assert line.startswith("WRONG")
    assert "file murmur.py" in line
    assert "PLAYHEAD_AGENTS" not in line


@pytest.mark.usefixtures("folder")
def test_s3_3_the_editor_has_everything_that_is_right(erin: Person, victor: Person) -> None:
    answer = erin.browser().get("/agents/parts")
    assert answer.status_code == 200, answer.content
    parts = answer.json()
    assert "fine:one" in {each["name"] for each in parts["models"]}
    assert "even" in {each["name"] for each in parts["middleware"]}
    assert not {"counts", "guard"} & {each["name"] for each in parts["middleware"]}
    assert any(SAID["guard.py"] in each for each in parts["problems"])
    assert victor.browser().get("/agents/parts").json()["problems"] == []


@pytest.mark.usefixtures("folder")
def test_a_constructors_sentence_is_told_as_it_is(erin: Person) -> None:
    uses: list[Any] = [{"use": "even", "number": 3}]
    said = {"slug": "a", "model": "fine:one", "middleware": uses}
    answer = erin.browser().post("/agents/check", {"definition": said})
    assert answer.status_code == 200, answer.content
    [problem] = answer.json()["problems"]
    assert problem["message"] == "number has to be even"


@pytest.mark.usefixtures("folder")
def test_a_provider_that_is_not_paid_costs_nothing() -> None:
    used = Usage(input=1, output=1)
    assert price("fine:one", used) == ("0", "fine")
    assert price("fine:one", None) == ("0", "fine")
    assert price("nobody:one", used) == (None, None)


def test_two_files_of_one_agent_are_named_both(folder: Path) -> None:
    (folder / "agents").mkdir()
    text = "from agents_app.engine import AgentSpec\nAGENTS = [AgentSpec(slug='mailer')]\n"
    for name in ("one.py", "two.py"):
        (folder / "agents" / name).write_text(text)
    with pytest.raises(InvalidInput) as refused:
        definitions.load([], folder / "agents")
    assert str(folder / "agents" / "one.py") in refused.value.message
    assert str(folder / "agents" / "two.py") in refused.value.message
