"""The states that a session starts again from are those of its own line."""

from __future__ import annotations

import pytest

from agents_app.adapters.stores import CheckpointRow
from agents_app.models import Checkpoint
from agents_app.selectors.replayable import checkpoints_of
from agents_app.testing.log_store import Scene
from agents_app.testing.log_store.scene import request

pytestmark = pytest.mark.django_db(transaction=True)


def row(seq: int, state: bytes) -> CheckpointRow:
    return CheckpointRow("agent:desk", seq, seq, state)


def test_a_branch_never_gets_what_its_parent_left_behind_the_fork() -> None:
    scene = Scene()
    parent = scene.started()
    for seq in (3, 4, 5):
        scene.write(parent, request(), checkpoints=(row(seq, b'"parent"'),))
    branch = scene.seat(parent=parent, fork_seq=3)
    scene.write(branch, request())
    line = [[parent.pk, 3]]
    assert checkpoints_of(branch.pk, line) == {}
    scene.write(branch, request(), checkpoints=(row(5, b'"branch"'),))
    assert checkpoints_of(branch.pk, line) == {5: b'"branch"'}
    assert checkpoints_of(parent.pk, []) == {5: b'"parent"'}


@pytest.mark.parametrize("stored", [b"", b"\xff\xff\xff", b"\x01no zstd"])
def test_s3_50_a_checkpoint_that_cannot_be_read_is_found_as_nothing(stored: bytes) -> None:
    """No digest proves it, so a session goes on from its log, and a proof says so."""
    scene = Scene()
    seat = scene.started()
    scene.write(seat, request(), checkpoints=(row(3, b'"mine"'),))
    Checkpoint.objects.filter(session=seat.pk).update(state=stored)
    assert checkpoints_of(seat.pk, []) == {3: b""}
