"""Two sessions side by side, from where they part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app import facade
from playhead.core.usage import add, add_money, money_text
from replay_app.contracts import (
    BothTotals,
    ComparedRow,
    Comparison,
    FirstDivergence,
    Fork,
    Totals,
)
from replay_app.engine.diff import compare, first_divergence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from agents_app.contracts import SessionRef
    from playhead.core.events import StoredEvent


def session_compare(*, workspace_id: str, eyes: facade.Eyes, a: str, b: str) -> Comparison:
    """Align what two sessions did after their common events.

    Raises:
        NotFound: one of them is not in this workspace.
    """
    left = facade.session_ref(workspace_id=workspace_id, session_id=a)
    right = facade.session_ref(workspace_id=workspace_id, session_id=b)
    shared = _shared(left, right)
    rows_a, rows_b = facade.log_of(left, after=shared), facade.log_of(right, after=shared)
    heads_a = {row.seq: facade.head_of(row, eyes) for row in rows_a}
    heads_b = {row.seq: facade.head_of(row, eyes) for row in rows_b}
    rows = compare([row.event() for row in rows_a], [row.event() for row in rows_b])
    first = first_divergence(rows)
    return Comparison(
        a=facade.session_get(workspace_id=workspace_id, eyes=eyes, session_id=a),
        b=facade.session_get(workspace_id=workspace_id, eyes=eyes, session_id=b),
        shared=shared,
        fork=_fork(shared, rows_a, rows_b),
        first_divergence=None
        if first is None
        else FirstDivergence(first, "wording" if rows[first].relation == "wording" else "action"),
        rows=[
            ComparedRow(
                row.relation,
                None if row.a is None else heads_a[row.a.seq],
                None if row.b is None else heads_b[row.b.seq],
            )
            for row in rows
        ],
        totals=BothTotals(_totals(rows_a), _totals(rows_b)),
    )


def _shared(a: SessionRef, b: SessionRef) -> int:
    """How many events both have by inheritance: the last seq with the same owner on both sides."""
    if a.pk == b.pk:
        return a.head_seq
    shared = 0
    for (owner_a, last_a), (owner_b, last_b) in zip(_owners(a), _owners(b), strict=False):
        if owner_a != owner_b:
            break
        shared = min(last_a, last_b)
        if last_a != last_b:
            break
    return shared


def _owners(session: SessionRef) -> list[tuple[int, int]]:
    return [*session.lineage, (session.pk, session.head_seq)]


def _fork(shared: int, a: Sequence[StoredEvent], b: Sequence[StoredEvent]) -> Fork | None:
    """What the branch says that begins after the shared events; ``None`` for strangers."""
    if not shared:
        return None
    for rows in (b, a):
        for row in rows[:2]:
            if row.event_type == "branch":
                edited = rows[0].edited is not None
                return Fork(shared + 1, edited, row.event().payload["overrides"] or None)
    return None


def _totals(rows: Sequence[StoredEvent]) -> Totals:
    answers = [row.header for row in rows if row.event_type == "llm_response"]
    timed = [row.header.ms for row in rows if row.header.ms is not None]
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    cost: Decimal | None = None
    for place, header in enumerate(answers):
        tokens_in, tokens_out = add(tokens_in, header.tokens_in), add(tokens_out, header.tokens_out)
        cost = header.cost if place == 0 else add_money(cost, header.cost)
    return Totals(
        events=len(rows),
        model_calls=len(answers),
        tool_calls=sum(row.event_type == "tool_call" for row in rows),
        input=tokens_in,
        output=tokens_out,
        cost=money_text(cost),
        ms=sum(timed) if timed else None,
    )
