"""What a log keeps, what it keeps beside it, and the one door through which a session goes."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import DatabaseError, transaction

from agents_app.adapters.stores import CheckpointRow, VaultRow
from agents_app.models import (
    Blob,
    Checkpoint,
    Event,
    Interrupt,
    LateResult,
    Session,
    Vault,
)
from agents_app.testing.log_store.scene import (
    ANA,
    Scene,
    call,
    decision,
    end,
    message,
    question,
    request,
    response,
)
from playhead.core.errors import Conflict
from playhead.core.events import BLOB_LIMIT, Draft
from playhead.core.usage import Usage

ADDRESS = "agent:desk"


class Keeping(Scene):
    """Append-only, and what hangs on it."""

    def test_g2_the_database_refuses_to_change_an_event(self) -> None:
        seat = self.started()
        mine = Event.objects.filter(session_id=seat.pk)
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            mine.update(label="it was not me")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            mine.filter(seq=2).delete()
        assert len(self.store.read(seat.pk)) == 2

    def test_k49_the_number_of_an_erased_session_is_never_given_again(self) -> None:
        seat = self.started()
        self.store.erase(seat.pk)
        assert self.started().pk > seat.pk

    def test_an_erased_session_leaves_nothing(self) -> None:
        seat, other = self.started(question("q1")), self.started(question("q2"))
        self.write(seat, message("m" * (BLOB_LIMIT + 1)), vault=(VaultRow("v_1", "key", b"\0c"),))
        self.store.late(seat.pk, epoch=1, call_seq=3, body=b"{}")
        self.store.erase(seat.pk)
        for model in (Event, Blob, Interrupt, LateResult, Vault):
            owner = "root_id" if model in (Blob, Vault) else "session_id"
            assert not model.objects.filter(**{owner: seat.pk}).exists()
        assert not Session.objects.filter(pk=seat.pk).exists()
        assert len(self.store.read(other.pk)) == 3
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            Event.objects.filter(session_id=other.pk).delete()

    def test_a_session_that_a_branch_reads_is_not_erased(self) -> None:
        root = self.started()
        child = self.seat(parent=root, fork_seq=2)
        with pytest.raises(Conflict):
            self.store.erase(root.pk)
        assert len(self.store.read(child.pk)) == 1
        self.store.erase(child.pk)
        self.store.erase(root.pk)

    def test_sealed_values_belong_to_the_tree(self) -> None:
        root = self.started()
        child = self.seat(parent=root, fork_seq=2)
        row = VaultRow("v_1", "api_key", b"\x00\xffcipher")
        self.write(child, message("hello"), vault=(row,))
        self.write(child, message("again"), vault=(row,))
        (kept,) = Vault.objects.all()
        assert (kept.root_id, kept.id, kept.type) == (root.pk, "v_1", "api_key")
        assert bytes(kept.ciphertext) == row.ciphertext

    def test_the_newest_checkpoint_stays_and_every_fiftieth(self) -> None:
        seat = self.started()
        for step in (49, 50, 51, 52):
            row = CheckpointRow(ADDRESS, step, seq=step, state=b'{"step":%d}' % step)
            other = CheckpointRow("agent:other", step, seq=step, state=b"{}")
            self.write(seat, request(), checkpoints=(row, other))
        kept = Checkpoint.objects.filter(session_id=seat.pk, address=ADDRESS)
        assert sorted(kept.values_list("step", flat=True)) == [50, 52]
        newest = self.store.checkpoint(seat.pk, ADDRESS, upto=1000)
        assert newest == CheckpointRow(ADDRESS, 52, 52, b'{"step":52}')
        older = self.store.checkpoint(seat.pk, ADDRESS, upto=51)
        assert older is not None
        assert older.step == 50
        assert self.store.checkpoint(seat.pk, ADDRESS, upto=49) is None

    def test_a_head_adds_up_what_was_used(self) -> None:
        seat = self.started(request(), response("one"), request(), response("two"))
        state = self.store.head(seat.pk).state
        assert state.usage == Usage(20, 4, 0, 0)
        assert state.cost == Decimal("0.000025")

    def test_unknown_usage_stays_unknown(self) -> None:
        seat = self.started()
        self.write(seat, Draft("llm_response", {"source": "live", "usage": None, "cost": None}))
        state = self.store.head(seat.pk).state
        assert (state.usage, state.cost) == (Usage(), None)

    def test_an_end_is_on_the_session_and_goes_with_the_next_run(self) -> None:
        seat = self.started()
        self.write(seat, end("The answer is \0 42."))
        session = Session.objects.get(pk=seat.pk)
        assert (session.outcome, session.answer) == ("finished", "The answer is ␀ 42.")
        ended_at = datetime(2026, 11, 30, 10, 22, 31, 102345, tzinfo=UTC)
        assert session.ended_at == ended_at
        head = self.store.head(seat.pk).state
        assert (head.status, head.outcome, head.ended_at) == ("finished", "finished", ended_at)
        self.write(seat, message("And now?"))
        again = self.store.head(seat.pk).state
        assert (again.status, again.run, again.outcome, again.answer) == ("queued", 2, None, None)
        assert Session.objects.get(pk=seat.pk).ended_at is None

    def test_a_failure_keeps_its_error(self) -> None:
        seat = self.started()
        error = {"code": "context_length", "message": "4096 tokens"}
        self.write(seat, Draft("session_end", {"outcome": "failed", "error": error, "run": 1}))
        assert self.store.head(seat.pk).state.error == error

    def test_i2_an_error_and_a_name_may_speak_of_an_escape_or_hold_a_nul(self) -> None:
        """Both are kept in columns of JSON: text that looks like an escape must stay text."""
        seat = self.started(question("q1"))
        self.write(seat, decision("q1", who={**ANA, "name": "Ana \\u0000"}))
        error = {"code": "strategy_error", "message": "can't parse '\\u0000' or \0"}
        self.write(seat, Draft("session_end", {"outcome": "failed", "error": error, "run": 1}))
        kept = Session.objects.get(pk=seat.pk).error
        assert kept == {**error, "message": "can't parse '\\u0000' or \ufffd"}
        decided_by = Interrupt.objects.get(pk="q1").decided_by
        assert decided_by is not None
        assert decided_by["name"] == "Ana \\u0000"

    def test_a_cancel_is_remembered(self) -> None:
        seat = self.started(request())
        self.write(seat, Draft("cancel", {"after": "now", "to": "agent:desk"}), call())
        assert self.store.head(seat.pk).cancel_seq == 4
