"""`playhead migrate`: bring the database to this version, before `web` and `worker` start."""

import argparse
from typing import Any


def register(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser("migrate", help="bring the database up to date (`up` does it)")
    parser.set_defaults(run=run)


def migrate() -> None:
    """Apply what is missing; quick when nothing is."""
    from django.core.management import call_command

    from playhead.ops.health import database_problem

    if database_problem() is not None:
        call_command("migrate", interactive=False, verbosity=0)


def migrate_own() -> None:
    """Bring the data folder's own database up to date; a shared one is left to who runs it.

    Raises:
        PlayheadError: `not_ready`: a shared database is not up to date, or can't be reached.
    """
    from django.db import connection

    from playhead.ops.commands.web import require_database

    if connection.vendor == "sqlite":
        migrate()
    else:
        require_database()


def run(_args: argparse.Namespace) -> int:
    """Migrate, and make sure that there is a workspace with an owner and its agents."""
    from playhead.accounts.services.setup import owner_ensure
    from playhead.ops import embedded

    migrate()
    owner = owner_ensure()
    embedded.prepare(demo=False)
    print(f"The database is up to date. Owner: {owner.email} (playhead login-link).")
    return 0
