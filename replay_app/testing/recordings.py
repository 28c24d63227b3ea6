"""Snapshot tests: an agent runs again on a recorded session, and what differs is shown.

The model and the tools are those of the recording: nothing is called. What is compared is what the
agent does with their answers: prompts, calls, plans, questions, the end.
"""

from __future__ import annotations

import json
import os
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents_app.testing.plain import waited
from agents_app.testing.run import run_to_end
from replay_app.engine.files import dump_jsonl, load_jsonl
from replay_app.engine.player import Player
from replay_app.engine.verify import DerivationVerdict, derive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents_app.engine.ports import ModelPort
    from agents_app.engine.spec import AgentSpec
    from playhead.core.events import Event

#: Set to 1, every recording is made again where a test gives a model.
UPDATE = "PLAYHEAD_UPDATE_RECORDINGS"


def load_recording(path: str | Path) -> list[Event]:
    """The events of a recording: what ``record`` wrote, or ``playhead export``."""
    return load_jsonl(Path(path).read_bytes()).events


def record(
    path: str | Path,
    spec: AgentSpec,
    *,
    model: ModelPort,
    text: str,
    decide: Callable[[Event], str | None] | None = None,
) -> list[Event]:
    """Run an agent in memory, its tools too, and write its session as the recording.

    Args:
        text: what the user says.
        decide: answers the questions that come up; see ``run_to_end``.
    """
    events = waited(run_to_end(spec, model, text, decide=decide)).events
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dump_jsonl(events), encoding="utf-8")
    return list(events)


def assert_matches_recording(
    path: str | Path,
    spec: AgentSpec,
    *,
    model: ModelPort | None = None,
    text: str | None = None,
    decide: Callable[[Event], str | None] | None = None,
    update: bool | None = None,
    strategy: Any = None,
    middlewares: Sequence[Any] | None = None,
) -> list[Event]:
    """Insist that the agent does with a recording's answers what it did then; the events.

    Args:
        model: what a new recording is made with; a recording that is there needs none.
        text: the user's message of a new recording; by default that of the old one.
        update: make the recording again; by default where PLAYHEAD_UPDATE_RECORDINGS is 1.
        strategy, middlewares: objects in place of those that the spec names.

    Raises:
        AssertionError: the agent has drifted; the message shows the first event that differs, and
            what of the agent's definition has changed. Or there is no recording, and no model.
    """
    wanted = os.environ.get(UPDATE) == "1" if update is None else update
    there = Path(path).exists()
    if wanted or not there:
        said = text if text is not None or not there else _first_message(load_recording(path))
        if model is None or said is None:
            why = "it is to be made again" if there else "it is not there"
            raise AssertionError(f"{path}: {why}, for which a model and a text are needed")
        record(path, spec, model=model, text=said, decide=decide)
    events = load_recording(path)
    player = Player(events, spec, strategy=strategy, middlewares=middlewares)
    verdict, _ = waited(derive(player))
    if verdict.verdict != "ok":
        raise AssertionError(_told(path, verdict, events, spec))
    return events


def _first_message(events: Sequence[Event]) -> str | None:
    return next(
        (str(e.payload["message"]["content"]) for e in events if e.event_type == "user_message"),
        None,
    )


def _told(
    path: str | Path, verdict: DerivationVerdict, events: Sequence[Event], spec: AgentSpec
) -> str:
    """What a reader of a failed test needs."""
    again = f"If that is meant, record it again: {UPDATE}=1."
    if verdict.verdict == "not_comparable":
        return f"{path}: {verdict.reason}. {again}"
    found = verdict.divergence or {}
    lines = [f"{path}: the agent does not do any more what was recorded.", ""]
    lines.append(f"First difference: event {found.get('seq')}, {found.get('event_type')}")
    lines += [f"  in {found['scope']}"] if found.get("scope") else []
    lines += [f"  {found.get('message')}"]
    lines += _difference(str(found.get("field")), found.get("expected"), found.get("found"))
    changed = _difference("definition", events[0].payload["definition"], spec.definition())
    if changed:
        lines += ["", "What of the agent's definition has changed:", *changed]
    return "\n".join([*lines, "", again])


def _difference(what: str, was: Any, now: Any) -> list[str]:
    before, after = _pretty(was), _pretty(now)
    diff = unified_diff(before, after, f"{what} as recorded", f"{what} now", lineterm="", n=1)
    return [f"  {line}" for line in diff]


def _pretty(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return value.splitlines()
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False).splitlines()
