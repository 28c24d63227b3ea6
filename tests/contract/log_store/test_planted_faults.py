"""The suite itself is tried: a store with a planted fault does not pass it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agents_app.adapters.stores import Append, log_store
from agents_app.testing.log_store import LogStoreConformance
from playhead.core.events import GENESIS

pytestmark = pytest.mark.django_db(transaction=True)


class Faulty:
    """The product's store with one habit broken."""

    def __init__(self) -> None:
        self._store: Any = log_store()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class WithoutEpoch(Faulty):
    def append(self, batch: Sequence[Append]) -> list[bool]:
        return self._store.append([replace(append, epoch=None) for append in batch])


class WithoutHead(Faulty):
    """Writes behind whatever is there: what the writer has not read is overtaken."""

    def append(self, batch: Sequence[Append]) -> list[bool]:
        moved = []
        for append in batch:
            head = self._store.head(append.session)
            events = tuple(
                replace(event, seq=seq) for seq, event in enumerate(append.events, head.seq + 1)
            )
            moved.append(replace(append, expected=head.seq, events=events))
        return self._store.append(moved)


class WithoutCompareAndSwap(Faulty):
    def append(self, batch: Sequence[Append]) -> list[bool]:
        return self._store.append([replace(append, decisions=()) for append in batch])


class WithoutConsumption(Faulty):
    def append(self, batch: Sequence[Append]) -> list[bool]:
        return self._store.append([replace(append, consumed=()) for append in batch])


class WithoutLineage(Faulty):
    def read(self, session: int, **how: Any) -> Any:
        events = self._store.read(session, **how)
        return [event for event in events if event.session_id == events[-1].session_id]


class WithoutTruth(Faulty):
    """Says yes before it knows."""

    def append(self, batch: Sequence[Append]) -> list[bool]:
        self._store.append(batch)
        return [True] * len(batch)


class WithoutHash(Faulty):
    def read(self, session: int, **how: Any) -> Any:
        return [replace(event, hash=GENESIS) for event in self._store.read(session, **how)]


@pytest.mark.parametrize(
    ("fault", "demand"),
    [
        (WithoutEpoch, "test_a_writer_of_a_former_epoch_misses"),
        (WithoutEpoch, "test_an_owner_that_died_is_followed_when_its_lease_is_over"),
        (WithoutHead, "test_a_writer_that_has_not_read_the_head_misses"),
        (WithoutHead, "test_going_to_wait_misses_too_when_somebody_wrote"),
        (WithoutHead, "test_many_are_fenced_each_alone"),
        (WithoutCompareAndSwap, "test_a_second_decision_misses_even_with_the_head_read"),
        (WithoutCompareAndSwap, "test_g7_a_decision_after_expiry_misses"),
        (WithoutConsumption, "test_g7_a_decision_is_consumed_once"),
        (WithoutLineage, "test_a_branch_reads_its_ancestors"),
        (WithoutTruth, "test_g7_fifty_deciders_who_do_not_look_again"),
        (WithoutHash, "test_seqs_have_no_gap_and_hashes_chain"),
    ],
)
def test_a_planted_fault_is_caught(fault: type[Faulty], demand: str) -> None:
    suite = LogStoreConformance()
    suite.make_store = fault  # type: ignore[method-assign,assignment]
    with pytest.raises(AssertionError):
        getattr(suite, demand)()
