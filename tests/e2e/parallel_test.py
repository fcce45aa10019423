#!/usr/bin/env python3
"""Parallel runs (ppct, none, random-sleep): their guarantee, their findings, and no false alarm.

  SNARL=build/snarl parallel_test.py --programs build/programs --part guarantee
"""

import json
import math
import os
import sys
import unittest

import snarl_case

VARIANT = "O2"
LONG = os.environ.get("SNARL_LONG") == "1"


def correct_runs():
    """Parallel runs of each correct program: every policy that runs threads at the same time (noise has a test of its
    own), with so many schedules; those that sleep are slow. With check=1 every point asserts that no low thread takes a
    step while a high one is enabled; a failing assertion is an exit code, and so a finding."""
    bounded = 1000 if LONG else 100
    runs = [("ppct:depth=4,check=1", bounded)]
    for policy in snarl_case.policies(lambda row: row["parallel"] and not snarl_case.makes_noise(row)):
        slow = snarl_case.has_parameter(policy, "sleep")
        runs.append((policy["trial"], 20 if slow else bounded if policy["depth_bound"] else 100))
    return runs


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def binomial(n, p, ks):
    """The probability that so many of n succeed."""
    return sum(math.exp(log_choose(n, k) + k * math.log(p) + (n - k) * math.log1p(-p)) for k in ks)


class GuaranteeCase(snarl_case.SnarlCase):
    """theorem 9: at least 1/(n k^(d-1)); our programs are tight, so not three times as much either. A right
    policy fails each of these with a probability below 1e-9. Tight means calls only: with points at their
    atomic stores there are more places for each switch, and the rates are 5 to 18 times the bound."""

    def check_rate(self, policy, depth, schedules, order=""):
        program = self.programs / "tight" / f"tight{depth}{order}"
        result = self.snarl("run", "-p", f"{policy}:depth={depth}", "--keep-going", "-n", schedules, "-j", 1, "-o", self.out,
                            "--fairness", "off", "--points", "sync", "--", program, timeout=900 if LONG else 280)
        self.expect_code(result, 1)
        summary = self.summary(result)
        count = summary["policy"][0]
        runs, hits = count["schedules"], count["failing_schedules"]
        bound = 1 / (summary["threads"] * summary["steps"] ** (depth - 1))
        rate = f"{policy} depth {depth}{order}: {hits} of {runs}, {hits / runs / bound:.2f} times the bound"
        print(rate, flush=True)
        self.assertGreater(binomial(runs, bound, range(hits + 1)), 1e-9, rate + ": too few")
        self.assertGreater(binomial(runs, 3 * bound, range(hits, runs + 1)) if 3 * bound < 1 else 1, 1e-9, rate + ": too many")

    def test_depth_1(self):
        for policy in ("pct", "ppct"):
            self.check_rate(policy, 1, 2000)

    def test_depth_2(self):
        for policy in ("pct", "ppct"):
            self.check_rate(policy, 2, 5000)

    def test_depth_3(self):
        for policy in ("pct", "ppct"):
            self.check_rate(policy, 3, 100000 if LONG else 12000)

    def test_depth_3_in_the_other_order(self):
        for policy in ("pct", "ppct") if LONG else ("ppct",):
            self.check_rate(policy, 3, 100000 if LONG else 15000, "b")

    @unittest.skipUnless(LONG, "takes minutes: fewer runs prove nothing")
    def test_depth_4(self):
        for policy in ("pct", "ppct"):
            self.check_rate(policy, 4, 200000)


class WrongCase(snarl_case.SnarlCase):
    """Found in parallel, replayed serially 20 of 20."""


class CorrectCase(snarl_case.SnarlCase):
    """No finding, confirmed or not."""

    def test_all_cores(self):
        """Though snarl's own threads are pinned: what they start is not."""
        cores = len(os.sched_getaffinity(0))
        for policy in ("none", "ppct:depth=2"):
            for jobs in (1, 2, cores + 1):
                self.check(self.programs / "hostile" / "counts_cores", policy, 20, "-j", jobs, words=[cores])

    def test_spins_by_loads(self):
        """A low thread that never comes to a point must not keep the one waiting that it spins for."""
        for policy in ("ppct:depth=2", "ppct:depth=4"):
            self.check(self.programs / "hostile" / "spins_by_loads", policy, 20)

    def test_alarm_storm(self):
        """Handlers that post run in threads that wait for their turn, sleep, or are about to make another."""
        for policy, _ in correct_runs():
            self.check(self.programs / "hostile" / "alarm_storm", policy, 100)

    def check(self, program, policy, schedules, *options, words=()):
        result = self.snarl("run", "-p", policy, "-n", schedules, *options, "-o", self.out, "--", program, *words)
        self.expect_code(result, 0)
        summary = self.summary(result)
        self.assertEqual((summary["findings"], summary["unconfirmed"]), ([], 0), self.describe(result, "a false alarm"))
        self.assertEqual(summary["schedules"], schedules)


def check_wrong(self, program, header):
    result = self.snarl("run", "-p", "ppct:depth=2", "-p", "ppct:depth=3", "-n", 4000, "-t", "60s", "-o", self.out, "--", program)
    self.expect_code(result, 1)
    findings = [f for f in self.summary(result)["findings"] if f["kind"] == header["kind"]]
    self.assertTrue(findings, self.describe(result, f"no {header['kind']}"))
    again = self.snarl("replay", self.out, "--times", "20", "--json")
    self.expect_code(again, 1)
    self.assertEqual(json.loads(again.out)["reproduced"], 20, self.describe(again, "not reproduced each time"))


def add_tests(programs):
    GuaranteeCase.programs = CorrectCase.programs = programs
    for source in snarl_case.sources("wrong"):
        header, program = snarl_case.read_header(source), programs / "wrong" / f"{source.stem}.{VARIANT}"
        if header.get("parallel"):
            setattr(WrongCase, "test_" + source.stem, lambda self, p=program, h=header: check_wrong(self, p, h))
    runs = correct_runs()
    for source in snarl_case.sources("correct"):
        if snarl_case.read_header(source).get("serial"):
            continue  # docs/limitations.md
        program = programs / "correct" / f"{source.stem}.{VARIANT}"
        for policy, count in runs:
            name = f"test_{source.stem}_{policy.translate(str.maketrans(':,-.', '____', '='))}"
            setattr(CorrectCase, name, lambda self, p=program, q=policy, n=count: self.check(p, q, n))


def main():
    parts = {"guarantee": GuaranteeCase, "wrong": WrongCase, "correct": CorrectCase}
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--part", choices=parts)
    arguments = parser.parse_args()
    add_tests(snarl_case.programs_folder(arguments.programs))
    return snarl_case.run_suite(snarl_case.suite_of(parts, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
