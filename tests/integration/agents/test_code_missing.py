"""A plug-in that is not there, or does not fit any more: its sessions wait, and say why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.adapters.stores import log_store
from agents_app.models import Interrupt, Session
from agents_app.services.agents import agents_sync
from tests.integration.agents.logs import pk_of
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Browser, Person

pytestmark = pytest.mark.django_db(transaction=True)

VOTE = '''
from agents_app.engine import Continue, Finish, Message, ToolCall, tool
from agents_app.engine.ports import ModelReply
from playhead.plugins import provides_all

class Vote:
    """Asks, runs what is asked for, and is done."""
    name = "vote"
    def __init__(self, voices: int = 1):
        self.voices = voices
    def start(self, task, history):
        return {}
    async def step(self, state, ctx):
        reply = await ctx.model()
        ctx.append(reply)
        if not reply.tool_calls:
            return Finish(reply.content, state)
        ctx.append(*await ctx.tools(reply))
        return Continue(state)

class Loud:
    async def after_llm_call(self, response):
        return response
    name = "loud"
    def __init__(self, voices: int = 1):
        self.voices = voices

@tool(effectful=True, approval=True)
def pay(amount: int) -> str:
    """Pay somebody."""
    return "paid"

class Asks:
    paid = False
    def models(self):
        return ["one"]
    def model(self, name):
        return self
    async def respond(self, request, on_delta):
        if request.messages[-1].role == "tool":
            return ModelReply(Message("assistant", "done"), stop_reason="stop")
        call = ToolCall("1", "pay", {"amount": 3})
        return ModelReply(Message("assistant", "", tool_calls=(call,)), stop_reason="tool_calls")
'''
LISTS = {
    "parts.py": """
PLUGINS = [provides_all({"tool.pay": pay, "llm.asks": Asks()}, name="parts")]
""",
    "vote.py": """
