"""Cursors: every row once, whatever comes meanwhile."""

from __future__ import annotations

import pytest

from playhead.accounts.models import Workspace
from playhead.core.errors import PlayheadError
from playhead.rest.pagination import encode, page_of


@pytest.mark.django_db
def test_pages_show_every_row_once_while_new_ones_come() -> None:
    made = {Workspace.objects.create(name=f"w{n}").pk for n in range(7)}
    Workspace.objects.update(created_at="2026-01-01T00:00:00Z")  # all ties
    seen: list[str] = []
    cursor: str | None = None
    while True:
        rows, cursor = page_of(Workspace.objects.all(), newest="created_at", cursor=cursor, limit=3)
        seen += [row.pk for row in rows]
        Workspace.objects.create(name="late")
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 7
    assert set(seen) == made


@pytest.mark.django_db
@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        "!!!!",
        "W10",
        "bnVsbA",
        encode(["no time", "ws_1"]),
        encode([1, 2, 3]),
        encode(["2026-11-30T10:00:00+00:00", None]),
        encode([None, "ws_1"]),
        "A" * 9_999,
    ],
)
def test_a_cursor_that_is_none_of_ours_is_refused(cursor: str) -> None:
    with pytest.raises(PlayheadError) as caught:
        page_of(Workspace.objects.all(), newest="created_at", cursor=cursor)
    assert caught.value.code == "invalid_cursor"
