#!/usr/bin/env python3
"""Is every C and C++ file of the project as clang-format leaves it?

usage: format.py PROJECT_FOLDER CLANG_FORMAT     names those that are not; exit 1 if there are any
"""
import pathlib
import subprocess
import sys

FOLDERS = ("src", "include", "tests", "bench", "examples", "tools", "cmake")
SUFFIXES = {".h", ".c", ".cc"}


def sources(project):
    return sorted(path for folder in FOLDERS for path in (project / folder).rglob("*") if path.suffix in SUFFIXES)


def odd_ones(tool, project, files):
    """The complaints of clang-format, one line each."""
    names = [path.relative_to(project) for path in files]
    said = subprocess.run([tool, "--style=file", "--dry-run", *names], cwd=project, capture_output=True, text=True,
                          check=True, timeout=200).stderr
    return sorted({line.split(":")[0] for line in said.splitlines() if "-Wclang-format-violations" in line})


def main(argv):
    if len(argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    project = pathlib.Path(argv[1])
    files = sources(project)
    odd = odd_ones(argv[2], project, files)
    for name in odd:
        print(f"{name}: clang-format would change it")
    print(f"{len(files)} files, {len(odd)} to format")
    return 1 if odd or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