PLUGINS = [provides_all({"strategy.vote": Vote, "middleware.loud": Loud}, name="vote")]
""",
}


class Desk:
    """An installation with an agent on plug-ins, and a session that waits for an approval."""

    def __init__(self, folder: Path, workspace: WorkspaceRef, browser: Browser) -> None:
        self.folder, self.workspace, self.browser = folder, workspace, browser
        for name in LISTS:
            self.write(name, VOTE + LISTS[name])

    def write(self, name: str, text: str) -> None:
        (self.folder / "plugins" / name).write_text(text)

    def restart(self) -> None:
        plugins.use(None)
        definitions.use(None)

    def agent(self, **changes: Any) -> None:
        said = {
            "slug": "voter", "strategy": "vote", "model": "asks:one",
            "tools": [{"name": "pay"}], **changes,
        }  # fmt: skip
        made = self.browser.post("/agents", {"definition": said})
        assert made.status_code == 201, made.content

    def start(self) -> str:
        made = self.browser.post("/sessions", {"agent": "voter", "input": "Pay."})
        assert made.status_code == 201, made.content
        return str(made.json()["id"])

    def decide(self, session: str) -> None:
        asked = Interrupt.objects.get(session=pk_of(session))
        said = {"decision": "approve", "digest": asked.digest}
        answer = self.browser.post(f"/interrupts/{asked.pk}/decision", said)
        assert answer.status_code < 300, answer.content

    def shown(self, session: str) -> dict[str, Any]:
        return dict(self.browser.get(f"/sessions/{session}").json())

    def held(self, session: str) -> Callable[[], bool]:
        """Somebody has looked at it once more, and it waits."""
        before = log_store().head(pk_of(session)).epoch

        def holds() -> bool:
            head = log_store().head(pk_of(session))
            return head.epoch > before and head.state.waiting_for == "code"

        return holds

    def until(self, session: str, *statuses: str) -> Callable[[], bool]:
        return lambda: log_store().head(pk_of(session)).state.status in statuses


@pytest.fixture
def desk(
    tmp_path: Path, settings: SettingsWrapper, workspace: WorkspaceRef, alice: Person
) -> Iterator[Desk]:
    (tmp_path / "plugins").mkdir()
    settings.PLAYHEAD_DATA = tmp_path
    definitions.use(definitions.Definitions())
    plugins.use(None)
    agents_sync(workspace_id=workspace.id)
    yield Desk(tmp_path, workspace, alice.browser())
    plugins.use(None)
    definitions.use(None)


WRONG = {
    "an import": "import nothere\n",
    # Of another length: Python trusts the cached code of a file of the same second and size.
    "a name": VOTE + LISTS["vote.py"].replace("strategy.vote", "strategy.vetoes"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_s3_3_a_session_waits_for_its_strategy_and_goes_on(desk: Desk, fault: str) -> None:
    """It was approved while the plug-in was not there; nothing is lost, and the reason is true."""
    desk.agent()
    session = desk.start()
    work_all()
    assert desk.shown(session)["waiting_for"] == "person"

    desk.write("vote.py", WRONG[fault])
    desk.restart()
    desk.decide(session)
    for _ in range(6):  # as often as somebody looks
        work_all(until=desk.held(session))
    shown = desk.shown(session)
    assert (shown["status"], shown["waiting_for"]) == ("waiting", "code")
    assert shown["error"]["code"] == "code_missing"
    assert "strategy 'vote' is not known" in shown["error"]["message"]
    if fault == "an import":
        assert "file vote.py: ModuleNotFoundError" in shown["error"]["message"]
    assert log_store().head(pk_of(session)).attempts == 0

    desk.write("vote.py", VOTE + LISTS["vote.py"])
    desk.restart()
    work_all(until=desk.until(session, "finished", "failed"))
    shown = desk.shown(session)
    assert (shown["status"], shown["answer"], shown["error"]) == ("finished", "done", None)


def test_a_new_session_of_such_an_agent_is_refused_with_the_sentence(desk: Desk) -> None:
    desk.agent()
    desk.write("vote.py", "import nothere\n")
    desk.restart()
    made = desk.browser.post("/sessions", {"agent": "voter", "input": "Pay."})
    assert made.status_code == 422, made.content
    assert "strategy 'vote' is not known" in made.json()["detail"]
    assert "file vote.py: ModuleNotFoundError" in made.json()["detail"]
    assert not Session.objects.exists()


def test_what_is_approved_runs_once_though_a_middleware_was_away(desk: Desk) -> None:
    desk.agent(middleware=[{"use": "loud", "voices": 2}])
    session = desk.start()
    work_all()
    desk.write("vote.py", VOTE.replace("voices: int = 1", "voices: str = ''") + LISTS["vote.py"])
    desk.restart()
    desk.decide(session)
    work_all()
    assert "middleware.0.voices" in desk.shown(session)["error"]["message"]
    desk.write("vote.py", VOTE + LISTS["vote.py"])
    desk.restart()
    work_all(until=desk.until(session, "finished", "failed"))
    events = desk.browser.get(f"/sessions/{session}/events?limit=100").json()["items"]
    kinds = [event["event_type"] for event in events]
    assert (kinds.count("tool_call"), kinds.count("lease")) == (1, 0)
    assert desk.shown(session)["status"] == "finished"


def test_a_constructor_that_fails_is_the_reason(desk: Desk) -> None:
    desk.agent()
    session = desk.start()
    raises = VOTE.replace("self.voices = voices", "self.voices = {}['colour']", 1)
    desk.write("vote.py", raises + LISTS["vote.py"])
    desk.restart()
    work_all()
    shown = desk.shown(session)
    assert shown["waiting_for"] == "code"
    assert "colour" in shown["error"]["message"]


def test_a_session_that_waits_for_code_can_be_cancelled_and_rebuilt(desk: Desk) -> None:
    from agents_app.services.projections import session_rebuild

    desk.agent()
    session = desk.start()
    desk.write("vote.py", "import nothere\n")
    desk.restart()
    work_all()
    assert session_rebuild(session=Session.objects.get(pk=pk_of(session)))
    assert desk.browser.post(f"/sessions/{session}/cancel", {}).status_code < 300
    work_all()
    shown = desk.shown(session)
    assert (shown["status"], shown["error"]) == ("cancelled", None)


def test_what_a_worker_meets_is_the_reason_of_the_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No plug-in is at fault, and no worker has died: the sentence says what failed."""
    from agents_app.worker import runner

    def fails(_session: int) -> None:
        raise RuntimeError("the page is torn")

    desk.agent()
    session = desk.start()
    monkeypatch.setattr(runner, "assemble", fails)
    work_all(alone=True)
    shown = desk.shown(session)
    assert shown["status"] == "failed"
    assert "RuntimeError: the page is torn" in shown["error"]["message"]
    assert "stopped" not in shown["error"]["message"]
