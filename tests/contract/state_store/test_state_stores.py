"""Memory, files, the database and Redis keep every demand of the conformance suite."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING, Any

import pytest
import redis as redis_client
from django.db import connections

from agents_app.adapters import states
from agents_app.adapters.states.database import DatabaseStateStore
from agents_app.adapters.states.files import FileStateStore
from agents_app.adapters.states.provider import StateStores
from agents_app.adapters.states.redis import RedisStateStore
from agents_app.engine import AgentLoop, Message
from agents_app.testing import InMemoryStateStore, ScriptedModel
from agents_app.testing.state_store import StateStoreConformance
from playhead.core.errors import InvalidInput, LogError
from playhead.plugins import PluginRegistry, PluginSettings, provides

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from agents_app.engine.ports import StatePort


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class TestMemory(StateStoreConformance):
    """The default of ``AgentLoop``."""

    @pytest.fixture(autouse=True)
    def _one(self) -> None:
        self.one = InMemoryStateStore()

    def make_store(self) -> StatePort:
        return self.one


class TestFiles(StateStoreConformance):
    """One file a session."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "deep" / "states"

    def make_store(self) -> StatePort:
        return FileStateStore(self.folder)

    async def test_no_name_leads_out_of_the_folder(self, tmp_path: Path) -> None:
        store = FileStateStore(self.folder)
        for name in ("../../up", "/etc/passwd", "..", "a/b/../../..", "C:\\x", "x" * 200, "~root"):
            await store.save(name, {})
            assert store.path(name).parent == self.folder
        assert names_in(tmp_path) == ["deep"]
        assert all(name.endswith(".json") for name in names_in(self.folder))

    async def test_a_save_that_fails_leaves_the_old_state_and_no_litter(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = FileStateStore(self.folder)
        await store.save("s", {"old": 1})

        def full(_descriptor: int) -> None:
            raise OSError("No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            await store.save("s", {"new": 1})
        monkeypatch.undo()
        assert await store.load("s") == {"old": 1}
        assert names_in(self.folder) == [store.path("s").name]

    async def test_the_file_is_on_the_disk_before_it_has_its_name(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = FileStateStore(self.folder)
        there: list[tuple[bool, bool]] = []
        fsync = os.fsync

        def noted(descriptor: int) -> None:
            folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            there.append((folder, store.path("s").exists()))
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", noted)
        await store.save("s", {"a": 1})
        assert there == [(False, False), (True, True)]

    async def test_a_torn_file_is_an_error_that_names_its_session(self) -> None:
        store = FileStateStore(self.folder)
        await store.save("s-1", {"a": 1})
        store.path("s-1").write_text('{"a"')
        with pytest.raises(LogError, match="s-1"):
            await store.load("s-1")


@pytest.mark.django_db(transaction=True)
class TestDatabase(StateStoreConformance):
    """The database that is configured: SQLite without DATABASE_URL, else PostgreSQL."""

    @pytest.fixture(autouse=True)
    def _threads(self) -> Iterator[None]:
        yield
        connections.close_all()

    def make_store(self) -> StatePort:
        return DatabaseStateStore()


@pytest.mark.redis
class TestRedis(StateStoreConformance):
    """The Redis of REDIS_URL."""

    @pytest.fixture(autouse=True)
    def _url(self) -> Iterator[None]:
        self.url = os.environ["REDIS_URL"]
        self.made: list[RedisStateStore] = []
        yield
        for store in self.made:
            store.close()

    def make_store(self, **options: Any) -> RedisStateStore:
        self.made.append(RedisStateStore(self.url, **options))
        return self.made[-1]

    async def test_s0_25_the_key_is_the_sessions_and_the_value_json(self, session: str) -> None:
        await self.make_store().save(session, {"messages": []})
        with redis_client.Redis.from_url(self.url) as client:
            assert client.get(f"agent:state:{session}") == b'{"messages":[]}'
            assert client.ttl(f"agent:state:{session}") == -1

    async def test_s0_25_a_state_with_a_ttl_ends_and_is_kept_on_by_a_save(
        self, session: str
    ) -> None:
        store = self.make_store(ttl=0.2)
        await store.save(session, {"a": 1})
        with redis_client.Redis.from_url(self.url) as client:
            assert 0 < client.pttl(f"agent:state:{session}") <= 200
            await self.make_store(ttl=60).save(session, {"a": 2})
            assert client.ttl(f"agent:state:{session}") > 50
            await store.save(session, {"a": 3})
            until = time.monotonic() + 10
            while client.exists(f"agent:state:{session}"):
                assert time.monotonic() < until
        assert await store.load(session) is None


def test_s0_25_a_ttl_that_is_none_is_refused() -> None:
    for ttl in (0, -1):
        with pytest.raises(InvalidInput, match="ttl"):
            RedisStateStore("redis://localhost", ttl=ttl)
    with pytest.raises(InvalidInput, match="url"):
        RedisStateStore("no address")


def registry(*more: Any, **options: Any) -> PluginRegistry:
    made = PluginRegistry(PluginSettings(options={"playhead.states": options}))
    for factory in (StateStores, *more):
        made.register(factory)
    made.load()
    return made


async def test_s3_11_a_store_is_chosen_by_name(tmp_path: Path, settings: SettingsWrapper) -> None:
    settings.PLAYHEAD_DATA = tmp_path
    settings.REDIS_URL = ""
    known = registry(folder="kept")
    store = states.state_store("file", registry=known)
    loop = AgentLoop(ScriptedModel([Message("assistant", "Hi!")]), state_store=store)
    await loop.run("Hello.", session_id="s1")
    assert len(names_in(tmp_path / "kept")) == 1
    assert states.state_store("memory", registry=known) is known.get("state.memory")
    with pytest.raises(InvalidInput, match="database, file, memory, redis"):
        states.state_store("cloud", registry=known)
    with pytest.raises(Exception, match="REDIS_URL"):
        states.state_store("redis", registry=known)


async def test_s3_11_a_plug_in_adds_a_store() -> None:
    mine = InMemoryStateStore()
    known = registry(provides("state.mine", mine), provides("state.broken", object()))
    assert states.state_store("mine", registry=known) is mine
    with pytest.raises(InvalidInput, match=r"state.broken is no store"):
        states.state_store("broken", registry=known)


def test_s3_11_the_stores_options_are_checked() -> None:
    with pytest.raises(Exception, match=r"playhead.states.ttl"):
        registry(ttl=0)


def test_the_stores_that_ship_are_loaded_by_their_names() -> None:
    assert isinstance(states.state_store("memory"), InMemoryStateStore)
