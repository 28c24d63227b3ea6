"""What a form says of an option comes from the docstring, wherever ``Args:`` stands in it."""

from __future__ import annotations

from agents_app.engine.docstrings import options_of, summary_of


class Bare:
    """Args:
    tries: how often.
    pause: seconds between two,
        at least.
    """

    def __init__(self, tries: int = 1, pause: float = 0) -> None:
        self.tries, self.pause = tries, pause


class Followed:
    """Args:
        tries: how often.

    Raises:
        ValueError: never.
    """

    def __init__(self, tries: int = 1) -> None:
        self.tries = tries


def test_a_docstring_that_begins_with_its_options_describes_them() -> None:
    assert options_of(Bare) == {"tries": "how often.", "pause": "seconds between two, at least."}
    assert options_of(Followed) == {"tries": "how often."}
    assert summary_of(Bare).startswith("What a form says of an option")
