"""What a session's log says about it now: a pure fold over events.

``project(project(s, a).state, b) == project(s, a + b)`` in state, and the rows of the two parts
are the rows of the whole: so a writer projects what it appends, and a rebuild the whole log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from playhead.core.clock import parse_stamp
from playhead.core.immutable import immutable
from playhead.core.usage import NOTHING, Usage, add_money, parse_money

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from playhead.core.events import Event

ENDED = frozenset({"finished", "limit", "cancelled", "failed"})
#: A run that is under way although nobody is at work on it.
RESTING = frozenset({"queued", "waiting", "paused"})


@immutable(frozen=True, slots=True)
class HeadState:
    """A session as lists show it. ``inbox`` counts user messages whose run has not begun.

    Usage and cost count what this session's own live model calls used; ``None`` is unknown.
    """

    status: str = "queued"
    waiting_for: str | None = None
    due_at: datetime | None = None
    run: int = 0
    inbox: int = 0
    pending: int = 0
    usage: Usage = NOTHING
    cost: Decimal | None = Decimal(0)
    outcome: str | None = None
    answer: str | None = None
    error: dict[str, Any] | None = None
    ended_at: datetime | None = None

    @property
    def ended(self) -> bool:
        """Whether no run is under way and none is asked for."""
        return self.status in ENDED

    def resting(
        self, status: str, waiting_for: str | None = None, due_at: datetime | None = None
    ) -> HeadState:
        """Going to wait or pausing: what an append without events stores."""
        return replace(self, status=status, waiting_for=waiting_for, due_at=due_at)

    def spent(self, usage: Usage, cost: Decimal | None) -> HeadState:
        """With another bill; written out, since every step sends one."""
        return HeadState(
            self.status, self.waiting_for, self.due_at, self.run, self.inbox, self.pending,
            usage, cost, self.outcome, self.answer, self.error, self.ended_at,
        )  # fmt: skip

    def inherited(self) -> HeadState:
        """What a branch starts from: the state at its fork, with nothing spent by itself."""
        return replace(self, usage=NOTHING, cost=Decimal(0))


@dataclass(frozen=True, slots=True)
class InterruptRow:
    """A question as it is first stored; ``agent`` is the slug of who asks."""

    id: str
    seq: int
    agent: str
    kind: str
    address: str
    tool: str | None
    digest: str
    allowed: tuple[str, ...]
    required_role: str
    expires_at: datetime | None
    on_expiry: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """The answer to a question; the store takes it only while the question is pending.

    ``status`` becomes the question's: ``decided``, or ``expired`` when the system answered.
    """

    interrupt: str
    seq: int
    decision: str
    status: str
    by: dict[str, Any]
    at: datetime


class Projection(NamedTuple):
    """The state after some events and the rows they bring; ``consumed`` are seqs of decisions."""

    state: HeadState
    interrupts: tuple[InterruptRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    consumed: tuple[int, ...] = ()


def project(state: HeadState, events: Iterable[Event]) -> Projection:
    """Fold ``events`` into ``state`` and collect the rows that they bring.

    Raises:
        KeyError: a payload without a field that its type requires.
    """
    interrupts: list[InterruptRow] = []
    decisions: list[DecisionRow] = []
    consumed: list[int] = []
    for event in events:
        state = _STEPS.get(event.event_type, _working)(state, event)
        if event.event_type == "interrupt":
            interrupts.append(_interrupt_row(event))
        elif event.event_type == "decision" and not event.edited:
            decisions.append(_decision_row(event))
        elif event.event_type in ("tool_call", "resume") and event.payload.get("decision"):
            consumed.append(event.payload["decision"])
    return Projection(state, tuple(interrupts), tuple(decisions), tuple(consumed))


def _to(state: HeadState, status: str, **changes: Any) -> HeadState:
    return replace(state, status=status, waiting_for=None, due_at=None, **changes)


def _open_run(state: HeadState, inbox: int) -> HeadState:
    return _to(
        state, "queued", run=state.run + 1, inbox=inbox,
        outcome=None, answer=None, error=None, ended_at=None,
    )  # fmt: skip


def _working(state: HeadState, _event: Event) -> HeadState:
    """An event of the loop: somebody is at work. Only a message leaves an end."""
    return state if state.ended or state.status == "running" else _to(state, "running")


def _unmoved(state: HeadState, _event: Event) -> HeadState:
    return state


def _start(state: HeadState, _event: Event) -> HeadState:
    return state if state.ended else _to(state, "queued")


def _user_message(state: HeadState, _event: Event) -> HeadState:
    if state.run == 0 or state.ended:
        return _open_run(state, state.inbox)
    return replace(state, inbox=state.inbox + 1)


def _llm_response(state: HeadState, event: Event) -> HeadState:
    state = _working(state, event)
    if event.payload.get("source") != "live":
        return state
    usage = Usage.from_log(event.payload.get("usage")) or Usage()
    cost = add_money(state.cost, parse_money(event.payload.get("cost")))
    return state.spent(state.usage + usage, cost)


def _interrupt(state: HeadState, event: Event) -> HeadState:
    return replace(_working(state, event), pending=state.pending + 1)


def _decision(state: HeadState, _event: Event) -> HeadState:
    state = replace(state, pending=max(0, state.pending - 1))
    return _to(state, "queued") if state.status == "waiting" else state


def _pause(state: HeadState, event: Event) -> HeadState:
    if event.payload["on"]:
        return _to(state, "paused") if state.status in RESTING else state
    return _to(state, "queued") if state.status == "paused" else state


def _cancel(state: HeadState, _event: Event) -> HeadState:
    return _to(state, "queued") if state.status in RESTING else state


def _session_end(state: HeadState, event: Event) -> HeadState:
    if state.inbox:
        return replace(_open_run(state, state.inbox - 1), pending=0)
    payload = event.payload
    return _to(
        state, payload["outcome"], pending=0, outcome=payload["outcome"],
        answer=payload.get("answer"), error=payload.get("error"), ended_at=parse_stamp(event.ts),
    )  # fmt: skip


def _branch(state: HeadState, _event: Event) -> HeadState:
    """The fork abandons open questions: they are asked again under the child's id."""
    state = replace(state, pending=0)
    return state if state.ended else _to(state, "queued")


