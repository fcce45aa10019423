#!/usr/bin/env python3
"""Real programs at the default points: nothing may be found, nothing hangs, nothing is left, -t is kept.

  SNARL=build/snarl table_test.py [--all [--install] [--write-table docs/real-programs.md]] [--only NAME]

Without --all only the rows that are a part of ./run test, without the run that keeps -t. A row whose package is missing is
reported as not run: in the short list that is a failure."""

import argparse
import os
import pathlib
import sys
import traceback

import leftovers
import measure
import packages
import table
import write_table

ENOUGH = 60  # rows that must have run, of all


def run_row(row, keeps_time):
    """Returns what was measured, or why it failed."""
    try:
        return measure.measure(row, keeps_time), None
    except AssertionError as error:
        return None, str(error)
    except Exception:  # a tool that prepares inputs failed
        return None, traceback.format_exc()
    finally:
        leftovers.left(patience=0)


def describe(row, got):
    over = "" if got.over is None else f"  -t {got.over:+.1f} s"
    return (f"{row.name:<18} {got.rate:8.1f} schedules/s  n={got.threads} k={got.steps} repeatable {got.same} of {got.of}"
            f"  {got.switching['kind']}, {got.reset['kind']}{over}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--install", action="store_true", help="install the packages that are missing")
    parser.add_argument("--only", help="rows whose name contains this")
    parser.add_argument("--write-table", type=pathlib.Path)
    arguments = parser.parse_args()
    leftovers.adopt_orphans()
    rows = [row for row in table.ROWS if (arguments.all or row.short) and (arguments.only or "") in row.name]
    if arguments.install:
        packages.install(rows)
    measured, not_run, failed = [], [], []
    for row in rows:
        if absent := packages.missing(row):
            not_run.append((row, f"not installed: {' '.join(absent)}"))
            print(f"{row.name:<18} not run, {not_run[-1][1]}", flush=True)
            continue
        got, why = run_row(row, arguments.all)
        if why:
            failed.append((row, why))
            print(f"{row.name:<18} FAILED: {why}", flush=True)
        else:
            measured.append((row, got, packages.version(row)))
            print(describe(row, got), flush=True)
    print(f"{len(measured)} passed, {len(failed)} failed, {len(not_run)} not run")
    if arguments.write_table:
        write_table.write(arguments.write_table, measured, not_run, failed, {
            "schedules": measure.SCHEDULES, "seconds": measure.SHORT_FOR, "slack": measure.SLACK,
            "cores": len(os.sched_getaffinity(0))})
    enough = ENOUGH if arguments.all and not arguments.only else len(rows)
    return 0 if rows and not failed and len(measured) >= enough else 1


if __name__ == "__main__":
    sys.exit(main())
