"""Shared by the tests of real programs: a folder for each test, and `snarl run` on a program that must pass."""

import json
import os
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import snarl_case  # noqa: E402

SCHEDULES = 100 if os.environ.get("SNARL_LONG") else 20
POLICIES = ("random", "pct:depth=3")
SOURCES = pathlib.Path(__file__).resolve().parent / "sources"


class RealCase(unittest.TestCase):
    """One folder per test."""

    def setUp(self):
        self.folder = pathlib.Path(snarl_case.tempfile.mkdtemp(prefix="snarl-real-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def snarl(self, *arguments, timeout=240):
        process = snarl_case.start([snarl_case.snarl_binary(), *arguments], cwd=self.folder)
        return snarl_case.finish(process, timeout)

    def native(self, *command):
        """What the program writes when snarl is not there."""
        return snarl_case.run(command, cwd=self.folder, check=True, text=True,
                                         stdout=snarl_case.subprocess.PIPE).stdout

    def explore(self, command, least_threads=2, options=()):
        """Nothing may be found. Prints one line per policy: schedules per second. Returns the summaries."""
        summaries = []
        for policy in POLICIES:  # one at a time: they write the same files
            result = self.snarl("run", "-j", 1, "-p", policy, "-n", SCHEDULES, "--timeout", "60s", "--json", *options,
                                "--", *command)
            self.assertEqual(result.code, 0, f"{result.command}\n{result.out[-3000:]}\n{result.err[-2000:]}")
            summary = json.loads(result.out)
            self.assertEqual(summary["schedules"], SCHEDULES)
            self.assertEqual(summary["findings"], [])
            self.assertEqual(summary["unconfirmed"], 0)
            self.assertGreaterEqual(summary["threads"], least_threads, "the program did not use threads")
            rate = summary["schedules"] / summary["seconds"]
            print(f"{self._testMethodName[5:]:<12} {policy:<12} {rate:8.1f} schedules/s  n={summary['threads']}"
                  f" k={summary['steps']} repeatable {summary['repeatable']}", flush=True)
            summaries.append(summary)
        return summaries

    def once(self, command, check):
        """Three single schedules, whose results `check` looks at."""
        for seed in range(3):
            result = self.snarl("run", "--once", "--seed", seed, "--timeout", "60s", "--", *command)
            self.assertEqual(result.code, 0, f"{result.command}\n{result.err[-2000:]}")
            check(result)
