#!/usr/bin/env python3
"""The shortest schedule: what is reported has no more switches than the known minimum, fails in the same way and replays
each time; without it the schedule is the one that was found.

  SNARL=build/snarl shorten_test.py --programs build/programs
"""
import json
import sys

import snarl_case

PROGRAMS = None

# Switches that a failing schedule needs, worked out by hand from the programs.
MINIMUM = {
    "lock_inversion": 2,  # main waits for the first; the second comes between its two locks
    "philosophers": 3,  # main waits; each of three has one fork
    "inversion_of_three": 3,
    "lost_update": 3,  # main waits; the other thread between load and store; the first one's store and the check
    "interrupted_wait": 1,
    "publish_after_create": 1,  # the new thread before the value
    "double_checked_init": 2,
    "c11_lost_wakeup": 1,
}
SEEDS = range(1, 6)


class ShortenCase(snarl_case.SnarlCase):
    def explore(self, name, seed, *more):
        result = self.snarl("run", "--seed", seed, "-n", 5000, *more, "-o", self.out, "--", PROGRAMS / f"{name}.O2")
        self.expect_code(result, 1)
        return result, self.only_finding(result)

    def report(self, finding):
        return json.loads((self.finding_folder(finding) / "report.json").read_text(encoding="utf-8"))

    def test_the_known_minimum(self):
        for name, minimum in MINIMUM.items():
            for seed in SEEDS:
                with self.subTest(name=name, seed=seed):
                    result, finding = self.explore(name, seed)
                    self.assertTrue(finding["confirmed"])
                    self.assertEqual(finding["switches"], minimum, self.describe(result, "not the minimum"))
            again = self.snarl("replay", self.out, "--times", 100, "--json")
            self.assertEqual(json.loads(again.out)["reproduced"], 100, self.describe(again, "does not replay"))

    def test_the_same_failure_as_found(self):
        for seed in SEEDS:
            result, short = self.explore("philosophers", seed)
            before = self.report(short).get("switches_before_minimizing", short["switches"])
            _, found = self.explore("philosophers", seed, "--no-minimize")
            self.assertEqual(found["switches"], before, self.describe(result, "not what was found"))
            self.assertNotIn("switches_before_minimizing", self.report(found))
            for same in ("kind", "signature", "seed", "index"):
                self.assertEqual(short[same], found[same])

    def test_no_time_no_shorter_schedule(self):
        result = self.snarl("run", "--seed", 1, "-n", 5000, "--after-finding", "0", "-o", self.out, "--",
                            PROGRAMS / "philosophers.O2")
        self.expect_code(result, 1)
        self.assertNotIn("Shortest schedule", result.out)


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs) / "wrong"
    return snarl_case.run_suite(snarl_case.suite_of({"shorten": ShortenCase}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
