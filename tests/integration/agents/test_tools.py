"""The tools that ship, by name in an agent, through a real worker and the doors of people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.engine import AgentSpec, ToolContext, tool
from agents_app.services.agents import agents_sync
from agents_app.testing import RuleModel, calls, says
from playhead.core import canonical
from playhead.ops.cli import main
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from agents_app.engine import Message
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"


@pytest.fixture
def data(tmp_path: Path, settings: SettingsWrapper) -> Iterator[Path]:
    settings.PLAYHEAD_DATA = tmp_path
    plugins.use(None)
    yield tmp_path
    plugins.use(None)
    definitions.use(None)


@pytest.fixture
def start(data: Path, alice: Person, workspace: Any) -> Callable[[AgentSpec], str]:
    """Begin a session of an agent."""

    def begin(spec: AgentSpec, text: str = "Go.") -> str:
        resolved = definitions._resolved(spec)
        definitions.use(definitions.Definitions({spec.slug: resolved}))
        agents_sync(workspace_id=workspace.id)
        body = {"agent": spec.slug, "input": text}
        return str(alice.browser().post("/sessions", body).json()["id"])

    return begin


def turns(*said: Message) -> Callable[[str], RuleModel]:
    """A model whose n-th answer after the user's last message is the n-th turn."""

    def rule(request: Any) -> Message:
        roles = [message.role for message in request.messages]
        last = len(roles) - 1 - roles[::-1].index("user")
        return said[min(roles[last:].count("assistant"), len(said) - 1)]

    return lambda _name: RuleModel(rule)


def results(alice: Person, session: str) -> list[str]:
    path = f"/sessions/{session}/events?types=tool_result&bodies=1&limit=200"
    events = alice.browser().get(path).json()["items"]
    return [event["payload"]["message"]["content"] for event in events]


def named(*names: str) -> AgentSpec:
    tools: Sequence[Any] = names
    return AgentSpec(slug="desk", instructions="Help.", tools=tools)


def test_s1_12_a_person_is_asked_by_a_tool_and_the_answer_reaches_the_model(
    alice: Person, start: Any
) -> None:
    session = start(named("ask_human", "calculator"))
    asked = {"question": "Which one?", "options": ["red", "blue"]}
    model = turns(calls(("ask_human", asked), ("calculator", {"expression": "6*7"})), says("Done."))
    work_all(models=model)
    browser = alice.browser()
    [question] = browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
    assert (question["kind"], question["info"]) == ("question", "Which one?")
    assert question["schema"] == {"type": "string", "enum": ["red", "blue"]}
    answer = {"decision": "respond", "digest": question["digest"], "value": "green"}
    path = f"/interrupts/{question['id']}/decision"
    assert browser.post(path, answer).status_code == 422
    assert browser.post(path, {**answer, "value": "blue"}).status_code == 200
    work_all(models=model)
    assert sorted(results(alice, session)) == ["42", "blue"]
    assert browser.get(f"/sessions/{session}").json()["answer"] == "Done."
    verdict = browser.post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"


def test_s1_12_files_notes_and_time_by_name(alice: Person, start: Any, data: Path) -> None:
    names = ("write_file", "read_file", "list_files", "search_files", "notes", "clock")
    session = start(named(*names))
    model = turns(
        calls(
            ("write_file", {"path": "a/plan.md", "text": "Buy milk."}),
            ("notes", {"action": "add", "text": "milk"}),
            ("clock", {"timezone": "Europe/Berlin"}),
            ("clock", {"timezone": "../etc"}),
            ("notes", {"action": "add", "text": " "}),
        ),
        calls(
            ("read_file", {"path": "a/plan.md"}),
            ("list_files", {}),
            ("search_files", {"query": "MILK buy"}),
            ("read_file", {"path": "../../vault.key"}),
            ("notes", {"action": "list"}),
        ),
        says("Done."),
    )
    work_all(models=model)
    said = results(alice, session)
    assert "a/plan.md written: 9 bytes" in said
    assert "Buy milk." in said
    assert '[{"bytes":9,"path":"a/plan.md"}]' in said
    assert '["milk"]' in said
    assert any("names no file of the workspace" in each for each in said)
    assert any('"timezone":"Europe/Berlin"' in each for each in said)
    assert any("there is no time zone '../etc'" in each for each in said)
    assert any("a note has a text" in each for each in said)
    assert (data / "workspaces" / session / "a" / "plan.md").read_text() == "Buy milk."


