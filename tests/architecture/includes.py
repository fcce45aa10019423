#!/usr/bin/env python3
"""Checks that the includes under src/ point the way that the architecture says, on two levels: folders of src/, and
rooms, which are the folders below those.

usage: includes.py SRC_FOLDER     prints one line per violation; exit 1 if there is any

The exceptions that remain stand in exceptions.txt beside SRC_FOLDER's tests. The list may only shrink: a line that is
no longer needed is a violation, too.
"""
import pathlib
import re
import sys

# folder -> the folders that it may include, besides itself. This table is the architecture.
INSIDE = {
    "base": set(),
    "schedule": {"base"},
    "policy": {"base", "schedule"},
    "model": {"base", "schedule"},
    "conduct": {"base", "schedule", "policy", "model"},
    "detect": {"base", "schedule"},  # pure, for both halves
    "census": {"base"},  # which system call is of which class: for both halves, without allocation; numbers, no calls
    "virtual": {"base", "schedule", "policy", "model", "conduct"},
    "wire": {"base", "schedule"},
    "instrument": {"base", "schedule"},
    "heap": set(),  # a library of its own in the tested process: names for blocks
    "runtime": {"base", "schedule", "policy", "model", "conduct", "detect", "census", "wire", "instrument"},
}
OUTSIDE = {
    "os": {"base"},
    "symbolize": {"base", "schedule"},
    "scan": {"base", "wire"},
    "report": {"base", "schedule"},
    "record": {"base", "schedule", "wire", "os"},
    "explain": {"base", "schedule", "detect", "wire", "record", "symbolize", "report"},
    "explore": {"base", "schedule", "policy", "detect", "census", "wire", "os", "symbolize", "scan", "report", "record",
                "explain"},
    "cli": {"base", "schedule", "policy", "os", "symbolize", "scan", "report", "record", "explain", "explore"},
}
OUTSIDE["coseq"] = {"base", "schedule", "policy", "conduct", "detect", "os", "report", "explore", "cli"}  # a program of its own, with LLVM
BOTH = {  # library mode: a test program is the explorer and, in its children, the tested process
    "library": {"base", "schedule", "policy", "wire", "os", "symbolize", "report", "record", "explain", "explore", "cli",
                "runtime"},
}
MAY_INCLUDE = INSIDE | OUTSIDE | BOTH

# folder -> its rooms, each with the rooms that it may include besides itself. "" are files that stand in no room.
ROOMS = {
    "coseq": {
        "models": set(),  # C: what replaces libc in a lane, and the map of its memory
        "front": {"models"},  # LLVM: from sources to a module whose shared accesses are marked
        "emit": {"models", "front"},  # from the module to C
        "strategy": set(),  # what each lane is run with; pure data for every back end
        "host": {"models", "strategy"},  # runs lanes; knows nothing of LLVM
        "device": {"models", "front", "strategy", "host"},  # runs thousands of them; code/ is C for OpenCL and CUDA
        "simt": {"strategy", "host"},  # models what lanes would cost on a GPU
        "": {"models", "front", "emit", "strategy", "host", "device", "simt"},
    },
    "explain": {
        "": set(),
        "cause": set(),  # the smallest directive that leads to a failure
        "pattern": {"cause"},  # names known kinds of bugs
        "diagnose": {"", "cause", "pattern"},
    },
    "explore": {
        "target": set(),  # what is to be run, looked at before anything runs
        "execute": {"target"},  # makes runs
        "campaign": {"target", "execute"},  # chooses runs and judges them
        "doctor": {"target", "execute", "campaign"},
    },
    "report": {
        "": set(),  # data and JSON
        "text": {""},
        "formats": {"", "text"},  # for other programs: SARIF, JUnit, ...
    },
    # From below: what is there without a run (platform), what a run knows while it is under way (state), the two ways to
    # switch (fiber, gate), the parts that are told of a run through run/parts.h (trace to parallel), the engine that
    # tells them (run), who may take the turn away (watch), who calls the engine (hooks), who begins runs (reset).
    "runtime": {
        "platform": set(),  # kernel, libc, loader
        "state": {"platform"},  # flags, threads, the turn, quiet points
        "fiber": {"platform", "state"},
        "gate": {"platform", "state"},
        "trace": {"platform", "state", "fiber"},  # the debugger shows where fibers are
        "memory": {"platform", "state", "trace"},
        "simulated": {"platform", "state", "fiber"},  # signals go to fibers, which the kernel does not know
        "patch": {"platform", "state", "trace", "simulated"},
        "truth": {"platform", "state", "trace", "fiber"},
        "parallel": {"platform", "state", "gate", "trace", "memory", "truth", "simulated", "patch"},
        "run": {"platform", "state", "fiber", "gate", "trace", "memory", "simulated", "patch", "truth", "parallel"},
        "watch": {"platform", "state", "trace", "simulated", "patch", "parallel", "run"},
        "hooks": {"platform", "state", "fiber", "gate", "trace", "memory", "simulated", "patch", "truth", "parallel", "run",
                  "watch"},
        "reset": {"platform", "state", "fiber", "gate", "trace", "memory", "simulated", "patch", "truth", "parallel", "run",
                  "watch", "hooks"},
    },
}

