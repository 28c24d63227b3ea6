"""The conformance suite of state stores: what a ``StatePort`` must do.

Subclass ``StateStoreConformance`` in a test module and say in ``make_store`` which store is tried;
the tests are coroutines (pytest-asyncio, ``asyncio_mode = "auto"``). One folder, database or server
may serve all of them: every test has sessions of its own.
"""

from __future__ import annotations

import asyncio
import copy
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine.facade import AgentLoop
from agents_app.engine.messages import Message, ToolCall
from agents_app.testing.doubles import MockTool, ScriptedModel
from playhead.core.errors import InvalidInput
from playhead.core.ids import new_id

if TYPE_CHECKING:
    from agents_app.engine.ports import StatePort

#: What JSON has, and what databases, files and terminals have stumbled over.
EVERYTHING: dict[str, Any] = {
    "text": 'ä 漢字 🚀 "quoted" \\ \x00 \u2028 \ud800',
    "": {"nested": [[], {}, None, True, False]},
    "numbers": [0, -1, 2**53 + 1, 10**30, 0.1, 1e300, 5e-324],
    "ключ": ["</script>", "'; DROP TABLE agents_savedstate; --", "%s {0}"],
}
NO_JSON: list[tuple[str, Any]] = [
    ("state.a", {"a": {1, 2}}),
    ("state.a.1", {"a": [1, object()]}),
    ("state.a.b", {"a": {"b": datetime(2026, 1, 1, tzinfo=UTC)}}),
    ("state.a", {"a": b"bytes"}),
    ("state.a", {"a": float("nan")}),
    ("state.a", {"a": {1: "a number as a key comes back as text"}}),
    ("state.a", {"a": (1, "a tuple comes back as a list")}),
    ("state.messages.0", {"messages": [Message("user", "hi")]}),
    ("state", ["no dict"]),
]


