"""Train a compression dictionary for event bodies: ``python -m scripts.train_dictionary N``.

Writes ``agents_app/adapters/stores/dictionaries/N.zdict``. A dictionary that has ever been
released is never changed: bodies name it by N, so a better one gets the next number.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import zstandard

from playhead.core import canonical
from scripts.dictionary.shapes import SHAPES

FOLDER = Path(__file__).resolve().parent.parent / "agents_app/adapters/stores/dictionaries"
SIZE = 16 * 1024
SAMPLES = 6_000
LEVEL = 3


def samples(seed: int = 1) -> list[bytes]:
    """Bodies in canonical form, in the proportions of a session."""
    rng = random.Random(seed)
    weights = [weight for weight, _ in SHAPES]
    makers = [make for _, make in SHAPES]
    return [canonical.dumps(rng.choices(makers, weights)[0](rng)) for _ in range(SAMPLES)]


def main() -> None:
    """Train, and write the file; refuse to change one that is there."""
    number = int(sys.argv[1])
    target = FOLDER / f"{number}.zdict"
    if target.exists():
        sys.exit(f"{target} is released: choose the next number.")
    trained = zstandard.train_dictionary(SIZE, samples(), dict_id=number, level=LEVEL)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(trained.as_bytes())
    sys.stdout.write(f"{target}: {len(trained.as_bytes())} bytes\n")


if __name__ == "__main__":
    main()
