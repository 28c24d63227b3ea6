"""Two sessions side by side: rows aligned by what was done, then compared by what was said."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.core.events import Event

Relation = Literal["same", "wording", "different", "only_a", "only_b"]

#: What a reader of a comparison follows; the rest is how it came about.
ROWS = frozenset(
    {
        "user_message", "steer", "llm_response", "llm_error", "tool_call", "tool_result",
        "interrupt", "decision", "guardrail", "limit", "edit", "cancel", "session_end", "error",
        "child_start", "child_end", "plan",
    }
)  # fmt: skip
#: What may be said in other words and come to the same.
_WORDED = ("llm_response", "session_end", "child_end", "decision", "guardrail")
#: Beyond this many cells a table of all pairs is not worth its time.
_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what both did, or one of them."""

    relation: Relation
    a: Event | None
    b: Event | None


def compare(a: Sequence[Event], b: Sequence[Event]) -> list[Row]:
    """Align two logs by the longest common subsequence of (kind, tool, normalised arguments)."""
    left = [event for event in a if event.event_type in ROWS]
    right = [event for event in b if event.event_type in ROWS]
    rows: list[Row] = []
    i = j = 0
    for x, y in _matches([_key(event) for event in left], [_key(event) for event in right]):
        rows += _unmatched(left[i:x], right[j:y])
        rows.append(Row(_relation(left[x], right[y]), left[x], right[y]))
        i, j = x + 1, y + 1
    return rows + _unmatched(left[i:], right[j:])


def first_divergence(rows: Sequence[Row]) -> int | None:
    """The place of the first row that is not the same on both sides."""
    return next((place for place, row in enumerate(rows) if row.relation != "same"), None)


def _key(event: Event) -> tuple[str, ...]:
    """What an event did, without its words and without ids that differ between any two sessions."""
    payload, kind = event.payload, event.event_type
    if kind in ("tool_call", "interrupt"):
        return (kind, str(payload.get("tool")), _normal(payload.get("arguments")))
    if kind == "llm_response":
        calls = payload["message"].get("tool_calls") or ()
        return (kind, *(f"{c.get('name')} {_normal(c.get('arguments'))}" for c in calls))
    if kind == "child_start":
        return (kind, payload["agent"]["slug"])
    if kind == "tool_result":
        return (kind, str(payload.get("tool")))
    if kind == "decision":
        return (kind, str(payload.get("decision")), _normal(payload.get("arguments")))
    return (kind,)


def _normal(value: Any) -> str:
    return canonical.dumps(value).decode()


def _relation(a: Event, b: Event) -> Relation:
    """How two events that did the same differ in what they say."""
    if _said(a) == _said(b):
        return "same"
    words = a.event_type in _WORDED
    same_end = a.payload.get("outcome") == b.payload.get("outcome")
    return "wording" if words and same_end and _figures(a) == _figures(b) else "different"


def _figures(event: Event) -> list[str]:
    """The numbers of what an event says: another amount is no other wording."""
    return re.findall(r"\d+", str(_said(event)))


def _said(event: Event) -> Any:
    payload = event.payload
    match event.event_type:
        case "user_message" | "steer" | "edit" | "llm_response" | "child_start":
            return payload["message"].get("content")
        case "tool_result":
            return payload["message"].get("content"), payload.get("success")
        case "session_end" | "child_end":
            return payload.get("outcome"), payload.get("answer"), payload.get("reason")
        case "plan":
            return payload["steps"], payload["done"]
        case "interrupt":
            return payload.get("info"), payload.get("consequence")
        case "decision":
            return payload.get("value"), payload.get("message")
        case "guardrail":
            return payload.get("guard"), payload.get("verdict"), payload.get("category")
        case "llm_error" | "error":
            return payload.get("code"), payload.get("message")
        case "limit":
            return payload.get("what"), payload.get("limit")
        case _:
            return None


def _unmatched(a: Sequence[Event], b: Sequence[Event]) -> list[Row]:
    """What lies between two matches: the same kind of step on both sides is one row."""
    rows: list[Row] = []
    rest = list(b)
    for event in a:
        place = next((n for n, other in enumerate(rest) if _alike(event, other)), None)
        if place is None:
            rows.append(Row("only_a", event, None))
            continue
        rows += [Row("only_b", None, other) for other in rest[:place]]
        rows.append(Row("different", event, rest[place]))
        rest = rest[place + 1 :]
    return rows + [Row("only_b", None, other) for other in rest]


def _alike(a: Event, b: Event) -> bool:
    return a.event_type == b.event_type and a.payload.get("tool") == b.payload.get("tool")


def _matches(a: list[tuple[str, ...]], b: list[tuple[str, ...]]) -> list[tuple[int, int]]:
    """Pairs of places of a longest common subsequence; the common ends are taken as they are."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    middle_a, middle_b = a[start : len(a) - end], b[start : len(b) - end]
    middle = [(x + start, y + start) for x, y in _longest(middle_a, middle_b)]
    head = [(n, n) for n in range(start)]
    tail = [(len(a) - end + n, len(b) - end + n) for n in range(end)]
    return head + middle + tail


def _longest(a: list[tuple[str, ...]], b: list[tuple[str, ...]]) -> list[tuple[int, int]]:
    if len(a) * len(b) > _CELLS:
        blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
        return [(x + n, y + n) for x, y, size in blocks for n in range(size)]
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for x in range(len(a) - 1, -1, -1):
        for y in range(len(b) - 1, -1, -1):
            below = max(table[x + 1][y], table[x][y + 1])
            table[x][y] = table[x + 1][y + 1] + 1 if a[x] == b[y] else below
    out, x, y = [], 0, 0
    while x < len(a) and y < len(b):
        if a[x] == b[y]:
            out.append((x, y))
            x, y = x + 1, y + 1
        elif table[x + 1][y] >= table[x][y + 1]:
            x += 1
        else:
            y += 1
    return out
