"""The command line: export, import, verify, rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.models import Head, Interrupt
from agents_app.models import Session as SessionRow
from playhead.ops.cli import build_parser

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.replay.conftest import Session

pytestmark = pytest.mark.django_db(transaction=True)


def run(*argv: str) -> int:
    args = build_parser().parse_args(argv)
    return int(args.run(args))


def test_a_session_goes_out_and_its_file_is_proven(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "session.jsonl"
    assert run("export", session.id, "--output", str(file)) == 0
    assert run("verify", session.id) == 0
    assert run("verify", str(file)) == 0
    assert "derivation  ok" in capsys.readouterr().out
    assert run("import", str(file)) == 0
    file.write_text(file.read_text().replace("I look.", "I lurk."))
    assert run("verify", str(file)) == 1
    said = capsys.readouterr().out
    assert f"event {session.seq('llm_response')} is not what was written" in said


def test_rebuild_mends_what_is_not_what_the_log_says(
    session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("rebuild") == 0
    assert "0 mended" in capsys.readouterr().out
    before = session.get()
    row = SessionRow.objects.get(public_id=session.id)
    Head.objects.filter(session=row).update(status="failed", tokens_input=7, run=9)
    SessionRow.objects.filter(pk=row.pk).update(answer="Forged.", outcome="failed")
    Interrupt.objects.filter(session=row).delete()
    assert run("rebuild", session.id) == 0
    assert f"{session.id}: mended" in capsys.readouterr().out
    after = session.get()
    assert {**after, "updated_at": None} == {**before, "updated_at": None}
    assert Interrupt.objects.get(session=row).decision == "edit"
