#!/usr/bin/env python3
"""The printed bound against measured rates: pct and ppct, on programs with yields, naps, pauses, sleeps, timed waits and
long work, whose bugs need no time-out.

Each program is explored twice with the same plan: calm, so that nothing is found and a bound is printed, and armed,
so that its bug's rate is seen. What the bound may say is computed here, from the threads and steps that the program has
by its text: (1-f)^k / (n k^(d-1)), and three quarters of it if it has timed waits. A sleep is one for pct, whose plan
has a rank for its end; for ppct it is not. Exact binomial tests; a right policy fails one of them with a probability
below 1e-9.

  SNARL=build/snarl rates_test.py --programs build/programs
"""

import collections
import math
import os
import sys

import snarl_case

LONG = os.environ.get("SNARL_LONG") == "1"
UNLIKELY = 1e-9
EARLY = 0.25  # of pct's runs lets deadlines come early

# n threads and k steps, counted by the rules of steps (the timer of a nap may have one of its own); `most`: how many times the bound the rate may be.
Program = collections.namedtuple("Program", "name depth n k deadlines points most", defaults=((), "sync", 3))
PROGRAMS = (
    Program("trylocks1", 1, 3, 29),
    Program("yields1", 1, 3, 29),
    Program("naps1", 1, 3, 50),
    Program("pauses1", 1, 3, 29, points="sync,atomic"),
    Program("trylocks2", 2, 3, 13),
    Program("yields2", 2, 3, 13),
    Program("naps2", 2, 3, 18),
    Program("pauses2", 2, 3, 13, points="sync,atomic"),
    Program("sleeps", 1, 4, 24, deadlines=("pct",)),
    Program("timed_wait", 1, 3, 16, deadlines=("pct", "ppct")),
)
WORK = Program("work", 1, 3, 10)
# Rounds of work for each thread, about a nanosecond each, and runs. Fewer runs could not fail: with 55, no hit at all is
# less likely than UNLIKELY.
WORK_ROUNDS, WORK_RUNS = (500_000_000, 330) if LONG else (130_000_000, 55)


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def binomial(n, p, ks):
    """The probability that so many of n succeed."""
    if p >= 1:
        return 1.0 if n in ks else 0.0
    return sum(math.exp(log_choose(n, k) + k * math.log(p) + (n - k) * math.log1p(-p)) for k in ks)


def fairness(k):
    return min(0.001, 0.05 / k)


def theorem(program, policy, k):
    """The least chance of a run that was planned with the program's n and with k steps."""
    chance = (1 - fairness(k)) ** k / (program.n * k ** (program.depth - 1))
    return chance * (1 - EARLY) if policy in program.deadlines else chance


class RatesCase(snarl_case.SnarlCase):
    programs = None

    def explore(self, program, policy, how, runs, *words, seed=1):
        return self.snarl("run", "-p", f"{policy}:depth={program.depth},threads={program.n},steps={program.k}", "--keep-going",
                          "-n", runs, "-j", 1, "--seed", seed, "--points", program.points, "-o", self.out, "--",
                          self.programs / "rates" / program.name, how, *words, timeout=1800 if LONG else 280)

    def printed_bound(self, program, policy, *words):
        """Of a few runs, so that it is far from 1: what each of them adds to it."""
        result = self.explore(program, policy, "calm", 8, *words)
        self.expect_code(result, 0)
        bounds = self.summary(result)["bound"]
        self.assertEqual(len(bounds), 1, self.describe(result, "no bound"))
        bound = bounds[0]
        self.expect_text(result, rf"a bug of depth {program.depth} that shows within {program.k} steps of at most {program.n} threads,"
                                 r"\s+without a time-out")
        self.assertEqual((bound["threads"], bound["steps"], bound["counted"]), (program.n, program.k, 8))
        self.assertEqual(bound["watchdog"], 0, self.describe(result, "time had a say"))
        self.assertGreaterEqual(program.k, self.summary(result)["steps"], self.describe(result, "more steps than its text has"))
        return 1 - (1 - bound["probability"]) ** (1 / bound["counted"])

    def hits(self, program, policy, runs, *words):
        """Runs, and how many of them failed, where the bug is armed."""
        result = self.explore(program, policy, "armed", runs, *words)
        self.expect_code(result, 1)
        summary = self.summary(result)
        self.assertEqual(summary["bound"], [], self.describe(result, "a bound though a run failed"))
        return summary["policy"][0]["schedules"], summary["policy"][0]["failing_schedules"]  # it may have drawn them all

    def check(self, program, policy, runs, *words):
        """Returns how many runs there were, and how many failed."""
        printed = self.printed_bound(program, policy, *words)
        allowed = theorem(program, policy, program.k)
        self.assertLessEqual(printed, allowed * (1 + 1e-9), f"{policy} {program.name}: more than the theorem says")
        self.assertGreaterEqual(printed, allowed * 0.7, f"{policy} {program.name}: far less than the theorem says")
        runs, hits = self.hits(program, policy, runs, *words)
        row = f"{policy:5} {program.name:10} depth {program.depth}  printed {printed:.5f}  measured {hits / runs:.5f} " \
              f"({hits} of {runs})  {hits / runs / printed:.2f} times the bound"
        print(row, flush=True)
        self.assertGreater(binomial(runs, printed, range(hits + 1)), UNLIKELY, row + ": too few")
        most = program.most * printed
        self.assertGreater(binomial(runs, most, range(hits, runs + 1)) if most < 1 else 1, UNLIKELY, row + ": too many")
        return runs, hits

    def test_pct(self):
        for program in PROGRAMS:
            self.check(program, "pct", runs_of(program))

    def test_ppct(self):
        for program in PROGRAMS:
            self.check(program, "ppct", runs_of(program))

    def test_pct_with_work(self):
        self.check(WORK, "pct", WORK_RUNS, WORK_ROUNDS)

    def test_ppct_with_work(self):
        """Work takes time, and time has no say: the same plans hit with and without it, but for steps against starvation."""
        runs, hits = self.check(WORK, "ppct", WORK_RUNS, WORK_ROUNDS)
        _, without = self.hits(WORK, "ppct", runs, 1)
        starved = 1 - (1 - fairness(WORK.k)) ** WORK.k
        differ = range(abs(hits - without), runs + 1)
        self.assertGreater(binomial(runs, starved, differ), UNLIKELY, f"{hits} hits with work, {without} without")

    def test_a_loop_without_points_costs_seconds_once(self):
        """High threads that spin by loads would wait for the low one for good. Once is enough to find the loop: its load is
        a point from then on."""
        result = self.snarl("run", "-p", "ppct:depth=2", "-n", 40, "-j", 1, "--points", "sync", "-o", self.out, "--",
                            self.programs / "hostile" / "spins_by_loads")
        self.expect_code(result, 0)
        summary = self.summary(result)
        self.assertTrue(any(loop["is_point"] for loop in summary["spin_loops"]), self.describe(result, "nobody spun"))
        self.assertLessEqual(summary["bound"][0]["watchdog"], 3, self.describe(result, "each time anew"))


def runs_of(program):
    return (3000 if LONG else 300) * (3 if program.depth > 1 else 1)


def main():
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    RatesCase.programs = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of({"rates": RatesCase}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
