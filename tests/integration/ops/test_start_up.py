"""What is loaded before the first page: nothing that only some installations need."""

from __future__ import annotations

import subprocess
import sys

LATE = (
    "openai",
    "anthropic",
    "mcp",
    "aiohttp",
    "celery",
    "kombu",
    "redis",
    "channels_redis",
    "xllamacpp",
    "genai_prices",
    "phonenumbers",
)


def test_provider_sdks_and_the_broker_are_loaded_on_first_use(env: dict[str, str]) -> None:
    code = (
        "import sys, playhead.config.asgi\n"
        "import playhead.jobs; playhead.jobs.discover()\n"
        f"print(*[name for name in {LATE!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
