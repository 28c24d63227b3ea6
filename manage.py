#!/usr/bin/env python
"""Django's command line. Works on an uninstalled checkout too, from any folder."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent

# Appended, never inserted: `platform/` is a source folder and must not come before the
# standard library (docs/adr/0001-platform-is-a-folder.md).
for folder in (str(ROOT / "platform"), str(ROOT)):
    if folder not in sys.path:
        sys.path.append(folder)


def main() -> None:
    """Run the Django command named by the arguments."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
