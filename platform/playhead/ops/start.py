"""A quick start: importing makes a million objects and no garbage.

Without the collector looking for some again and again, the start takes a quarter less.
"""

import gc


def hurry() -> None:
    """Collect nothing while modules are imported."""
    gc.disable()


def settle() -> None:
    """From now on collect again, and leave alone what the start has made: it stays for ever."""
    gc.freeze()
    gc.enable()