def test_notes_are_of_the_session_tree(alice: Person, start: Any) -> None:
    """A branch reads what was noted before its fork, and what it notes is its own."""
    session = start(named("notes"))
    model = turns(
        calls(("notes", {"action": "add", "text": "first"})),
        calls(("notes", {"action": "add", "text": "second"})),
        calls(("notes", {"action": "list"})),
        says("Done."),
    )
    work_all(models=model)
    assert results(alice, session)[-1] == '["first","second"]'
    browser = alice.browser()
    heads = browser.get(f"/sessions/{session}/events?types=llm_response&limit=50").json()["items"]
    made = browser.post(f"/sessions/{session}/branches", {"at": heads[1]["seq"]}).json()
    branch = made["sessions"][0]["id"]
    work_all(models=turns(says(""), calls(("notes", {"action": "list"})), says("Done.")))
    assert results(alice, branch)[-1] == '["first"]'
    assert browser.post(f"/sessions/{branch}/verify", {}).json()["derivation"]["verdict"] == "ok"


def test_law_10_a_secret_that_a_function_gives_to_an_agent_is_sealed(
    alice: Person, start: Any
) -> None:
    """The function has the real value; the log, and the model's prompt in it, have a marker."""
    seen: list[str] = []
    child = AgentSpec(slug="clerk", instructions="Clerk.")

    @tool(agents=[child])
    async def delegate(token: str, ctx: ToolContext) -> str:
        """Delegate."""
        seen.append(token)
        return (await ctx.run_child(child, f"Use {token} well.", info=f"with {token}")).text

    session = start(AgentSpec(slug="desk", instructions="Help.", tools=(delegate,)))
    work_all(models=turns(calls(("delegate", {"token": TOKEN})), says("Done.")))
    events = alice.browser().get(f"/sessions/{session}/events?bodies=1&limit=200").json()["items"]
    assert seen == [TOKEN]
    assert "child_end" in [event["event_type"] for event in events]
    assert TOKEN not in canonical.dumps(events).decode()
    verdict = alice.browser().post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"


def test_an_agent_that_a_function_runs_names_tools_too(alice: Person, start: Any) -> None:
    clerk = named("calculator")

    @tool(agents=[clerk])
    async def reckon(ctx: ToolContext) -> str:
        """Let somebody reckon."""
        return (await ctx.run_child(clerk, "Reckon.")).text

    desk = AgentSpec(slug="head", instructions="Help.", tools=(reckon,))
    session = start(desk)
    rules = {"head": calls(("reckon", {})), "desk": calls(("calculator", {"expression": "6*7"}))}

    def rule(request: Any) -> Message:
        if any(message.role == "tool" for message in request.messages):
            return says("Done.")
        return rules["desk" if request.messages[-1].content == "Reckon." else "head"]

    work_all(models=lambda _name: RuleModel(rule))
    assert results(alice, session) == ["42", "Done."]
    verdict = alice.browser().post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"


def test_the_command_says_which_tools_there_are_and_which_are_off(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plugins"]) == 0
    said = capsys.readouterr().out
    for name in (
        "calculator", "clock", "notes", "ask_human", "http_get", "read_file", "write_file",
        "list_files", "search_files", "sql_query",
    ):  # fmt: skip
        assert f"tool.{name}" in said
    assert "off    tool.http_get: http_get is off: name its hosts in plugins.toml" in said
    assert "off    tool.sql_query: sql_query is off" in said


def test_the_command_names_the_field_of_a_tools_setting_that_does_not_fit(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, field in (
        ('["playhead.http"]\nhosts = ["http://x"]', "playhead.http.hosts.0"),
        ('["playhead.files"]\nmax_bytes = 0', "playhead.files.max_bytes"),
        ('["playhead.sql"]\nurl = "mysql://me:secret@h/x"', "playhead.sql.url"),
        ('["playhead.sql"]\ndatabase = "x"', "playhead.sql.database"),
    ):
        (data / "plugins.toml").write_text(text)
        plugins.use(None)
        assert main(["plugins"]) == 1
        said = capsys.readouterr().out
        assert f"WRONG  playhead: {field}: " in said
        assert "me:secret" not in said


def test_a_tool_that_is_off_says_so_to_the_model(alice: Person, start: Any) -> None:
    session = start(named("http_get", "sql_query"))
    asked = ("http_get", {"url": "http://example.org"}), ("sql_query", {"query": "SELECT 1"})
    work_all(models=turns(calls(*asked), says("Done.")))
    assert [each[:24] for each in results(alice, session)] == [
        "Error: http_get: http_ge", "Error: sql_query: sql_qu",
    ]  # fmt: skip
