"""Plug-ins of the data folder: one file each, and a session runs on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.engine import AgentSpec
from agents_app.services.agents import agents_sync
from playhead.core.errors import InvalidInput
from playhead.ops.cli import main
from playhead.plugins import PluginError
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

FILES = {
    "dice.py": '''
from agents_app.engine import tool
from playhead.plugins import provides

@tool
def roll(sides: int) -> int:
    """Roll a die."""
    return sides

PLUGINS = [provides("tool.roll", roll, name="dice", version="1.2")]
''',
    "twice.py": '''
from agents_app.engine import Finish
from playhead.plugins import provides

class Twice:
    """Says what the model says, after one roll."""
    name = "twice"
    def __init__(self, sides: int = 6) -> None:
        self.sides = sides
    def start(self, task, history):
        return {}
    async def step(self, state, ctx):
        reply = await ctx.model(tools=False)
        ctx.append(reply)
        rolled = await ctx.call(reply, "roll", {"sides": self.sides})
        return Finish(f"{reply.content} {rolled.content}", state)

PLUGINS = [provides("strategy.twice", Twice)]
''',
    "shout.py": """
from dataclasses import replace
from playhead.plugins import provides

class Shout:
    name = "shout"
    async def after_llm_call(self, response):
        return replace(response, content=response.content.upper())

PLUGINS = [provides("middleware.shout", Shout)]
""",
    "parrot.py": '''
from agents_app.engine import Message
from agents_app.engine.ports import ModelReply
from playhead.plugins import PluginMeta

class Parrot:
    """A provider of one model, which repeats."""
    meta = PluginMeta("parrot", "2.0", ("llm.parrot",))
    paid = False
    def models(self):
        return ["grey"]
    def model(self, name):
        return self
    async def respond(self, request, on_delta):
        return ModelReply(Message("assistant", request.messages[-1].content), stop_reason="stop")

PLUGINS = [Parrot]
''',
}
LATE = """
from playhead.plugins import PluginMeta

class Late:
    meta = PluginMeta("late", "1", ())
    tries = 0

    async def on_start(self):
        self.tries += 1
        if self.tries == 1:
            raise OSError("the database is away")

PLUGINS = [Late]
"""


@pytest.fixture
def folder(tmp_path: Path, settings: SettingsWrapper) -> Iterator[Path]:
    (tmp_path / "plugins").mkdir()
    settings.PLAYHEAD_DATA = tmp_path
    plugins.use(None)
    yield tmp_path
    plugins.use(None)


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / "plugins" / name).write_text(FILES[name])


@pytest.mark.django_db(transaction=True)
def test_s3_3_a_session_runs_on_parts_that_nobody_here_knew(
    folder: Path, workspace: WorkspaceRef, dana: Person
) -> None:
    """A strategy, a tool, a middleware and a provider, a file each; the log has their versions."""
    write(folder, *FILES)
    spec = AgentSpec(
        slug="odd", strategy="twice", options={"sides": 20}, model="parrot:grey",
        tools=(plugins.current().tools["roll"],), middleware=({"use": "shout"},),
    )  # fmt: skip
    definitions.use(definitions.Definitions({"odd": spec}, {}))
    agents_sync(workspace_id=workspace.id)
    try:
        browser = dana.browser()
        made = browser.post("/sessions", {"agent": "odd", "input": "hello"}).json()
        work_all()
        session = browser.get(f"/sessions/{made['id']}").json()
        start = browser.get(f"/sessions/{made['id']}/events/1").json()["payload"]
        verdict = browser.post(f"/sessions/{made['id']}/verify", {}).json()
    finally:
        definitions.use(None)
    assert session["answer"] == "HELLO 20", session
    assert {"name": "dice", "version": "1.2"} in start["plugins"]
    assert {"name": "parrot", "version": "2.0"} in start["plugins"]
    assert verdict["derivation"]["verdict"] == "ok"


@pytest.mark.django_db
def test_the_command_says_what_is_loaded_and_why_something_is_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "dice.py", "shout.py")
    (folder / "plugins" / "broken.py").write_text("import no_such_module")
    (folder / "plugins.toml").write_text('disabled = ["middleware.shout"]')
    assert main(["plugins"]) == 1
    said = capsys.readouterr().out
    assert "ok     dice 1.2 (file dice.py): tool.roll" in said
    assert "-      middleware.shout: disabled in plugins.toml" in said
    assert "WRONG  file broken.py: ModuleNotFoundError" in said


@pytest.mark.django_db
def test_the_command_names_settings_of_plug_ins_that_are_not_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "dice.py")
    (folder / "plugins.toml").write_text('disabled = ["dize"]')
    assert main(["plugins"]) == 1
    said = capsys.readouterr().out
    assert "ok     dice 1.2" in said
    assert "WRONG  plugins.toml: disabled: unknown plug-in 'dize'" in said


async def test_plug_ins_that_could_not_start_are_started_by_the_next_one(folder: Path) -> None:
    (folder / "plugins" / "late.py").write_text(LATE)
    with pytest.raises(PluginError, match="late could not start: the database is away"):
        await plugins.start()
    await plugins.start()
    phases = {meta.name: phase for meta, _, phase in plugins.registry().rows()}
    assert phases["late"] == "running"
    await plugins.stop()
    phases = {meta.name: phase for meta, _, phase in plugins.registry().rows()}
    assert phases["late"] == "stopped"


def test_what_does_not_fit_together_stops_the_start_with_a_sentence(folder: Path) -> None:
    write(folder, "dice.py")
    (folder / "plugins" / "again.py").write_text(FILES["dice.py"])
    with pytest.raises(PluginError, match="duplicate plugin: dice"):
        plugins.current()


def test_an_agent_names_the_tools_of_plug_ins(folder: Path) -> None:
    write(folder, "dice.py")
    (folder / "agents").mkdir()
    player = "from agents_app.engine import AgentSpec\nAGENTS = [AgentSpec(slug='p', tools=['{}'])]"
    (folder / "agents" / "player.py").write_text(player.format("roll"))
    (folder / "agents" / "wrong.py").write_text(player.format("rain"))
    found = definitions.load([], folder / "agents")
    assert [tool.name for tool in found.specs["p"].tools] == ["roll"]
    [problem] = found.problems
    assert "'rain' is no tool" in problem
    assert "roll" in problem.rpartition("(")[2]


def test_an_unknown_model_is_refused_with_the_providers_there_are(folder: Path) -> None:
    from agents_app.adapters.choices import model_check

    write(folder, "parrot.py")
    model_check("parrot:grey")
    for name in ("parrot:green", "nobody:x", "parrot:", "x"):
        with pytest.raises(InvalidInput) as refused:
            model_check(name)
        assert refused.value.detail["field"] == "overrides.model"


@pytest.mark.parametrize(
    ("capability", "said"),
    [
        ("memory.mine", "has no method write"),
        ("llm.mine", "has no method models"),
        ("strategy.mine", "came, an instance; give the class"),
        ("middleware.mine", "came, an instance; give the class"),
        ("tool.mine", "came; give a tool: what @tool makes"),
    ],
)
def test_a_plugin_that_provides_something_else_is_named(
    tmp_path: Path, capability: str, said: str
) -> None:
    (tmp_path / "plugins").mkdir()
    source = f'from playhead.plugins import provides\nPLUGINS = [provides("{capability}", 7)]\n'
    (tmp_path / "plugins" / "mine.py").write_text(source)
    [problem] = plugins.load(tmp_path).problems
    assert problem.source == "file mine.py"
    assert str(problem.problem).startswith(f"{capability}: a value of type int {said}")
