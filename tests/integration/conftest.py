"""The cast: Alice owns the workspace, Bob operates in it, Charlie is a stranger from another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from asgiref.sync import SyncToAsync
from django.core.cache import cache
from django.db import connections

from agents_app.adapters import definitions
from agents_app.services.agents import agents_sync
from playhead.accounts.contracts import Role, WorkspaceRef
from playhead.accounts.models import Workspace
from tests.integration.cast import PASSWORD, Person, person
from tests.integration.clerk import CLERK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    """Tries are counted in the cache: no test may lock out the next."""
    cache.clear()


@pytest.fixture(autouse=True)
def _no_connection_is_left_behind() -> Iterator[None]:
    """What an async test read through `sync_to_async` was read by a thread that keeps its own."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result(30)


@pytest.fixture(scope="session")
def small_front_end(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page; every client of a test looks through all files of the front end."""
    folder = tmp_path_factory.mktemp("front")
    (folder / "index.html").write_text("<html><title>the console</title></html>")
    return folder


@pytest.fixture(autouse=True)
def _quick_clients(settings: SettingsWrapper, small_front_end: Path) -> None:
    settings.PLAYHEAD_FRONTEND = small_front_end


@pytest.fixture(autouse=True)
def _quick_passwords(settings: SettingsWrapper) -> None:
    """Argon2 is slow on purpose, which no test here is about."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def workspace(db: None) -> WorkspaceRef:
    row = Workspace.objects.create(name="Acme")
    return WorkspaceRef(row.pk, row.name)


@pytest.fixture
def alice(workspace: WorkspaceRef) -> Person:
    """The owner."""
    return person(workspace, "alice@example.com", Role.ADMIN, password=PASSWORD)


@pytest.fixture
def bob(workspace: WorkspaceRef) -> Person:
    """An operator."""
    return person(workspace, "bob@example.com", Role.OPERATOR, password=PASSWORD)


@pytest.fixture
def charlie(db: None) -> Person:
    """An owner elsewhere, a stranger here."""
    row = Workspace.objects.create(name="Elsewhere")
    return person(WorkspaceRef(row.pk, row.name), "charlie@example.com", Role.ADMIN)


@pytest.fixture
def dana(workspace: WorkspaceRef) -> Person:
    """An approver."""
    return person(workspace, "dana@example.com", Role.APPROVER)


@pytest.fixture
def erin(workspace: WorkspaceRef) -> Person:
    """An editor."""
    return person(workspace, "erin@example.com", Role.EDITOR, name="Erin")


@pytest.fixture
def victor(workspace: WorkspaceRef) -> Person:
    """A viewer."""
    return person(workspace, "victor@example.com", Role.VIEWER)


@pytest.fixture
def agents(workspace: WorkspaceRef) -> Iterator[list[str]]:
    """The workspace has the agent ``clerk``."""
    definitions.use(definitions.Definitions({"clerk": CLERK}))
    yield agents_sync(workspace_id=workspace.id)
    definitions.use(None)
