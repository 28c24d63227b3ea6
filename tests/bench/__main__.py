"""``python -m tests.bench [NAME…]``: measure Playhead on this machine, in a database of its own.

SQLite without DATABASE_URL, else PostgreSQL. Compare figures of one run with one another: another
machine, or the same one when it is busy, gives others.
"""

from __future__ import annotations

import importlib
import os
import sys

BENCHES = ("sizes", "appends", "worker", "moments", "engine")
#: Run when they are named: they take minutes.
LONG = ("exact", "waiting")


def main() -> None:
    """Run the named benches, or all."""
    names = sys.argv[1:] or BENCHES
    unknown = set(names) - {*BENCHES, *LONG}
    if unknown:
        sys.exit(f"No such bench: {', '.join(sorted(unknown))}. There are: {', '.join(BENCHES)}.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
    import django
    from django.db import connection

    django.setup()
    configured = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    sys.stdout.write(f"database {connection.vendor}\n")
    try:
        for name in names:
            importlib.import_module(f"tests.bench.{name}").run()
            sys.stdout.flush()
    finally:
        connection.creation.destroy_test_db(configured, verbosity=0)


if __name__ == "__main__":
    main()
