"""A branch reads its ancestors by reference: each event from exactly one of them."""

from hypothesis import given
from hypothesis import strategies as st

from agents_app.engine.log.lineage import Lineage, fork, segments


def owner(session: int, lineage: Lineage, seq: int) -> int:
    """Who holds event ``seq`` (the slow, obvious way)."""
    return next((pk for pk, last in lineage if seq <= last), session)


def test_a_branch_of_a_branch_names_both() -> None:
    child = fork([], 1, 10)
    assert child == [[1, 9]]
    assert fork(child, 2, 15) == [[1, 9], [2, 14]]


def test_a_branch_inside_what_was_inherited_skips_the_parent() -> None:
    assert fork([[1, 9]], 2, 5) == [[1, 4]]
    assert fork([[1, 9]], 2, 10) == [[1, 9]]


def test_a_branch_at_the_first_event_inherits_nothing() -> None:
    assert fork([], 1, 1) == []


@st.composite
def trees(draw: st.DrawFn) -> tuple[int, Lineage]:
    lineage: Lineage = []
    session = 1
    for _ in range(draw(st.integers(0, 5))):
        lineage = fork(lineage, session, draw(st.integers(1, 30)))
        session += 1
    return session, lineage


@given(trees(), st.integers(0, 35), st.one_of(st.none(), st.integers(0, 35)))
def test_segments_cover_each_seq_once(
    tree: tuple[int, Lineage], after: int, upto: int | None
) -> None:
    session, lineage = tree
    seen = [
        (segment.session, seq)
        for segment in segments(session, lineage, after=after, upto=upto)
        for seq in range(segment.after + 1, (40 if segment.upto is None else segment.upto) + 1)
    ]
    last = 40 if upto is None else upto
    assert seen == [(owner(session, lineage, seq), seq) for seq in range(after + 1, last + 1)]
