#!/usr/bin/env python3
"""Prints the largest knot of the runtime: the largest set of units that all include each other, directly or by way of
others.

usage: knot.py FOLDER [LIMIT]     exit 1 if the largest knot has more than LIMIT units

A unit is what has one stem: point.h and point.cc. A unit leads to another if one of its files includes a header of
the other. Who reads one unit of a knot may have to read all of it.
"""
import pathlib
import re
import sys

LIMIT = 15  # parallel/ is the largest; smaller is better
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
SUFFIXES = {".h", ".cc", ".c", ".S"}


def unit_of(path):
    return path.with_suffix("").as_posix()


def read_graph(folder):
    """{unit: set of units that it includes}; names are relative to src/, as in includes. Tests are no units."""
    files = [p for p in sorted(folder.rglob("*")) if p.suffix in SUFFIXES and not p.stem.endswith("_test")]
    graph = {unit_of(p.relative_to(folder.parent)): set() for p in files}
    for path in files:
        unit = unit_of(path.relative_to(folder.parent))
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            other = unit_of(pathlib.PurePosixPath(name))
            if other in graph and other != unit:
                graph[unit].add(other)
    return graph


def reached_from(start, graph):
    seen, ahead = {start}, [start]
    while ahead:
        for other in graph[ahead.pop()] - seen:
            seen.add(other)
            ahead.append(other)
    return seen


def largest_knot(graph):
    """The largest strongly connected set, sorted; of several equally large ones the first by name."""
    reached = {unit: reached_from(unit, graph) for unit in graph}
    knots = [sorted(other for other in reached[unit] if unit in reached[other]) for unit in sorted(graph)]
    return max(knots, key=len, default=[])


def main(argv):
    if len(argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(argv[1])
    limit = int(argv[2]) if len(argv) == 3 else LIMIT
    graph = read_graph(folder)
    if not graph:
        print(f"no source file under {folder}: wrong folder?")
        return 1
    knot = largest_knot(graph)
    print(f"{len(graph)} units, the largest knot has {len(knot)} (at most {limit} are allowed):")
    for unit in knot:
        print(f"  {unit}: {', '.join(sorted(graph[unit] & set(knot)))}")
    return 1 if len(knot) > limit else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
