"""What a program leaves behind: this process becomes the parent of every orphan below it."""

import ctypes
import os
import pathlib
import signal
import time

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """A daemon that has left its session and its parent is then found as a child of ours."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def below(pid):
    """The living processes that descend from `pid`, with their names."""
    found = {}
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            try:
                name, _, rest = pathlib.Path(f"/proc/{child}/stat").read_text().partition("(")[2].rpartition(")")
            except OSError:
                continue
            if rest.split()[0] == "Z":
                reap(child)
            else:
                found[child] = name
            found.update(below(child))
    return found


def reap(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass  # not ours


def left(spare=(), patience=5.0):
    """The processes that still are there some seconds later, but for those that descend from one of `spare`. Ends them."""
    deadline = time.monotonic() + patience
    while True:
        spared = set(spare) | {pid for one in spare for pid in below(one)}
        found = {pid: name for pid, name in below(os.getpid()).items() if pid not in spared}
        if not found or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    for pid in found:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return sorted(found.values())