# Tests may drive what they test with virtual programs, and so may see what those see.
TESTS_MAY_ALSO = {"virtual"} | MAY_INCLUDE["virtual"]

# Witnesses against the model and the conductor, relative to the project: they share nothing with what they check.
WITNESSES = [f"tests/virtual/{name}" for name in ("reference.h", "reference.cc", "script.h", "script.cc")]
WITNESSES_MAY_INCLUDE = {"base/ids.h", "base/rng.h", "schedule/operation.h", "tests/virtual/reference.h",
                         "tests/virtual/script.h"}

# These make no call to the OS. The files of base that must are named here, each with its reason.
PURE = {"base", "schedule", "policy", "model", "conduct", "detect", "report", "explain", "scan"}
MAY_CALL_THE_OS = {
    "base/check.cc",  # writes its sentence with write(2) and leaves with _exit
}
OS_HEADER = re.compile(
    r"(sys|linux|asm)/.*|(unistd|pthread|dlfcn|fcntl|signal|sched|semaphore|ucontext|poll|spawn)\.h|csignal")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCE_SUFFIXES = {".h", ".hh", ".hpp", ".inc", ".c", ".cc", ".cpp", ".S"}


def includes_of(path):
    """Yields (line number, whether quoted, name)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1] == '"', match[2]


def is_test(path):
    return path.stem.endswith("_test") or path.stem.startswith("test_")


def room_of(path):
    """The room of a path relative to src/: its second part, "" for a file that stands in none."""
    return path.parts[1] if len(path.parts) > 2 else ""


def room_violation(path, target):
    """What is wrong with including `target` from `path`, both in one folder with rooms; or None."""
    rooms = ROOMS[path.parts[0]]
    here, there = room_of(path), room_of(target)
    for room in (here, there):
        if room not in rooms:
            return f"the room {room!r} of {path.parts[0]} is not in the table"
    if is_test(path) or here == there or there in rooms[here]:
        return None
    return f"{path.parts[0]}/{here} may not include {path.parts[0]}/{there}"


def violation(path, quoted, name):
    """What is wrong with this include in this file (relative to src/), or None."""
    folder = path.parts[0]
    target = name.split("/")[0] if "/" in name else None
    if target in MAY_INCLUDE:
        allowed = {folder} | MAY_INCLUDE[folder] | (TESTS_MAY_ALSO if is_test(path) else set())
        if target not in allowed:
            return f"{folder} may not include {target}"
        if target == folder and folder in ROOMS:
            return room_violation(path, pathlib.PurePath(name))
        return None
    if quoted:
        return 'quotes are for our own headers, written from src/, such as "base/error.h"'
    pure = folder in PURE and not is_test(path) and path.as_posix() not in MAY_CALL_THE_OS
    if pure and OS_HEADER.fullmatch(name):
        return f"{folder} makes no call to the OS"
    return None


def read_exceptions(path):
    """Lines "file includes header", sorted and each once; comments begin with #."""
    if not path.exists():
        return set()
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {tuple(line.split(" includes ")) for line in lines}


def witness_violations(project):
    for witness in WITNESSES:
        path = project / witness
        if not path.exists():
            yield f"{witness}: the witness is not there"
            continue
        for number, quoted, name in includes_of(path):
            if quoted and name not in WITNESSES_MAY_INCLUDE:
                yield f"{witness}:{number}: includes {name}: a witness shares nothing with what it checks"


def violations(src, exceptions=frozenset()):
    """All violations under src, as sentences, and the number of files that were read."""
    found, files, used = [], 0, set()
    for path in sorted(p for p in src.rglob("*") if p.suffix in SOURCE_SUFFIXES):
        files += 1
        short = path.relative_to(src)
        if short.parts[0] not in MAY_INCLUDE:
            found.append(f"{short}: {short.parts[0]} is not in the table of {pathlib.Path(__file__).name}")
            continue
        for number, quoted, name in includes_of(path):
            what = violation(short, quoted, name)
            if what and (short.as_posix(), name) in exceptions:
                used.add((short.as_posix(), name))
            elif what:
                found.append(f"{short}:{number}: includes {name}: {what}")
    for file, name in sorted(exceptions - used):
        found.append(f"exceptions.txt: {file} no longer includes {name}, or may: take the line out")
    if (src.parent / "tests/virtual").exists():
        found += witness_violations(src.parent)
    return found, files


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    src = pathlib.Path(argv[1])
    exceptions = read_exceptions(src.parent / "tests/architecture/exceptions.txt")
    found, files = violations(src, exceptions)
    for line in found:
        print(line)
    print(f"{files} files, {len(found)} violations, {len(exceptions)} exceptions")
    if files == 0:
        print(f"no source file under {src}: wrong folder?")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
