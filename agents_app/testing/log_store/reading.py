"""Reading: through the lineage, by type and page, headers without bodies, blobs apart."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from agents_app.models import Event, Head, Session
from agents_app.testing.log_store.scene import (
    SCOPE,
    Scene,
    message,
    request,
    response,
)
from playhead.core.errors import NotFound
from playhead.core.events import BLOB_LIMIT, Draft

ODD = "NUL \0, RTL \u202e, 👩‍👩‍👧‍👦, combining e\u0301, \u2028, \\u0000, " + "\x7f\x01"


class Reading(Scene):
    """What comes out."""

    def test_a_branch_reads_its_ancestors(self) -> None:
        root = self.started(request(), response("one"), request(), response("two"))
        child = self.seat(parent=root, fork_seq=5)
        self.write(child, message("otherwise"), request())
        grandchild = self.seat(parent=child, fork_seq=6)
        self.write(grandchild, response("three"))
        events = self.store.read(grandchild.pk)
        assert [event.seq for event in events] == [1, 2, 3, 4, 5, 6]
        owners = [root.public_id] * 4 + [child.public_id, grandchild.public_id]
        assert [event.session_id for event in events] == owners
        assert events[4].event().payload["message"]["content"] == "otherwise"
        assert self.store.read(grandchild.pk, after=3, upto=5) == events[3:5]
        assert [row.session_id for row in self.store.headers(grandchild.pk)] == owners

    def test_a_branch_inside_what_its_parent_inherited(self) -> None:
        root = self.started(request(), response("one"), request())
        child = self.seat(parent=root, fork_seq=5)
        self.write(child, message("otherwise"))
        cousin = self.seat(parent=child, fork_seq=3)
        self.write(cousin, response("at once"))
        assert [event.session_id for event in self.store.read(cousin.pk)] == [
            root.public_id, root.public_id, cousin.public_id,
        ]  # fmt: skip

    def test_g13_a_branch_is_one_row_and_copies_nothing(self) -> None:
        root = self.started(*[request() for _ in range(20)])
        before = Event.objects.count(), Session.objects.count(), Head.objects.count()
        child = self.seat(parent=root, fork_seq=11)
        after = Event.objects.count(), Session.objects.count(), Head.objects.count()
        assert after == (before[0], before[1] + 1, before[2] + 1)
        assert self.store.read(child.pk) == self.store.read(root.pk, upto=10)
        self.write(child, response("elsewhere"))
        assert len(self.store.read(root.pk)) == 22

    def test_types_and_pages(self) -> None:
        seat = self.started(request(), response("one"), request(), response("two"))
        found = self.store.read(seat.pk, types=["llm_response", "user_message"], limit=2)
        assert [event.seq for event in found] == [2, 4]
        assert [event.seq for event in self.store.read(seat.pk, after=4, limit=1)] == [5]
        assert self.store.read(seat.pk, types=[]) == []

    def test_headers_are_those_of_the_events(self) -> None:
        seat = self.started(request(), response("It is " + "very " * 40 + "late."))
        rows = self.store.headers(seat.pk)
        events = self.store.read(seat.pk)
        assert [row.header for row in rows] == [event.header for event in events]
        last = rows[-1]
        assert (last.event_type, last.ts, last.scope, last.cause) == (
            "llm_response", events[-1].ts, SCOPE, 2,
        )  # fmt: skip
        assert (last.header.tokens_in, last.header.cost) == (10, Decimal("0.0000125"))
        assert [row.seq for row in self.store.headers(seat.pk, after=1, limit=2)] == [2, 3]

    def test_odd_text_comes_back_as_it_was(self) -> None:
        seat = self.seat()
        payload = {"message": {"role": "user", "content": ODD}, "by": {"name": ODD}}
        sealed = [["/message/content", 0, 3, "v_1"]]
        draft = Draft("user_message", payload, None, None, sealed, {"by": {"name": ODD}, "of": 1})
        (stored,) = self.write(seat, draft)
        (event,) = self.store.read(seat.pk)
        assert (event.body, event.hash, event.sealed, event.edited) == (
            stored.body, stored.hash, sealed, draft.edited,
        )  # fmt: skip
        assert event.event().payload == payload

    def test_text_that_looks_like_the_label_comes_back_as_it_was(self) -> None:
        seat = self.seat()
        for text in ("x" * 12, "…" * 60, "ab…", "a\\nb " * 50, '"quoted" ' * 30, "é" * 300):
            self.write(seat, message(text), response(text))
        texts = [event.event().payload["message"]["content"] for event in self.store.read(seat.pk)]
        assert texts[::2] == texts[1::2]
        assert texts[-1] == "é" * 300

    def test_a_large_body_is_a_blob(self) -> None:
        seat = self.seat()
        large = "0123456789" * (BLOB_LIMIT // 10) + "!"
        (stored, same) = self.write(seat, message(large), message(large))
        assert stored.blob is not None
        events = self.store.read(seat.pk)
        assert events == [stored, same]
        assert events[0].event().payload["message"]["content"] == large
        (stub, _) = self.store.read(seat.pk, blobs=False)
        assert stub == replace(stored, blob=None)
        digest = bytes.fromhex(stub.event().payload["$blob"]["sha256"])
        assert self.store.blob(seat.pk, digest) == stored.blob
        assert self.store.blob(seat.pk, bytes(32)) is None

    def test_a_branch_reads_the_blobs_of_its_tree(self) -> None:
        root = self.seat()
        (stored,) = self.write(root, message("z" * (BLOB_LIMIT + 1)))
        child = self.seat(parent=root, fork_seq=2)
        assert self.store.read(child.pk) == [stored]

    def test_what_is_not_there_is_not_found(self) -> None:
        for ask in (self.store.head, self.store.read, self.store.headers):
            with pytest.raises(NotFound):
                ask(2**40)
