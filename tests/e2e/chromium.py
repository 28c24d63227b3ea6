"""Debian's Chromium, for whoever tests in a browser."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: A machine that is busy with other stages is slow; what is waited for is a state, never a time.
PATIENCE = 30_000


@contextmanager
def chromium(*, patience: int = PATIENCE) -> Iterator[Browser]:
    """A browser until the block ends; ``patience`` is in milliseconds."""
    expect.set_options(timeout=patience)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        try:
            yield started
        finally:
            started.close()
