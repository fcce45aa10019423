#!/usr/bin/env python3
"""Checks that the includes under src/ point the way that the architecture says.

usage: includes.py SRC_FOLDER     prints one line per violation; exit 1 if there is any
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
    "virtual": {"base", "schedule", "policy", "model", "conduct"},
    "wire": {"base", "schedule"},
    "instrument": {"base", "schedule"},
    "heap": set(),  # a library of its own in the tested process: names for blocks
    "runtime": {"base", "schedule", "policy", "model", "conduct", "wire", "instrument"},
}
OUTSIDE = {
    "detect": {"base", "schedule"},
    "explain": {"base", "schedule"},
    "symbolize": {"base", "schedule"},
    "report": {"base", "schedule"},
    "scan": {"base", "wire"},
    "explore": {"base", "schedule", "policy", "wire", "detect", "explain", "symbolize", "scan", "report"},
    "cli": {"base", "schedule", "policy", "detect", "explain", "symbolize", "scan", "report", "explore"},
}
BOTH = {  # library mode: a test program is the explorer and, in its children, the tested process
    "library": {"base", "schedule", "policy", "wire", "symbolize", "report", "explore", "cli", "runtime"},
}
MAY_INCLUDE = INSIDE | OUTSIDE | BOTH

# Tests may drive what they test with virtual programs, and so may see what those see.
TESTS_MAY_ALSO = {"virtual"} | MAY_INCLUDE["virtual"]

# Witnesses against the model and the conductor: they share nothing with what they check.
WITNESSES = {"virtual/reference.h", "virtual/reference.cc", "virtual/script.h", "virtual/script.cc"}
WITNESSES_MAY_INCLUDE = {"base/ids.h", "base/rng.h", "schedule/operation.h", "virtual/reference.h", "virtual/script.h"}

# These make no call to the OS. The files of base that must are named here, each with its reason.
PURE = {"base", "schedule", "policy", "model", "conduct", "detect", "explain", "scan"}
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


def violation(path, quoted, name):
    """What is wrong with this include in this file (relative to src/), or None."""
    folder = path.parts[0]
    target = name.split("/")[0] if "/" in name else None
    if target in MAY_INCLUDE:
        if path.as_posix() in WITNESSES and name not in WITNESSES_MAY_INCLUDE:
            return "a witness shares nothing with what it checks"
        allowed = {folder} | MAY_INCLUDE[folder] | (TESTS_MAY_ALSO if is_test(path) else set())
        return None if target in allowed else f"{folder} may not include {target}"
    if quoted:
        return 'quotes are for our own headers, written from src/, such as "base/error.h"'
    pure = folder in PURE and not is_test(path) and path.as_posix() not in MAY_CALL_THE_OS
    if pure and OS_HEADER.fullmatch(name):
        return f"{folder} makes no call to the OS"
    return None


def violations(src):
    """All violations under src, as sentences, and the number of files that were read."""
    found, files = [], 0
    for path in sorted(p for p in src.rglob("*") if p.suffix in SOURCE_SUFFIXES):
        files += 1
        short = path.relative_to(src)
        if short.parts[0] not in MAY_INCLUDE:
            found.append(f"{short}: {short.parts[0]} is not in the table of {pathlib.Path(__file__).name}")
            continue
        for number, quoted, name in includes_of(path):
            what = violation(short, quoted, name)
            if what:
                found.append(f"{short}:{number}: includes {name}: {what}")
    return found, files


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    src = pathlib.Path(argv[1])
    found, files = violations(src)
    for line in found:
        print(line)
    print(f"{files} files, {len(found)} violations")
    if files == 0:
        print(f"no source file under {src}: wrong folder?")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
