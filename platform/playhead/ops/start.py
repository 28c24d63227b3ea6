"""A quick start: importing makes a million objects and no garbage.

Without the collector looking for some again and again, the start takes a quarter less.
"""

import gc
import resource
from contextlib import suppress

#: Open files of a process: a session that waits for a model holds a connection.
FILES = 65_536


#: New objects before the young are looked through, such looks before the middle-aged are, and
#: those before all are. Looking through a thousand waiting sessions stops every one of them for a
#: tenth of a second: that is done once for about a million new objects.
OFTEN = (2_000, 10, 60)


def hurry() -> None:
    """Collect nothing while modules are imported."""
    gc.disable()


def settle() -> None:
    """From now on collect again, and leave alone what the start has made: it stays for ever."""
    gc.freeze()
    gc.set_threshold(*OFTEN)
    gc.enable()


def make_room() -> None:
    """Allow as many open files as the machine lets us: its first word is often 1,024."""
    has, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    if has == resource.RLIM_INFINITY or has >= wanted:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
