#!/usr/bin/env python3
"""Is every C and C++ file of the project as clang-format leaves it?

usage: format.py PROJECT_FOLDER CLANG_FORMAT     names those that are not; exit 1 if there are any
"""
import concurrent.futures
import pathlib
import subprocess
import sys

FOLDERS = ("src", "include", "tests", "bench", "examples", "tools", "cmake")
SUFFIXES = {".h", ".c", ".cc"}


def sources(project):
    return sorted(path for folder in FOLDERS for path in (project / folder).rglob("*") if path.suffix in SUFFIXES)


def differs(tool, path):
    formatted = subprocess.run([tool, "--style=file", path], capture_output=True, check=True, timeout=60).stdout
    return formatted != path.read_bytes()


def main(argv):
    if len(argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    project = pathlib.Path(argv[1])
    files = sources(project)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        odd = [path for path, differ in zip(files, pool.map(lambda p: differs(argv[2], p), files)) if differ]
    for path in odd:
        print(f"{path.relative_to(project)}: clang-format would change it")
    print(f"{len(files)} files, {len(odd)} to format")
    return 1 if odd or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