_STEPS: dict[str, Callable[[HeadState, Event], HeadState]] = {
    "session_start": _start,
    "user_message": _user_message,
    "llm_response": _llm_response,
    "interrupt": _interrupt,
    "decision": _decision,
    "pause": _pause,
    "steer": _unmoved,
    "cancel": _cancel,
    "session_end": _session_end,
    "branch": _branch,
    "error": _unmoved,
}

_AGENT = re.compile(r"(?:^|;)agent:([^;/#]+)")


def _asking(address: str) -> str:
    """The slug of the innermost agent of an address."""
    names = _AGENT.findall(address)
    return str(names[-1]) if names else ""


def _interrupt_row(event: Event) -> InterruptRow:
    payload = event.payload
    expires = payload.get("expires_at")
    return InterruptRow(
        id=payload["id"],
        seq=event.seq,
        agent=_asking(payload["address"]),
        kind=payload["kind"],
        address=payload["address"],
        tool=payload.get("tool"),
        digest=payload["digest"],
        allowed=tuple(payload["allowed"]),
        required_role=payload["required_role"],
        expires_at=None if expires is None else parse_stamp(expires),
        on_expiry=payload.get("on_expiry"),
        created_at=parse_stamp(event.ts),
    )


def _decision_row(event: Event) -> DecisionRow:
    by = event.payload["by"]
    return DecisionRow(
        interrupt=event.payload["interrupt"],
        seq=event.seq,
        decision=event.payload["decision"],
        status="expired" if by.get("kind") == "system" else "decided",
        by=by,
        at=parse_stamp(event.ts),
    )
