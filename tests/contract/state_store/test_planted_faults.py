"""The suite itself is tried: a store with a planted fault does not pass it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from agents_app.testing import InMemoryStateStore
from agents_app.testing.state_store import EVERYTHING, StateStoreConformance
from playhead.core.ids import new_id


class Aliasing:
    """Hands out what it keeps: an early state grows with a later run."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    async def load(self, session_id: str) -> Any:
        return self.kept.get(session_id)

    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        self.kept[session_id] = state

    async def delete(self, session_id: str) -> None:
        self.kept.pop(session_id, None)


class CopiesOut(Aliasing):
    async def load(self, session_id: str) -> Any:
        return pickle.loads(pickle.dumps(self.kept.get(session_id)))


class CopiesIn(Aliasing):
    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        self.kept[session_id] = pickle.loads(pickle.dumps(state))


class Lax(Aliasing):
    """JSON as it comes: keys become text, and tuples lists, without a word."""

    async def load(self, session_id: str) -> Any:
        return json.loads(self.kept.get(session_id, "null"))

    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        self.kept[session_id] = json.dumps(state)


class Merging(InMemoryStateStore):
    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        await super().save(session_id, {**(await self.load(session_id) or {}), **state})


class Caseless(InMemoryStateStore):
    async def load(self, session_id: str) -> Any:
        return await super().load(session_id.lower())

    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        await super().save(session_id.lower(), state)


class Keeping(InMemoryStateStore):
    async def delete(self, session_id: str) -> None:
        pass


class NeverNone(InMemoryStateStore):
    async def load(self, session_id: str) -> Any:
        return await super().load(session_id) or {"messages": []}


class Cutting(InMemoryStateStore):
    async def load(self, session_id: str) -> Any:
        state = await super().load(session_id)
        return state and {**state, "messages": state.get("messages", [])[:1000]}


class Ascii(InMemoryStateStore):
    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        if isinstance(state, dict):
            state = json.loads(json.dumps(state).replace("\\ud800", "?"))
        await super().save(session_id, state)


FAULTS = [
    (Aliasing, "test_a_saved_state_does_not_change_with_the_value_it_was_made_of"),
    (CopiesOut, "test_a_saved_state_does_not_change_with_the_value_it_was_made_of"),
    (CopiesIn, "test_a_loaded_state_is_the_readers_own"),
    (Merging, "test_the_last_save_counts_whole"),
    (Caseless, "test_sessions_are_kept_apart"),
    (Keeping, "test_what_is_deleted_is_gone"),
    (NeverNone, "test_an_unknown_session_has_no_state"),
    (Cutting, "test_a_big_state_comes_back"),
    (Ascii, "test_what_was_saved_comes_back"),
]


@pytest.mark.parametrize(("fault", "demand"), FAULTS)
async def test_a_planted_fault_is_caught(fault: Any, demand: str) -> None:
    with pytest.raises(AssertionError):
        await getattr(StateStoreConformance(), demand)(fault(), new_id("sess"))


async def test_a_store_that_changes_what_is_no_json_is_caught() -> None:
    demand = StateStoreConformance().test_what_is_no_json_is_refused_and_changes_nothing
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        await demand(Lax(), "s", "state.a", {"a": {1: "x"}})  # type: ignore[arg-type]


async def test_the_suite_tries_what_json_has() -> None:
    assert json.loads(json.dumps(EVERYTHING)) == EVERYTHING
