"""K-74: a log names no class and no module, so that code may move; checkpoints neither."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.unit.agents_engine.scenarios import SCENARIOS, Ledger, Scenario, begin, play

CODE = re.compile(
    r"\b(agents_app|replay_app|tests)\.\w|\bplayhead\.(core|config|jobs|plugins|ops)\b"
    r"|<(class|function|coroutine)\b|object at 0x|\bpy/object\b|__\w+__"
)
CORPUS = sorted((Path(__file__).parents[2] / "corpus/logs").glob("*/*.jsonl"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[each.name for each in SCENARIOS])
async def test_k74_what_a_session_writes_names_no_code(scenario: Scenario) -> None:
    session = begin(scenario, Ledger())
    await play(scenario, session)
    written = [json.dumps([e.scope, e.payload], ensure_ascii=False) for e in session.events]
    written += [json.dumps(state, ensure_ascii=False) for state in session.states().values()]
    assert [found[0] for text in written if (found := CODE.search(text))] == []


@pytest.mark.parametrize("log", CORPUS, ids=[f"{each.parent.name}/{each.stem}" for each in CORPUS])
def test_k74_nor_does_what_releases_have_written(log: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [found[0] for line in lines if (found := CODE.search(line))] == []
    assert all(json.loads(line)["schema_version"] for line in lines)