class StateStoreConformance:
    """Every demand on a state store."""

    def make_store(self) -> StatePort:
        """A store; called once or twice a test, each time for the same place."""
        raise NotImplementedError

    @pytest.fixture
    def store(self) -> StatePort:
        """The store that is tried."""
        return self.make_store()

    @pytest.fixture
    def session(self) -> str:
        """A session that no other test knows."""
        return new_id("sess")

    async def test_an_unknown_session_has_no_state(self, store: StatePort, session: str) -> None:
        assert await store.load(session) is None

    async def test_what_was_saved_comes_back(self, store: StatePort, session: str) -> None:
        await store.save(session, EVERYTHING)
        loaded = await store.load(session)
        assert loaded == EVERYTHING
        assert [type(n) for n in (loaded or {})["numbers"]] == [
            type(n) for n in EVERYTHING["numbers"]
        ]

    async def test_the_last_save_counts_whole(self, store: StatePort, session: str) -> None:
        await store.save(session, {"old": "x" * 1000})
        await store.save(session, {"new": 1})
        assert await store.load(session) == {"new": 1}
        await store.save(session, {})
        assert await store.load(session) == {}

    async def test_sessions_are_kept_apart(self, store: StatePort, session: str) -> None:
        names = [session, session.upper(), f"{session}/x", f"{session}.x", f"../{session}"]
        names += [
            f"{session}:ä",
            f"{session} 漢字",
            f"{session}%2Fx",
            f"{session}-x",
            f"~{session}",
        ]
        for number, name in enumerate(names):
            await store.save(name, {"number": number})
        found = [await store.load(name) for name in names]
        assert found == [{"number": number} for number in range(len(names))]
        await store.delete(names[2])
        assert await store.load(names[2]) is None
        assert await store.load(names[8]) == {"number": 8}

    async def test_a_saved_state_does_not_change_with_the_value_it_was_made_of(
        self, store: StatePort, session: str
    ) -> None:
        state: dict[str, Any] = {"messages": [{"content": "one"}]}
        await store.save(session, state)
        state["messages"].append({"content": "two"})
        state["messages"][0]["content"] = "changed"
        assert await store.load(session) == {"messages": [{"content": "one"}]}

    async def test_a_loaded_state_is_the_readers_own(self, store: StatePort, session: str) -> None:
        await store.save(session, {"messages": [{"content": "one"}]})
        first = await store.load(session)
        assert first is not None
        first["messages"].append("mine")
        assert await store.load(session) == {"messages": [{"content": "one"}]}

    async def test_a_loaded_state_never_changes_with_later_runs(
        self, store: StatePort, session: str
    ) -> None:
        asks = Message("assistant", "", tool_calls=[ToolCall("a", "search", {"q": "x"})])
        model = ScriptedModel([asks, Message("assistant", "Found."), Message("assistant", "No.")])
        loop = AgentLoop(model, [MockTool("search")], state_store=store)
        await loop.run("Find x.", session_id=session)
        early = await store.load(session)
        kept = copy.deepcopy(early)
        await loop.run("More?", session_id=session)
        late = await store.load(session)
        assert early is not None
        assert early == kept
        assert late is not None
        assert len(early["messages"]) == 4
        assert late["messages"][:4] == early["messages"]
        assert [m["role"] for m in late["messages"][4:]] == ["user", "assistant"]

    async def test_another_store_of_the_same_place_goes_on(
        self, store: StatePort, session: str
    ) -> None:
        await AgentLoop(ScriptedModel([Message("assistant", "Hello!")]), state_store=store).run(
            "I am Ana.", session_id=session
        )
        model = ScriptedModel([Message("assistant", "Ana.")])
        await AgentLoop(model, state_store=self.make_store()).run("Who?", session_id=session)
        assert [m.content for m in model.requests[0]] == ["I am Ana.", "Hello!", "Who?"]

    async def test_what_is_deleted_is_gone(self, store: StatePort, session: str) -> None:
        await store.save(session, {"a": 1})
        await store.delete(session)
        assert await store.load(session) is None
        await store.delete(session)
        await store.save(session, {"b": 2})
        assert await store.load(session) == {"b": 2}

    async def test_a_big_state_comes_back(self, store: StatePort, session: str) -> None:
        state = {"messages": [{"content": "ä" * 1000, "place": n} for n in range(2000)]}
        await store.save(session, state)
        assert await store.load(session) == state

    @pytest.mark.parametrize(("field", "state"), NO_JSON, ids=lambda each: str(type(each).__name__))
    async def test_what_is_no_json_is_refused_and_changes_nothing(
        self, store: StatePort, session: str, field: str, state: Any
    ) -> None:
        await store.save(session, {"before": True})
        with pytest.raises(InvalidInput) as refused:
            await store.save(session, state)
        assert refused.value.detail["field"] == field
        assert field in str(refused.value)
        assert await store.load(session) == {"before": True}

    @pytest.mark.parametrize("name", ["", "x" * 201, "a\x00b", "a\nb", "\ud800"])
    async def test_an_id_that_not_every_place_can_hold_is_refused(
        self, store: StatePort, name: str
    ) -> None:
        for call in (store.load(name), store.save(name, {}), store.delete(name)):
            with pytest.raises(InvalidInput, match="session_id"):
                await call

    async def test_savers_at_once_leave_one_state_whole(
        self, store: StatePort, session: str
    ) -> None:
        states = [{"by": n, "filled": [n] * 5000} for n in range(12)]
        await asyncio.gather(*(store.save(session, state) for state in states))
        assert await store.load(session) in states

    async def test_a_reader_never_sees_half_a_state(self, store: StatePort, session: str) -> None:
        states = [{"by": n, "filled": [n] * 20_000} for n in range(10)]
        whole = {json.dumps(state) for state in states}
        await store.save(session, states[0])

        async def write() -> None:
            for state in states:
                await store.save(session, state)

        writing = asyncio.create_task(write())
        while not writing.done():
            await asyncio.sleep(0)
            assert json.dumps(await store.load(session)) in whole
        await writing

    async def test_many_sessions_at_once_keep_their_own(
        self, store: StatePort, session: str
    ) -> None:
        names = [f"{session}-{n}" for n in range(30)]
        await asyncio.gather(*(store.save(name, {"name": name}) for name in names))
        loaded = await asyncio.gather(*(store.load(name) for name in names))
        assert loaded == [{"name": name} for name in names]

    def test_one_store_serves_every_loop(self, store: StatePort, session: str) -> None:
        asyncio.run(store.save(session, {"a": 1}))
        assert asyncio.run(store.load(session)) == {"a": 1}
