"""Live when the process answers, ready when the database does."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client


@pytest.mark.django_db
def test_ready_when_the_database_is_reachable_and_migrated() -> None:
    assert Client().get("/health/ready").json() == {"status": "ok"}


@pytest.mark.django_db
def test_unready_when_a_migration_is_missing() -> None:
    MigrationRecorder.Migration.objects.filter(app="audit").delete()
    answer = Client().get("/health/ready")
    assert answer.status_code == 503
    assert "migrations" in answer.json()["reason"]


def test_unready_without_a_database_and_still_live() -> None:
    broken = patch(
        "playhead.ops.health.MigrationExecutor", side_effect=OperationalError("password=hunter2")
    )
    with broken:
        answer = Client().get("/health/ready")
    assert answer.status_code == 503
    assert "hunter2" not in answer.content.decode()
    assert Client().get("/health/live").json() == {"status": "ok"}
