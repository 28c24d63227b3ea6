"""Stands between a worker and a server: no process of it outlives who started it.

``python -I -S guard.py COMMAND…`` runs the command in its own process group, hands on what comes
by standard input, and ends the whole group when the input ends, when it is told to, or, on Linux,
when the worker is killed. What the command says comes back through it as well, so that a line
without an end fills no worker's memory. It imports nothing of Playhead and starts in a few
milliseconds.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

#: Seconds for the server to end by itself once its input is closed, and again once it is told to.
GRACE = 0.7
CHUNK = 65_536
#: Bytes of one message: an image is one.
LONGEST = 16 * 1024 * 1024
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def with_parent(number: int) -> None:
    """Be sent a signal when the parent dies (Linux; elsewhere the end of the input tells)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def adopt() -> None:
    """Become the parent of what leaves the group and loses its own parent (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_group(*_: object) -> None:
    """End everything that was started here, in this group or out of it, and this process too."""
    for process in _below(os.getpid()):
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
    os.killpg(os.getpgid(0), signal.SIGKILL)


def _below(top: int) -> list[int]:
    """The processes below one, as far as ``/proc`` says (elsewhere the group is all we know)."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            parent = int(stat.read_bytes().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found = list(children.get(top, ()))
    for process in found:
        found += children.get(process, ())
    return found


def hand_on(child: subprocess.Popen[bytes], wake: int) -> None:
    """Copy until the child has ended or the input has; what waits is never more than a chunk."""
    out, waiting = child.stdin.fileno(), b""  # type: ignore[union-attr]
    os.set_blocking(out, False)
    while child.poll() is None:
        poll = select.poll()
        poll.register(wake, select.POLLIN)
        poll.register(0, 0 if waiting else select.POLLIN)
        if waiting:
            poll.register(out, select.POLLOUT)
        ready = dict(poll.poll())
        if wake in ready:
            os.read(wake, CHUNK)
            _reap(child.pid)
        if out in ready:
            waiting = waiting[_written(out, waiting) :]
        elif 0 in ready:
            waiting = b"" if waiting else os.read(0, CHUNK)
            if not waiting:
                return


def _reap(child: int) -> None:
    """Let go of the adopted that have ended; the child itself is waited for elsewhere."""
    with suppress(ChildProcessError):
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is not None:
            if ended.si_pid == child:
                return
            os.waitpid(ended.si_pid, 0)


def bring_back(child: subprocess.Popen[bytes]) -> None:
    """Copy what the child says; one line that is longer than a message may be ends it."""
    source, line = child.stdout.fileno(), 0  # type: ignore[union-attr]
    with suppress(OSError):
        while data := os.read(source, CHUNK):
            line = len(data) - data.rfind(b"\n") - 1 + (0 if b"\n" in data else line)
            if line > LONGEST:
                print(f"a message of more than {LONGEST} bytes: ended", file=sys.stderr, flush=True)
                end_group()
            while data:
                data = data[os.write(1, data) :]


def _written(out: int, data: bytes) -> int:
    try:
        return os.write(out, data)
    except BlockingIOError:
        return 0
    except OSError:
        return len(data)  # the child reads no more; its end is told by its death


def _ends(child: subprocess.Popen[bytes]) -> bool:
    try:
        child.wait(GRACE)
    except subprocess.TimeoutExpired:
        return False
    return True


def main(command: list[str]) -> int:
    """Run it; its exit status."""
    before = os.getppid()
    if os.getpgid(0) != os.getpid():
        os.setsid()
    signal.signal(signal.SIGTERM, end_group)
    with_parent(signal.SIGTERM)
    adopt()
    if os.getppid() != before:
        end_group()
    wake, told = os.pipe()
    for end in (wake, told):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(told)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    try:
        child = subprocess.Popen(  # noqa: S603 - the operator's command is what is to run
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            preexec_fn=lambda: with_parent(signal.SIGKILL),  # noqa: PLW1509 - no threads here
        )  # fmt: skip
    except OSError as error:
        print(f"{command[0]} can't be started: {error.strerror}", file=sys.stderr)
        return 127
    said = threading.Thread(target=bring_back, args=[child], daemon=True)
    said.start()
    hand_on(child, wake)
    child.stdin.close()  # type: ignore[union-attr]
    if not _ends(child):
        child.terminate()
        _ends(child)
    said.join(GRACE)
    end_group()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
