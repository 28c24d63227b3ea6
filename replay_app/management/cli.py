"""`playhead export`, `import` and `verify`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from agents_app.contracts import SessionRef
    from replay_app.engine.verify import Verdict


def register(commands: Any) -> None:
    """Add the commands."""
    export = commands.add_parser("export", help="write a session as JSON Lines")
    export.add_argument("session", metavar="SESSION")
    export.add_argument("--format", choices=["jsonl"], default="jsonl")
    export.add_argument("--output", metavar="FILE", help="a file instead of the standard output")
    export.set_defaults(run=run_export)
    bring = commands.add_parser("import", help="store a session that was exported")
    bring.add_argument("file", metavar="FILE", help="a file of JSON Lines; - is the standard input")
    bring.set_defaults(run=run_import)
    verify = commands.add_parser("verify", help="prove a log: chain, derivation, snapshots")
    verify.add_argument("target", metavar="SESSION|FILE")
    verify.set_defaults(run=run_verify)


def run_export(args: argparse.Namespace) -> int:
    """Write the whole log: who has the data folder has the data."""
    from agents_app import facade
    from replay_app.selectors.exports import export_lines

    lines = export_lines(session=_session(args.session), eyes=facade.OPEN)
    if args.output:
        with Path(args.output).open("w", encoding="utf-8") as file:
            file.writelines(lines)
    else:
        for line in lines:
            sys.stdout.write(line)
    return 0


def run_import(args: argparse.Namespace) -> int:
    """Store a file's session in the workspace of this installation."""
    from playhead.accounts.services.setup import workspace_ensure
    from playhead.ops.commands.migrate import migrate
    from replay_app.services.imports import file_import

    migrate()  # a folder that is new, or of an older release, takes a file too
    done = file_import(workspace_id=workspace_ensure().id, text=_read(args.file))
    if done.truncated:
        print("The last line was torn; it was dropped.", file=sys.stderr)
    print(f"{done.session_id}: {done.events} events")
    return 0


def run_verify(args: argparse.Namespace) -> int:
    """Print the three answers; the status is 1 when one of them found a fault."""
    from agents_app import facade

    facade.demo_known()  # a log of the demo is proven by the demo's tools, as `up` has them
    found = _verdict(args.target)
    chain, derivation, snapshots = found.chain, found.derivation, found.snapshots
    print(f"chain       {'ok' if chain.ok else 'BROKEN'}, {chain.checked} events")
    if chain.error:
        print(f"            {chain.error['message']}")
    whole = "" if derivation.complete or derivation.verdict != "ok" else ", the run has not ended"
    print(f"derivation  {derivation.verdict}, {derivation.events} events{whole}")
    if derivation.divergence:
        print(f"            {derivation.divergence['message']}")
    if derivation.reason:
        print(f"            {derivation.reason}")
    print(f"snapshots   {'ok' if snapshots.ok else 'WRONG'}, {snapshots.checked} checked")
    if snapshots.error:
        print(f"            {snapshots.error['message']}")
    return 0 if found.ok else 1


def _verdict(target: str) -> Verdict:
    from replay_app.engine.files import load_jsonl
    from replay_app.selectors.proofs import events_verify, session_verify

    if not Path(target).is_file():
        return session_verify(session=_session(target))
    loaded = load_jsonl(_read(target))
    if loaded.truncated:
        print("The last line is torn; it is left out.", file=sys.stderr)
    return events_verify(events=loaded.events)


def _read(name: str) -> str:
    from playhead.core.errors import InvalidInput

    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{name} can't be read: {error}") from None


def _session(name: str) -> SessionRef:
    from agents_app import facade
    from playhead.accounts.services.setup import workspace_ensure

    return facade.session_ref(workspace_id=workspace_ensure().id, session_id=name)
