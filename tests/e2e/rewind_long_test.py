#!/usr/bin/env python3
"""Reset rewind for long: millions of schedules leave nothing in their process, correct programs stay silent, and the
same schedules come from exec, fork and rewind.

  SNARL=build/snarl rewind_long_test.py --programs build/programs
"""

import os
import pathlib
import sys
import time
import unittest

import snarl_case

SOAK = 5_000_000
SILENT = 100_000
ALIKE = 300
ENOUGH_REWOUND = 60  # programs of ours
EXACT = ("schedules", "failing_schedules", "distinct", "points_seen", "threads")


def look_at(pid):
    """What a process holds; memory in KiB. None: it is gone."""
    try:
        here = pathlib.Path(f"/proc/{pid}")
        status = dict(line.split(":", 1) for line in (here / "status").read_text().splitlines())
        return {"descriptors": len(list((here / "fd").iterdir())),
                "areas": len((here / "maps").read_text().splitlines()),
                "memory": int(status["VmRSS"].split()[0]), "size": int(status["VmSize"].split()[0])}
    except (OSError, KeyError):
        return None


class RewindLongCase(snarl_case.SnarlCase):
    timeout = 1200
    rewound = 0

    def options(self, reset, schedules, seconds):
        return ("run", "--reset", reset, "-j", "1", "-n", str(schedules), "-t", f"{seconds}s", "--seed", "7",
                "--keep-going", "--no-minimize", "--after-finding", "0")

    def explore(self, reset, program, *options, schedules, seconds=60):
        out = self.folder / reset
        result = self.snarl(*self.options(reset, schedules, seconds), *options, "-o", out, "--", program)
        return result, self.summary(result, out)

    def watch(self, snarl):
        """What each process of the copied program held, as long as snarl runs."""
        seen = {}
        while snarl.poll() is None:
            for pid in snarl_case.processes_of(self.folder):
                looked = look_at(pid)
                if looked is not None:
                    seen.setdefault(pid, []).append(looked)
            time.sleep(0.05)
        return seen

    def test_nothing_grows(self):
        program = self.copy_program(self.programs / "rewind_rows")
        command = (snarl_case.snarl_binary(), *self.options("rewind", SOAK, 900), "-p", "random", "-o", self.out, "--",
                   program, "scattered")
        snarl = snarl_case.start(command, cwd=self.folder)
        with snarl_case.limited(snarl, self.timeout):
            seen = self.watch(snarl)
            result = snarl_case.finish(snarl, 60)
        summary = self.summary(result)
        self.expect_code(result, 0)
        self.assertEqual(summary["reset"]["kind"], "rewind", summary["reset"])
        self.assertEqual(summary["schedules"], SOAK)
        looks = max(seen.values(), key=len)
        self.assertGreater(len(looks), 100, "one process was to make nearly all schedules")
        quarter = len(looks) // 4
        for what, most_more in (("descriptors", 0), ("areas", 0), ("size", 0), ("memory", 512)):
            # In the middle of a schedule there is more than between two.
            early, late = (min(look[what] for look in part) for part in (looks[:quarter], looks[-quarter:]))
            self.assertLessEqual(late, early + most_more, what)

    def check_silent(self, program, header):
        result, summary = self.explore("rewind", program, *snarl_case.levels(header), schedules=SILENT)
        self.expect_code(result, 0)
        self.assertEqual(summary["findings"], [])
        if "layers_differ" not in header:  # in a new process, addresses may decide
            self.assertNotIn("a difference", summary["reset"]["why"])
        self.assertGreater(summary["schedules"], 0)
        type(self).rewound += summary["reset"]["kind"] == "rewind"

    def check_alike(self, program, header):
        options = ("-p", "random", "--switching", "fibers", *snarl_case.levels(header))
        sums = {reset: self.explore(reset, program, *options, schedules=ALIKE) for reset in ("exec", "fork", "rewind")}
        result, rewound = sums["rewind"]
        for _, other in (sums["exec"], sums["fork"]):
            for key in EXACT:
                self.assertEqual(rewound.get(key), other.get(key), self.describe(result, key))
            self.assertEqual(signatures(rewound), signatures(other), self.describe(result, "findings"))

    def test_zz_enough_are_rewound(self):
        """After all others, as tests go by name."""
        self.assertGreaterEqual(self.rewound, ENOUGH_REWOUND)


def signatures(summary):
    return sorted(finding["signature"] for finding in summary["findings"])


def add_tests(programs, variant):
    for part, check in (("correct", "silent"), ("correct", "alike"), ("wrong", "alike")):
        for source in snarl_case.sources(part):
            header = snarl_case.read_header(source)
            program = programs / part / f"{source.stem}.{variant}"
            if "gates" in header or ("layers_differ" in header and check == "alike") or not program.exists():
                continue  # other processes, or the kernel, have a say in what it does
            test = getattr(RewindLongCase, f"check_{check}")
            setattr(RewindLongCase, f"test_{check}_{part}_{source.stem}",
                    lambda self, test=test, program=program, header=header: test(self, program, header))


if __name__ == "__main__":
    sys.exit(snarl_case.run_variant(RewindLongCase, add_tests, __doc__))
